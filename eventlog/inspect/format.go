package inspect

import (
	"forgetmenot/eventlog"
)

// A format is how one tool writes its sessions.
type format interface {
	// name is short, and does not change.
	name() string

	// recognise tells how surely a record is of this format. A file is of the format that is the surest of one of its first records.
	recognise(h *head) confidence

	// policy says what the format's own tool does with what is bad.
	policy() string

	// read reads the records and gives out, in their order, the events of the file's sessions. The error is that of emit, r.refuse or r.finish.
	read(r *reader, emit func(*Event) error) (tail, error)
}

// A tail is what a repair writes behind the records.
type tail struct {
	close   func(sessionID string, open eventlog.Recovery) []byte // the lines that end, in the format's own way, what is open in a session; nil when there is none
	end     func() []byte                                         // the last lines; nil for none
	whyOpen string                                                // why there is no close
	open    bool                                                  // the last line that is kept has no line end
}

// append is what a repair writes behind the lines that it keeps; unended when the last of them is to get its line end. It is asked for once.
func (t *tail) append(recoveries []sessionRecovery, unended bool) []byte {
	var b []byte
	for _, r := range recoveries {
		if t.close != nil {
			b = append(b, t.close(r.session, r.recovery)...)
		}
	}
	if t.end != nil {
		b = append(b, t.end()...)
	}
	if t.open && (unended || len(b) > 0) {
		b = append([]byte{'\n'}, b...)
	}
	return b
}

// A confidence is how surely a record is of a format.
type confidence int

const (
	no confidence = iota
	possibly
	surely // as a header does
)

// formats are those that are known. A function, since there is no state in this package.
func formats() []format {
	return []format{exportFormat{}, sessionFormat{}, codex{}, claude{}, gemini{}, pi{}, deepseek{}}
}

// A head is one of the first records of a file, with the members by which formats are told apart.
type head struct{ scanner }

const (
	headFormat = iota
	headType
	headID
	headTimestamp
	headPayload
	headUUID
	headParentUUID
	headSessionID
	headProjectHash
	headParentID
	headCreatedAt
	headVersion
	headCwd
	headSeq
	headSeq0
	headTime
	headData
	headContent
	headMessage
	headLeafUUID
	headMessageID
	headSnapshot
	headSlots
)

func headMembers() []member {
	return wanted("format", "type", "id", "timestamp", "payload", "uuid", "parentUuid", "sessionId", "projectHash", "parentId", "createdAt", "version", "cwd",
		"seq", "seq0", "time", "data", "content", "message", "leafUuid", "messageId", "snapshot")
}

// has tells whether all these members are there.
func (h *head) has(slots ...int) bool {
	for _, s := range slots {
		if h.slots[s] == nil {
			return false
		}
	}
	return true
}

// isText tells whether these members are strings.
func (h *head) isText(slots ...int) bool {
	for _, s := range slots {
		if kind(h.slots[s]) != '"' {
			return false
		}
	}
	return true
}

// A file is told by its first records.
const headRecords = 64

// recognise finds the format of a file; nil for none.
func recognise(s Source) (format, error) {
	t, err := s.text()
	if err != nil {
		return nil, &Error{Op: "open", File: s.Name, Mend: "look after the file", Err: err}
	}
	defer t.close()
	var best format
	most := no
	h := &head{}
	want := headMembers()
	l := newLines(t.plain, MaxLine)
	for records := 0; records < headRecords && most < surely; {
		n, ok := l.next()
		if !ok {
			break
		}
		if blank(n.text) && !n.long {
			continue
		}
		records++
		if n.long || !h.scan(n.text, want, headSlots) {
			continue
		}
		for _, f := range formats() {
			if c := f.recognise(h); c > most {
				best, most = f, c
			}
		}
	}
	if err := t.from.err; err != nil {
		return nil, &Error{Op: "read", File: s.Name, Mend: "look after the file", Err: err}
	}
	return best, nil
}

// names gives each type of record a name, made once.
type names struct {
	prefix string
	made   map[string]string
	known  map[string]bool
}

func namesOf(prefix string, known ...string) *names {
	n := &names{prefix: prefix + "/", made: map[string]string{}, known: map[string]bool{}}
	for _, k := range known {
		n.known[k] = true
	}
	return n
}

// of is the name of a type, and whether it is unknown. The value is the JSON string of the record.
func (n *names) of(value []byte) (name string, unknown bool) {
	name, ok := n.made[string(value)]
	if !ok {
		plain, isText := textOf(value)
		if !isText || plain == "" {
			plain = "?"
		}
		name = n.prefix + plain
		if len(name) > 100 || len(n.made) >= 1000 {
			name = n.prefix + "?" // whoever writes so many types does not need them told apart
		} else {
			n.made[string(value)] = name
		}
	}
	return name, !n.known[name[len(n.prefix):]]
}

// idOf is a text as an id of a session: never empty, and no longer than a store takes.
func idOf(value []byte, otherwise string) string {
	id, ok := textOf(value)
	if !ok || id == "" || len(id) > 512 {
		return otherwise
	}
	return id
}
