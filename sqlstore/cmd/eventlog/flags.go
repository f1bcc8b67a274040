package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"
)

// A call is a command with what it was called with.
type call struct {
	command
	in       io.Reader
	out, err io.Writer

	db, session, eventType, payload, key, title string
	address, keep, repaired, model              string
	json, follow, create, created, yes          bool
	replyFirst, fast, events                    bool
	pause                                       time.Duration
	after, until, expect                        int64
	limit                                       int
	given                                       map[string]bool // the flags that were
	arguments                                   []string        // those that are no flags: an ID, or files
}

// flagTexts is what the help says of each flag beyond those that every command takes.
var flagTexts = map[string]struct{ shown, text string }{
	"session": {"--session ID", "only those of this session"},
	"after":   {"--after N", "only those with a greater event id"},
	"limit":   {"--limit N", "no more than this many"},
	"until":   {"--until N", "as it was when this event had just happened"},
	"f":       {"-f", "go on with what comes, until Ctrl-C"},
	"created": {"--created", "in the order of their creation instead, the oldest first"},
	"type":    {"--type T", "the event's type, such as user_message"},
	"payload": {"--payload JSON", "the event's payload; - for standard input"},
	"create":  {"--create", "make the session, and the file, when they are not there"},
	"title":   {"--title TEXT", "the title of a session that --create makes"},
	"expect":  {"--expect N", "append only when the session's last event has this id; 0 for none"},
	"address": {"--address A", "where it listens (127.0.0.1:8080 by default); :0 is a free port"},
	"repair":  {"--repair OUT", "writes a repaired copy of the one file, after it has shown what it changes"},
	"yes":     {"--yes", "writes without a question"},
	"model":   {"--model NAME", "a real model, at OPENAI_BASE_URL with OPENAI_API_KEY; scripted for none"},
	"events":  {"--events", "show each event that is stored, with its id"},
	"key":     {"--key K", "append once: a repeat with this key and the same event does nothing"},

	"reply-first": {"--reply-first", "the bug on purpose: the agent replies first, and writes afterwards"},
	"fast":        {"--fast", "without pauses, as when the output is no terminal"},
	"pause":       {"--pause TIME", "rest this long before a paragraph, such as 2s (900ms on a terminal)"},
	"keep":        {"--keep FOLDER", "keep the log, as demo.db in this folder"},
}

var errHelp = errors.New("help")

// parse reads flags wherever they stand among the arguments, until `--`.
func (c *call) parse(args []string) error {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&c.db, "db", "eventlog.db", "")
	fs.BoolVar(&c.json, "json", false, "")
	for _, name := range c.flags {
		switch name {
		case "session":
			fs.StringVar(&c.session, name, "", "")
		case "after":
			fs.Int64Var(&c.after, name, 0, "")
		case "limit":
			fs.IntVar(&c.limit, name, 0, "")
		case "until":
			fs.Int64Var(&c.until, name, 0, "")
		case "f":
			fs.BoolVar(&c.follow, name, false, "")
		case "created":
			fs.BoolVar(&c.created, name, false, "")
		case "type":
			fs.StringVar(&c.eventType, name, "", "")
		case "payload":
			fs.StringVar(&c.payload, name, "", "")
		case "create":
			fs.BoolVar(&c.create, name, false, "")
		case "title":
			fs.StringVar(&c.title, name, "", "")
		case "expect":
			fs.Int64Var(&c.expect, name, 0, "")
		case "address":
			fs.StringVar(&c.address, name, "127.0.0.1:8080", "")
		case "repair":
			fs.StringVar(&c.repaired, name, "", "")
		case "yes":
			fs.BoolVar(&c.yes, name, false, "")
		case "key":
			fs.StringVar(&c.key, name, "", "")
		case "model":
			fs.StringVar(&c.model, name, "", "")
		case "events":
			fs.BoolVar(&c.events, name, false, "")
		case "reply-first":
			fs.BoolVar(&c.replyFirst, name, false, "")
		case "fast":
			fs.BoolVar(&c.fast, name, false, "")
		case "pause":
			fs.DurationVar(&c.pause, name, 0, "")
		case "keep":
			fs.StringVar(&c.keep, name, "", "")
		default:
			panic("eventlog: a flag without a meaning: " + name)
		}
	}
	rest, err := interspersed(fs, args)
	if err != nil {
		return err
	}
	c.given = map[string]bool{}
	fs.Visit(func(f *flag.Flag) { c.given[f.Name] = true })
	for name, n := range map[string]int64{"after": c.after, "until": c.until, "expect": c.expect, "limit": int64(c.limit)} {
		if n < 0 {
			return fmt.Errorf("--%s %d: event ids and counts are not negative", name, n)
		}
	}
	return c.take(rest)
}

// take gives the arguments that are no flags their meaning.
func (c *call) take(rest []string) error {
	switch what := strings.TrimSuffix(c.args, "..."); {
	case what == "" && len(rest) > 0:
		return fmt.Errorf("%s takes no argument: %s", c.name, clean(rest[0]))
	case what == "":
		return nil
	case what == "[ID]" && len(rest) == 0:
		return nil
	case len(rest) == 0 || rest[0] == "":
		if strings.Trim(what, "[]") == "ID" {
			return fmt.Errorf("which session? eventlog %s; `eventlog sessions` lists them", c.usage())
		}
		return fmt.Errorf("which file? eventlog %s", c.usage())
	case len(rest) > 1 && what == c.args:
		return fmt.Errorf("one %s at a time; %s is too much (one with spaces wants quotes)", strings.Trim(what, "[]"), clean(rest[1]))
	}
	c.arguments = rest
	return nil
}

func interspersed(fs *flag.FlagSet, args []string) (rest []string, err error) {
	for len(args) > 0 {
		if args[0] == "--" {
			return append(rest, args[1:]...), nil
		}
		if len(args[0]) < 2 || args[0][0] != '-' {
			rest, args = append(rest, args[0]), args[1:]
			continue
		}
		name, _, _ := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
		if name == "h" || name == "help" {
			return nil, errHelp
		}
		if fs.Lookup(name) == nil {
			var known []string
			fs.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
			return nil, fmt.Errorf("%s has no flag --%s%s", fs.Name(), clean(name), didYouMean(name, known))
		}
		if err := fs.Parse(args); err != nil {
			return nil, fmt.Errorf("--%s: %w", name, err)
		}
		// What Parse took is gone; it stops before the first argument that is no flag, and behind a --.
		taken := len(args) - fs.NArg()
		ended := args[taken-1] == "--"
		args = fs.Args()
		if ended {
			return append(rest, args...), nil
		}
	}
	return rest, nil
}

// wrong says how the command was called wrongly.
func wrong(stderr io.Writer, name, format string, args ...any) int {
	fmt.Fprintf(stderr, "eventlog: %s\nSee `%s`.\n", fmt.Sprintf(format, args...), strings.TrimSpace("eventlog help "+name))
	return exitUsage
}

// didYouMean names the known word that is nearest, when one is near.
func didYouMean(word string, known []string) string {
	best, at := "", len(word)/2+1
	for _, k := range known {
		if d := distance(word, k); d < at {
			best, at = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance counts the letters to insert, drop or change (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, last+1)
		}
	}
	return row[len(b)]
}
