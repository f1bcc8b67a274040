// Package jsonlstore keeps event logs in plain files: an eventlog.Store on a folder with a text file for each session, one event a line.
//
//	s, err := jsonlstore.Open(ctx, "sessions", jsonlstore.Options{})
//
// A file can be read with any tool that reads lines, and copied, kept or sent as the record of one conversation. Several processes may have one folder
// open and write it, each through its own Store: they see each other's sessions, conflicts, keys and events.
//
// # What is in the folder
//
// NAME.jsonl is a session; format.go describes its lines. NAME is made from the session's id so that no two ids share a name on any file system; the file's first line
// tells the id. With Options.Compress it is NAME.jsonl.zst, the same text in zstd frames. eventlog.lock is locked by whoever writes. eventlog.head
// tells the open stores how far they may read; it holds nothing that the sessions' files do not say too, and is made anew where it is missing.
//
// # What an acknowledged append outlives
//
// With Full, the default, Append returns when the disk has confirmed the write (fsync). The receipt says eventlog.ToPowerLoss. With Normal it returns when
// the operating system has it: eventlog.ToProcessCrash.
//
// A session's file appears under its name only when it is durable, and never in place of another one. From then on it only grows: an append is written behind
// its end in one piece, under the lock, after a look whether the file still ends as it is known to. When the write fails the file is made as long as it was.
//
// When fsync fails, nobody can know what the disk holds, and asking again is no help: the system may have forgotten what it could not
// write, and then says yes (https://wiki.postgresql.org/wiki/Fsync_Errors). So nothing is appended to that session until the store is opened again. If
// the file cannot even be made as long as it was, that goes for the whole store.
//
// # What is read from files that a crash has left, or somebody has changed
//
// A last line without its end, or last lines whose append is not complete, are a write that was cut off, and never acknowledged. Reading passes them over; the
// next append to the session cuts them off first. Whole appends without an acknowledgement are kept: only their key can tell.
//
// Everything else that is not as it was written is damage: a whole line that is no event or has a wrong checksum, a gap or a repetition, a
// foreign format, a newer version. Reads of that session and appends to it answer a *LineError with the line and the reason, and the file is left as it is.
// It spoils no other session. All yields the others' events and then that error, Watch goes on without, Sessions lists it as far as it is sound,
// and Damaged tells all of it.
//
// # What it is not
//
// It is not for a folder that is shared over a network: locks and the order of writes do not reach across one. It deletes nothing. It is no signature: a
// checksum finds accidents, whoever can write the files can make it anew.
//
// # Testing
//
// It is held to the contract by eventlogtest.RunStore, plain and packed, and with several handles on one folder. Its own tests cut the power after every
// operation, let every operation fail, kill writing processes, and damage files; and they show that the same checks find the faults of stores that are built wrong.
//
// # Cost
//
// Opening reads every file. An open store holds, for each session, a few hundred bytes, its idempotency keys, and a place for every 64 KiB of its file; and a place for every
// time that one session's events follow on another's. Reads fetch pages of 256 events or a megabyte and check each line again. While other processes write, every
// one of their commits costs a store that reads a look at the folder's list.
package jsonlstore
