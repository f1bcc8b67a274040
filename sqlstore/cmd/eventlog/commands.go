package main

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// A command is a row of the table below, from which also the help is made.
type command struct {
	name     string
	args     string // as the help shows them
	summary  string // one line
	about    string // more of it
	flags    []string
	noFolder string // of a command that is for a SQLite file alone: what to do with a folder of session files instead
	db       string // what --db is, where it is not the log of every other command
	examples []string
	run      func(ctx context.Context, c *call) error
}

// commands stand in the order of the help. A function, since help is a command that needs the table.
func commands() []command {
	return []command{
		{
			name: "sessions", summary: "the sessions, those with the newest events first", flags: []string{"created", "limit"}, run: sessions,
			examples: []string{"eventlog sessions", "eventlog sessions --created --json"},
		},
		{
			name: "events", summary: "the events, in the order in which they happened", flags: []string{"session", "after", "limit"}, run: events,
			examples: []string{"eventlog events --session support-42", "eventlog events --after 1000 --json"},
		},
		{
			name: "tail", summary: "the newest events; with -f also those that come", flags: []string{"f", "session", "after", "limit"}, run: tail,
			about:    "Without --after it begins with the last ten events. With -f it goes on until Ctrl-C, and shows what any program appends to the file.",
			examples: []string{"eventlog tail -f", "eventlog tail -f --after 1000 --json"},
		},
		{
			name: "messages", args: "ID", summary: "a session's messages, each with the event that it was folded from", flags: []string{"after"}, run: messages,
			examples: []string{"eventlog messages support-42"},
		},
		{
			name: "replay", args: "ID", summary: "a session as a model is shown it, now or as it was at an event", flags: []string{"until"}, run: replay,
			examples: []string{"eventlog replay support-42", "eventlog replay support-42 --until 17"},
		},
		{
			name: "append", args: "ID", summary: "adds an event to a session", flags: []string{"type", "payload", "create", "title", "expect", "key"}, run: appendEvent,
			about: "The payload is a JSON object, kept byte for byte; - reads it from standard input. The event is on the disk when the command ends with 0.\n" +
				"Exit status 1: the session does not end with the event that --expect names; nothing was written.",
			examples: []string{
				`eventlog append support-42 --create --type user_message --payload '{"content":"hello"}'`,
				`eventlog append support-42 --type note --payload - --expect 17 --key import-3 < note.json`,
			},
		},
		{
			name: "verify", summary: "reads everything and tells what is wrong with it", run: verify,
			about: "Checks the file, its schema, every reference, the hash chain over the events, and that messages, tool calls and sessions are what the events say.\n" +
				"Exit status 1: it found a fault.",
			examples: []string{"eventlog verify --db eventlog.db"},
		},
		{
			name: "rebuild", summary: "makes messages, tool calls and sessions anew from the events", run: rebuild,
			noFolder: "nothing in it is derived, so nothing is to be made anew",
			about:    "The events stay as they are. It is one transaction: the log is mended, or as it was.",
			examples: []string{"eventlog rebuild"},
		},
		{
			name: "backup", args: "FILE", summary: "writes a checked copy to a new file, while others go on", run: backup,
			noFolder: "copy it with any tool while nobody writes to it",
			about:    "To copy the file of a log in use by other means loses what lies in its write-ahead log.",
			examples: []string{"eventlog backup eventlog-2026-12-01.db"},
		},
		{
			name: "restore", args: "FILE", summary: "makes the log anew from a backup; it replaces nothing", run: restore,
			noFolder: "copy the backup's files back into it with any tool",
			about:    "Move a damaged log out of the way first. The backup stays as it is.",
			examples: []string{"eventlog restore eventlog-2026-12-01.db --db eventlog.db"},
		},
		{
			name: "export", summary: "writes the whole log as lines of JSON to standard output", run: export,
			noFolder: "its files are lines of JSON already, and `eventlog inspect` reads them",
			about:    "Payloads keep every byte. `eventlog import` reads it again.",
			examples: []string{"eventlog export > log.jsonl"},
		},
		{
			name: "import", args: "FILE...", summary: "reads what export wrote, or a session of another agent", run: importFiles,
			noFolder: "bring the log into a SQLite file, with --db",
			about: "Each file comes in whole or not at all. Of an export (- reads one from standard input) sessions must be new to the log, and event ids behind all\n" +
				"that are there. A session of another agent, as `eventlog inspect` knows them, may be imported again: what is there is compared, and only what\n" +
				"has been added since comes in. Its records are kept byte for byte.",
			examples: []string{"eventlog import log.jsonl --db copy.db", "eventlog import ~/.codex/sessions/2026/03/01/rollout-*.jsonl"},
		},
		{
			name: "inspect", args: "FILE...", summary: "tells what is in session logs and what is wrong with them", flags: []string{"repair", "yes"}, run: inspectFiles,
			about: "Reads our logs (a SQLite file, a folder of session files, an export) and those of Codex, Claude Code, Gemini CLI, Pi and DeepSeek's harness, compressed or not, each as\n" +
				"its own tool reads it; a folder means every log below it. It changes nothing: --repair writes a new file, and never over one that is there.\n" +
				"Exit status 1: something is wrong, or was left open. 3: something could not be read.",
			examples: []string{"eventlog inspect ~/.codex/sessions", "eventlog inspect session.jsonl --json", "eventlog inspect session.jsonl --repair mended.jsonl"},
		},
		{
			name: "serve", summary: "an agent with a scripted model, over HTTP, whose memory is the log", flags: []string{"address"}, run: serve,
			about: "Makes the file when it is not there. Its page shows sessions, events and replay. It ends with Ctrl-C, after the turns that are under way;\n" +
				"what a crash cut off is finished at the next start. Whoever reaches the address reads and writes every session.",
			examples: []string{"eventlog serve --db demo.db"},
		},
		{
			name: "chat", args: "[ID]", summary: "talk to an agent in the terminal; with an ID an old session goes on", flags: []string{"model", "events"}, run: talk,
			about: "A line is a message. The agent has a calculator, and everything that happens is in the log before anything is done because of it: close the window,\n" +
				"kill the process, and with its ID the session goes on. Ctrl-C ends a running turn, a second one leaves, and so does Ctrl-D; /help tells the rest.\n" +
				"Without --model and OPENAI_MODEL the model is a script that can compute. OPENAI_BASE_URL names the endpoint of a real one, such as one on this\n" +
				"machine, and OPENAI_API_KEY its key, if it wants one. From a pipe it reads line by line, without prompts, and ends with 3 at the first failure.",
			examples: []string{
				"eventlog chat",
				"printf 'what is 6*7\\n' | eventlog chat --db demo.db",
				"OPENAI_BASE_URL=http://localhost:11434/v1 eventlog chat --model llama3.2 --events",
			},
		},
		{
			name: "demo", summary: "kills an agent in the middle of a turn, and shows what its log has kept",
			flags: []string{"reply-first", "fast", "pause", "keep"}, run: tellDemo, db: "keep the log, as this new file",
			about: "A story in a terminal, with real processes: an agent is killed with SIGKILL, and started again on the same log. Each ✓ is something\n" +
				"that has just been seen. The log is a temporary file, unless --keep or --db says where. There are colours on a terminal, but not with NO_COLOR.\n" +
				"Exit status 1: the demo saw something else than it tells.",
			examples: []string{"eventlog demo", "eventlog demo --reply-first", "eventlog demo --keep story", "eventlog demo --json"},
		},
	}
}

func find(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

func names() []string {
	var all []string
	for _, c := range commands() {
		all = append(all, c.name)
	}
	return append(all, "help")
}

func (c command) usage() string { return strings.TrimSpace(c.name + " " + c.args) }

// everyHelp is about the flags that every command takes.
func everyHelp(db string) string {
	if db == "" {
		db = "the log: a SQLite file, or a folder of session files (eventlog.db by default)"
	}
	return fmt.Sprintf("  %-15s %s\n  %-15s %s\n", "--db PATH", db, "--json", "one JSON object a line, for programs")
}

const statusHelp = `
Exit status:
  0  done
  1  verify or inspect found a fault, append met a conflict, or demo saw something else than it tells
  2  the command was called wrongly
  3  the operation failed; the message says what to do
`

func mainHelp() string {
	var b strings.Builder
	b.WriteString("eventlog looks into an event log, appends to it, and takes care of it.\nNew here? `eventlog demo` shows in a minute what it is for.\n\n")
	rows := append(commands(), command{name: "help", args: "COMMAND", summary: "more about a command"})
	wide := 0
	for _, c := range rows {
		wide = max(wide, len(c.usage()))
	}
	for _, c := range rows {
		fmt.Fprintf(&b, "  eventlog %-*s  %s\n", wide, c.usage(), c.summary)
	}
	b.WriteString("\nEvery command takes:\n" + everyHelp("") + statusHelp)
	b.WriteString("\nExamples:\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %s\n", c.examples[0])
	}
	return b.String()
}

func (c command) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "eventlog %s [flags]\n\n%s%s.\n", c.usage(), strings.ToUpper(c.summary[:1]), c.summary[1:])
	if c.about != "" {
		b.WriteString(c.about + "\n")
	}
	b.WriteByte('\n')
	for _, name := range c.flags {
		fmt.Fprintf(&b, "  %-15s %s\n", flagTexts[name].shown, flagTexts[name].text)
	}
	b.WriteString(everyHelp(c.db) + "\nExamples:\n")
	for _, e := range c.examples {
		fmt.Fprintf(&b, "  %s\n", e)
	}
	return b.String()
}

func help(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stdout, mainHelp())
		return exitDone
	}
	c, ok := find(args[0])
	if !ok {
		return wrong(stderr, "", "there is no command %s%s", clean(args[0]), didYouMean(args[0], names()))
	}
	fmt.Fprint(stdout, c.help())
	return exitDone
}
