// Package sqlstore keeps event logs in a SQLite file: the reference implementation of eventlog.Store, and the one to take into a service.
//
//	s, err := sqlstore.Open(ctx, "log.db", sqlstore.Options{})
//
// Several processes may have one file open and write it, each through its own Store: they see each other's sessions, conflicts, keys and events.
// Any SQLite tool can read the file while it is in use.
//
// # What an acknowledged append outlives
//
// With Full, the default, Append returns when the disk has confirmed the write (PRAGMA synchronous=FULL on a write-ahead log). The receipt says
// eventlog.ToPowerLoss: the events are there after a crash of the process, of the machine, and after a power failure, provided that the disk
// does not lie about what it has written. A disk that says that it could not write is no such liar: the append answers eventlog.ErrIO, and what comes
// after it is written anew, and relies on nothing that the disk may have dropped.
//
// With Normal, Append returns when the operating system has the write. The receipt says eventlog.ToProcessCrash: kill -9 takes nothing. A power
// failure can take what was acknowledged since the last checkpoint began: SQLite makes one about every 1,000 pages, which is 4 MB of write-ahead
// log, and when the last store closes the file. What it leaves is consistent, the appends up to some moment, each of them whole and
// none after one that is missing. One thing Normal does not stand: a disk that fails to write the log through in a checkpoint, goes on, and then
// loses its power. SQLite takes the next sync for a success, and the file can be damaged. Who cannot exclude that takes Full.
//
// In both an append that was not acknowledged can be in all the same, wholly. Give an append a key: repeated with it, it is stored once. With
// eventlog.ErrFull it is surely not in: what a full disk says only when it should write through, is an ErrIO.
//
// When a disk has failed and works again, so does the store, without being opened again.
//
// Appends that come at once share a transaction and its price, so that Full costs a busy store little. Nobody waits for others to come.
//
// # What is in the file
//
// The table events is the log; it alone is not derived from another one. The file itself refuses to change, delete or replace an event, from
// any program that speaks SQL, by triggers. messages and tool_calls hold what the events fold to, and are written in the transaction of
// their events. Whoever drops the triggers and changes something is found out by [Store.Verify], which computes a chain of hashes
// over the events. [Store.Rebuild] makes what is derived anew.
//
// An open store consists of three files: log.db, log.db-wal and log.db-shm. A copy of the first alone, taken while the store is open, lacks
// acknowledged events. [Store.Backup] makes a whole copy, [Restore] a store of it, [Store.Export] writes text and [Store.Import] reads it.
//
// # What it is not
//
// It is no server, and not for a disk that is shared over a network: SQLite's write-ahead log needs memory that all its users share
// (https://sqlite.org/wal.html). It deletes nothing, so it never becomes smaller. It is no cache: every read goes to SQLite.
// The chain of hashes is no signature: who can write the file can make it anew, and only an [Anchor] kept elsewhere shows that.
//
// # Testing
//
// It is held to the contract by eventlogtest.RunStore, with both settings and with several handles on one file. Its own tests kill
// writing processes, cut the power after any operation in a model of a disk, let any operation of a disk fail, damage files, and try
// every statement that could change history. The checks behind them are shown disks that lie, in which they must find the loss. What takes
// long is run by make soak.
//
// # Cost
//
// Readers share a few connections and fetch pages of 256 events or a megabyte: memory does not grow with the length of what is read, and
// no transaction stays open while a caller works on an item. There is no C in it: SQLite is github.com/ncruces/go-sqlite3, which is SQLite
// translated to Go.
package sqlstore
