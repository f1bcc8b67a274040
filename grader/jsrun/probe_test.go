package jsrun

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"forgetmenot/eventlog/eventlogtest"
	"forgetmenot/grader/property"
)

func TestProbe(t *testing.T) {
	ctx := context.Background()
	e, err := NewEngine(ctx, Limits{}, CacheDir())
	if err != nil {
		t.Fatal(err)
	}
	src, _ := os.ReadFile("/tmp/arr.js")
	s, err := e.Load(ctx, string(src), eventlogtest.Functions())
	if err != nil {
		t.Fatal(err)
	}
	c := property.NewChecker(property.Options{})
	var raw, dec, chk, reset time.Duration
	bytes, pbytes := 0, 0
	for k := 0; k < 5; k++ {
		raw, dec, chk, reset = 0, 0, 0, 0
		bytes, pbytes = 0, 0
		for _, p := range eventlogtest.Properties() {
			if p.ID == "scale" {
				continue
			}
			t0 := time.Now()
			r, err := s.Open(ctx, 0)
			if err != nil {
				t.Fatal(err)
			}
			reset += time.Since(t0)
			for i := range 100 {
				pr := c.Program(p, i)
				rr := r.(*openRealm).realm
				rr.fuel = rr.limits.Fuel
				t0 = time.Now()
				text, err := rr.runText(ctx, pr.Encode())
				if err != nil {
					t.Fatal(err)
				}
				raw += time.Since(t0)
				bytes += len(text)
				pbytes += len(pr.Encode())
				t0 = time.Now()
				tr, err := property.DecodeTranscript(pr, []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				dec += time.Since(t0)
				t0 = time.Now()
				p.Check(pr, tr)
				chk += time.Since(t0)
			}
			r.Close()
		}
		fmt.Println("raw", raw, "decode", dec, "check", chk, "open", reset, bytes, pbytes)
	}
}

func TestProbe2(t *testing.T) {
	ctx := context.Background()
	e, _ := NewEngine(ctx, Limits{}, CacheDir())
	src, _ := os.ReadFile("/tmp/arr.js")
	s, err := e.Load(ctx, string(src), eventlogtest.Functions())
	if err != nil {
		t.Fatal(err)
	}
	r, _ := s.Open(ctx, 0)
	rr := r.(*openRealm).realm
	try := func(name string, f func(p *property.Program)) {
		p := &property.Program{}
		f(p)
		best := time.Hour
		for range 5 {
			t0 := time.Now()
			for range 20 {
				rr.fuel = 1e9
				rr.runText(ctx, p.Encode())
			}
			if d := time.Since(t0) / 20; d < best {
				best = d
			}
		}
		fmt.Println(name, len(p.Calls), best/time.Duration(len(p.Calls)))
	}
	ev := property.MustParse(`{"sessionId":"red","type":"user_message","payload":{"content":"m1"}}`)
	try("create", func(p *property.Program) {
		for range 200 {
			p.Add("createEventLog", property.Opaque)
		}
	})
	try("look", func(p *property.Program) {
		for range 200 {
			p.Add("value", property.Plain, property.Lit(property.Num(1)))
		}
	})
	try("value none", func(p *property.Program) {
		for range 200 {
			p.Add("value", property.Nothing, property.Lit(ev))
		}
	})
	try("value event plain", func(p *property.Program) {
		for range 200 {
			p.Add("value", property.Plain, property.Lit(ev))
		}
	})
	try("value event answer", func(p *property.Program) {
		for range 200 {
			p.Add("value", property.Answer, property.Lit(ev))
		}
	})
	try("append to empty", func(p *property.Program) {
		l := p.Add("createEventLog", property.Opaque)
		for range 200 {
			p.Add("appendEvent", property.Opaque, property.Ref(l), property.Lit(ev))
		}
	})
	try("list empty", func(p *property.Program) {
		l := p.Add("createEventLog", property.Opaque)
		for range 200 {
			p.Add("listSessions", property.Answer, property.Ref(l))
		}
	})
	try("get empty", func(p *property.Program) {
		l := p.Add("createEventLog", property.Opaque)
		for range 200 {
			p.Add("getEventsForSession", property.Answer, property.Ref(l), property.Str("red"))
		}
	})
	try("get 1", func(p *property.Program) {
		l := p.Add("createEventLog", property.Opaque)
		l = p.Add("appendEvent", property.Opaque, property.Ref(l), property.Lit(ev))
		for range 200 {
			p.Add("getEventsForSession", property.Answer, property.Ref(l), property.Str("red"))
		}
	})
	try("replay 1", func(p *property.Program) {
		l := p.Add("createEventLog", property.Opaque)
		l = p.Add("appendEvent", property.Opaque, property.Ref(l), property.Lit(ev))
		for range 200 {
			p.Add("replaySession", property.Answer, property.Ref(l), property.Str("red"))
		}
	})
}
