package inspect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// MostListed is how many findings, sessions or calls of one kind a report lists. It counts them all.
const MostListed = 100

// A Report tells what a file holds and what is wrong with it. Times are in UTC; offsets are bytes of the text, which of a compressed file is what
// was compressed.
type Report struct {
	File        string `json:"file"`
	Format      string `json:"format"`                // "" when it is none that is known
	Version     string `json:"version"`               // of the format, as the file gives it
	Compression string `json:"compression,omitempty"` // "zstd"

	Bytes int64 `json:"bytes"` // of the text
	Lines Lines `json:"lines"`

	Events   int64            `json:"events"`
	Types    map[string]int64 `json:"types"`   // events of each type
	Unknown  map[string]int64 `json:"unknown"` // records of types that this program has not heard of; they are kept
	Aside    map[string]int64 `json:"aside"`   // records that are no part of a session, by why: "branch", "sidechain", "replaced", "rewound", "copy"
	First    *time.Time       `json:"first"`   // of the earliest event with a time
	Last     *time.Time       `json:"last"`
	Sessions Sessions         `json:"sessions"`

	Faults Findings `json:"faults"` // what should not be
	Notes  Findings `json:"notes"`  // what one may want to know

	Policy string  `json:"policy"` // what the tool itself does with what is bad, and so does this program
	Cut    Cuts    `json:"cut"`    // what a repair leaves out
	Append Closers `json:"append"` // what a repair adds: the closers of everything open

	title     string // of the session, when the file gives one
	createdAt time.Time
}

// OK tells that nothing is wrong: no fault, nothing open.
func (r *Report) OK() bool { return r.Faults.Count == 0 && r.Append.Count == 0 && r.Cut.Count == 0 }

// Repairable tells that a repair would change something: it leaves lines out, or adds some, or the end of the last one.
func (r *Report) Repairable() bool {
	k := r.Faults.ByKind
	return r.Cut.Count > 0 || r.Append.Count > 0 || k[Unended]+k[TornFrame]+k[EndMissing] > 0
}

// AddFault adds what somebody else has found out about the file.
func (r *Report) AddFault(k Kind, text string) { r.Faults.add(Finding{Kind: k, Text: text}) }

// Lines count the lines of a text. Total is the sum of the others.
type Lines struct {
	Total   int64 `json:"total"`
	Records int64 `json:"records"`
	Blank   int64 `json:"blank"`
	Bad     int64 `json:"bad"` // torn, too long, no JSON, or dropped by the format's rules
}

// Sessions are those of a file: the first of them, and how many there are.
type Sessions struct {
	Count int64     `json:"count"`
	First []Session `json:"first"`
}

// A Session is what a file says of one session.
type Session struct {
	ID     string     `json:"id"`
	Events int64      `json:"events"`
	First  *time.Time `json:"first"`
	Last   *time.Time `json:"last"`

	Turns            int64  `json:"turns"`            // that ended
	LastCompleteTurn *Place `json:"lastCompleteTurn"` // the event that ended the last one; null when none did
	OpenTurn         *Place `json:"openTurn"`         // the event that started the turn under way; null when none is
	OpenStep         *Place `json:"openStep"`

	Calls      int64 `json:"calls"` // all tool calls
	Open       Calls `json:"open"`  // without a result
	Orphaned   Calls `json:"orphaned"`
	Late       Calls `json:"late"`       // results of calls that had one already
	Duplicated Calls `json:"duplicated"` // calls with the id of an earlier one
}

// A Place is where something stands in a file.
type Place struct {
	EventID int64 `json:"eventId,omitempty"` // of our own logs
	Line    int64 `json:"line,omitempty"`
	Offset  int64 `json:"offset"`
}

// Calls are tool calls, or results without one: the first of them, and how many there are.
type Calls struct {
	Count int64     `json:"count"`
	First []CallRef `json:"first"`
}

func (c *Calls) add(r CallRef) {
	if c.Count++; len(c.First) < MostListed {
		c.First = append(c.First, r)
	}
}

// A CallRef names a tool call.
type CallRef struct {
	CallID string `json:"callId"`
	Name   string `json:"name,omitempty"`
	Place
}

// Findings are the first of what was found, and how many there are.
type Findings struct {
	Count  int64          `json:"count"`
	ByKind map[Kind]int64 `json:"byKind"`
	First  []Finding      `json:"first"`
}

func (f *Findings) add(x Finding) {
	f.Count++
	if f.ByKind[x.Kind]++; f.ByKind[x.Kind] <= MostListed { // of each kind, so that one does not hide another
		f.First = append(f.First, x)
	}
}

// A Finding is one thing that was found.
type Finding struct {
	Kind Kind `json:"kind"`
	Place
	Text string `json:"text"` // for a person
}

// A Kind names a kind of finding. It does not change between versions.
type Kind string

// Faults.
const (
	BadLine       Kind = "bad-line"       // it is no record
	TornLine      Kind = "torn-line"      // the last line, cut off in the middle
	LongLine      Kind = "long-line"      // more than MaxLine bytes
	Unended       Kind = "unended"        // the last line is whole, but has no line end: what comes next is welded onto it
	ByteOrderMark Kind = "bom"            // before the first line
	Corrupt       Kind = "corrupt"        // so that its own tool refuses the file
	EndMissing    Kind = "end-missing"    // of an export: the line that counts what there should be
	Unsupported   Kind = "unsupported"    // a version, or a type, that this program must not guess at
	TornFrame     Kind = "torn-frame"     // the last frame of compressed data, cut off
	Dropped       Kind = "dropped"        // well formed, but behind a fault after which its own tool drops everything
	Interrupted   Kind = "interrupted"    // a turn, a step or a call is open at the end
	Unanswered    Kind = "unanswered"     // a call in a turn that has ended has no result
	Orphan        Kind = "orphan"         // a result without its call
	LateResult    Kind = "late-result"    // a result of a call that has one
	DuplicateCall Kind = "duplicate-call" // two open calls with one id
	Order         Kind = "order"          // ids that do not grow, or are not one by one where they must be
)

// Notes.
const (
	CarriageReturn Kind = "crlf"           // lines end as on Windows
	BigInteger     Kind = "big-integer"    // beyond 2^53: JavaScript rounds it
	LoneSurrogate  Kind = "lone-surrogate" // half a character, as an escape
	EscapedNUL     Kind = "escaped-nul"    // \u0000, which ends strings in C and is refused by some databases
	ReusedCall     Kind = "reused-call"    // the id of a call that has its result, used again
	Copied         Kind = "copied"         // from another session
	RolledBack     Kind = "rolled-back"    // turns that the tool takes back when it reads them
)

// Cuts are what a repair leaves out: the first of them, and how many there are.
type Cuts struct {
	Count int64 `json:"count"`
	Bytes int64 `json:"bytes"`
	First []Cut `json:"first"`
}

func (c *Cuts) add(x Cut) {
	c.Bytes += x.Bytes
	if c.Count++; len(c.First) < MostListed {
		c.First = append(c.First, x)
	}
}

// A Cut is a piece of the text that a repair leaves out.
type Cut struct {
	Line   int64  `json:"line"`
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
	Reason string `json:"reason"`
}

// Closers are what recovery adds: the first of it, and how much there is; and the first of the very lines, in the format's own way, that a repair
// writes for it, with the end that some formats have.
type Closers struct {
	Count     int64    `json:"count"`
	First     []Closer `json:"first"`
	LineCount int64    `json:"lineCount"`
	Lines     []string `json:"lines"`
}

func (c *Closers) add(x Closer) {
	if c.Count++; len(c.First) < MostListed {
		c.First = append(c.First, x)
	}
}

// write lists the lines of a text that a repair appends.
func (c *Closers) write(text []byte) {
	for line := range bytes.Lines(text) {
		if c.LineCount++; len(c.Lines) < MostListed {
			c.Lines = append(c.Lines, string(bytes.TrimSuffix(line, []byte("\n"))))
		}
	}
}

// A Closer is an event that recovery adds to end what a crash left open.
type Closer struct {
	SessionID string          `json:"sessionId"`
	Type      string          `json:"type"`
	CallID    string          `json:"callId,omitempty"`
	Payload   json.RawMessage `json:"payload"`
}

// A span is the earliest and the latest of some times; zero while there is none.
type span struct{ first, last time.Time }

func (s *span) add(t time.Time) {
	if t.IsZero() {
		return
	}
	if s.first.IsZero() || t.Before(s.first) {
		s.first = t
	}
	if t.After(s.last) {
		s.last = t
	}
}

func (s span) ends() (first, last *time.Time) {
	if s.first.IsZero() {
		return nil, nil
	}
	return &s.first, &s.last
}

// count counts a name, of which a file may hold as many as it likes.
func count(m map[string]int64, name string, n int64) {
	if _, ok := m[name]; !ok && len(m) >= 1000 {
		name = "…"
	}
	m[name] += n
}

// sortedKeys are a map's keys, those with the most first.
func sortedKeys(m map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
}

func sortedKinds(m map[Kind]int64) []Kind { return slices.Sorted(maps.Keys(m)) }
