package eventlog

import "unicode/utf8"

// Limits bound what a store takes. Zero means the default.
type Limits struct {
	Payload     int // bytes of one payload; 8 MiB
	BatchEvents int // events of one append; 10,000
	BatchBytes  int // bytes of one append's payloads together; 64 MiB
	ID          int // bytes of a session id, a type or a key; 512
	Title       int // bytes of a title; 4,096
}

// WithDefaults is l with each zero replaced by its default.
func (l Limits) WithDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.Payload, 8<<20)
	def(&l.BatchEvents, 10_000)
	def(&l.BatchBytes, 64<<20)
	def(&l.ID, 512)
	def(&l.Title, 4096)
	return l
}

// CheckSession is what a store asks of a new session before it looks at anything else: nil, or a *StoreError.
func (l Limits) CheckSession(id, title string) error {
	l = l.WithDefaults()
	err := within("session id", len(id), l.ID)
	if err == nil {
		if fault := checkName("sessionId", id, ErrEmptySession, "name the conversation"); fault != nil {
			err = fault
		}
	}
	if err == nil {
		err = within("title", len(title), l.Title)
	}
	if err == nil && !utf8.ValidString(title) {
		err = notUTF8("title", []byte(title))
	}
	if err == nil {
		return nil
	}
	return &StoreError{Op: "create session", Subject: shortened(id), Err: err}
}

// CheckAppend is what a store asks of an append before it looks at anything else: nil, or a *StoreError.
func (l Limits) CheckAppend(sessionID string, events []NewEvent, o AppendOptions) error {
	l = l.WithDefaults()
	if err := l.checkAppend(sessionID, events, o.Key); err != nil {
		return &StoreError{Op: "append", Subject: shortened(sessionID), Err: err}
	}
	return nil
}

func (l Limits) checkAppend(sessionID string, events []NewEvent, key string) error {
	if err := within("session id", len(sessionID), l.ID); err != nil {
		return err
	}
	if err := within("key", len(key), l.ID); err != nil {
		return err
	}
	if !utf8.ValidString(key) {
		return notUTF8("key", []byte(key))
	}
	if len(events) == 0 {
		return ErrEmptyBatch
	}
	if len(events) > l.BatchEvents {
		return &LimitError{What: "batch", Size: len(events), Most: l.BatchEvents, Unit: "events"}
	}
	bytes := 0
	for _, e := range events {
		if err := within("type", len(e.Type), l.ID); err != nil {
			return err
		}
		if err := within("payload", len(e.Payload), l.Payload); err != nil {
			return err
		}
		bytes += len(e.Payload)
	}
	if err := within("batch", bytes, l.BatchBytes); err != nil {
		return err
	}
	for _, e := range events {
		if err := check(sessionID, e.Type, e.Payload); err != nil {
			return err
		}
	}
	return nil
}

func within(what string, size, most int) error {
	if size <= most {
		return nil
	}
	return &LimitError{What: what, Size: size, Most: most, Unit: "bytes"}
}

// shortened keeps an error's text readable, whatever it is about.
func shortened(id string) string {
	const most = 80
	if len(id) <= most {
		return id
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(id[cut]) {
		cut--
	}
	return id[:cut] + "…"
}
