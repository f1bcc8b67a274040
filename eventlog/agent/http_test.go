package agent_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"

	"github.com/stretchr/testify/require"
)

func TestSessions(t *testing.T) {
	r := start(t, eventlog.NewMemStore(), agent.Options{NewID: func() string { return "new/1" }})
	a := r.send("POST", "/sessions", `{"id":"a","title":"The <first>"}`)
	require.Equal(t, 201, a.status)
	require.Equal(t, "/sessions/a", a.header.Get("Location"))
	require.Equal(t, `{"id":"a","title":"The <first>","createdAt":0,"lastEventId":0,"eventCount":0}`+"\n", a.body)
	r.fault(r.send("POST", "/sessions", `{"id":"a"}`), 409, "session_exists")
	a = r.send("POST", "/sessions", "")
	require.Equal(t, 201, a.status)
	require.Equal(t, "/sessions/new%2F1", a.header.Get("Location"))
	require.Equal(t, 200, r.send("GET", a.header.Get("Location"), "").status)
	r.session("c")
	r.say("a", "hello", "")

	type list struct {
		Sessions []struct{ ID string }
		Next     *string
	}
	for order, want := range map[string]string{"activity": "[{a} {c} {new/1}]", "creation": "[{a} {new/1} {c}]"} {
		whole := read[list](t, r.send("GET", "/sessions?order="+order, "").body)
		require.Equal(t, want, fmt.Sprint(whole.Sessions))
		require.Nil(t, whole.Next)
		var paged list
		for next := ""; ; next = "&after=" + *paged.Next {
			page := read[list](t, r.send("GET", "/sessions?limit=1&order="+order+next, "").body)
			require.Len(t, page.Sessions, 1)
			paged.Sessions, paged.Next = append(paged.Sessions, page.Sessions...), page.Next
			if page.Next == nil {
				break
			}
		}
		require.Equal(t, whole.Sessions, paged.Sessions)
	}
	r.fault(r.send("GET", "/sessions?order=size", ""), 400, "bad_order")
	r.fault(r.send("GET", "/sessions?after=1", ""), 400, "bad_after")
	r.fault(r.send("GET", "/sessions?limit=-1", ""), 400, "bad_limit")
}

// Ids that a path could take for something else.
func TestOddIDs(t *testing.T) {
	store := eventlog.NewMemStore()
	r := start(t, store, agent.Options{})
	for _, id := range []string{"a/b", "a//b", "..", "%2F", "a b", "é", "e\u0301", "?x=1#y", "\x00", "messages", "\u2028"} {
		r.session(id)
		// A client takes ".." for a step up unless its dots are escaped.
		a := r.say(strings.ReplaceAll(url.PathEscape(id), ".", "%2E"), "hello", "k")
		require.Equal(t, "hello", a.texts()[0])
		require.Equal(t, talkTurn, types(t, store, id), id)
	}
}

// Payloads and contents are answered byte for byte, and pages of them join without a seam.
func TestExactBytes(t *testing.T) {
	store := eventlog.NewMemStore()
	r := start(t, store, agent.Options{})
	r.session("a")
	payloads := []string{"{ \"content\" :\t1.0 }", "{\r\n\"content\":\"<&>\u2028\\ud800\\u0041\"}", `{"content":{"n":12345678901234567890, "n":1e400}}`}
	for _, p := range payloads {
		_, err := store.Append(t.Context(), "a", []eventlog.NewEvent{{Type: "user_message", Payload: []byte(p)}}, eventlog.AppendOptions{})
		require.NoError(t, err)
	}
	one := func(i int) string {
		return fmt.Sprintf(`{"eventId":%d,"sessionId":"a","type":"user_message","payload":%s,"createdAt":0}`, i, payloads[i-1])
	}
	require.Equal(t, `{"events":[`+one(1)+","+one(2)+","+one(3)+`],"lastEventId":3,"more":false}`+"\n", r.send("GET", "/sessions/a/events", "").body)
	require.Equal(t, `{"events":[`+one(2)+`],"lastEventId":2,"more":true}`+"\n", r.send("GET", "/sessions/a/events?after=1&limit=1", "").body)
	require.Equal(t, `{"events":[],"lastEventId":3,"more":false}`+"\n", r.send("GET", "/sessions/a/events?after=3", "").body)
	require.Equal(t, `{"messages":[{"eventId":1,"message":{"role":"user","content":1.0}},{"eventId":2,"message":{"role":"user","content":"<&>`+"\u2028"+`\ud800\u0041"}}],"lastEventId":2,"more":false}`+"\n",
		r.send("GET", "/sessions/a/messages?until=2", "").body)

	// A message's content is stored as the client wrote it.
	a := r.send("POST", "/sessions/a/messages", "{ \"content\" : \"\\u0041 \\ud800 <\" }")
	require.Equal(t, 200, a.status)
	events := stored(t, store, "a") // the last message that stood there was answered first
	require.Equal(t, `user_message {"content":"\u0041 \ud800 <"}`, events[len(events)-len(talkTurn)+1])
	require.Contains(t, a.body, `"content":"\u0041 \ud800 <"`)
}

// A page of large events ends before its limit.
func TestLargePages(t *testing.T) {
	r := start(t, eventlog.NewMemStore(), agent.Options{MaxBody: 2 << 20})
	r.session("a")
	for range 3 {
		r.say("a", strings.Repeat("x", 1<<20), "")
	}
	seen, after := 0, int64(0)
	for more := true; more; {
		page := read[struct {
			Events      []sent
			LastEventID int64
			More        bool
		}](t, r.send("GET", fmt.Sprintf("/sessions/a/events?after=%d", after), "").body)
		large := 0
		for _, e := range page.Events {
			if len(e.Payload) > 1<<20 {
				large++
			}
		}
		require.LessOrEqual(t, large, 1)
		seen, after, more = seen+len(page.Events), page.LastEventID, page.More
	}
	require.Equal(t, 3*len(talkTurn), seen)
}

func TestBadRequests(t *testing.T) {
	store := eventlog.NewMemStore(eventlog.StoreOptions{Limits: eventlog.Limits{Payload: 100, ID: 300}})
	r := start(t, store, agent.Options{MaxBody: 1000})
	r.session("a")
	for _, tt := range []struct {
		method, path, body string
		header             []string
		status             int
		code               string
	}{
		{"POST", "/sessions/nobody/messages", `{"content":"x"}`, nil, 404, "no_session"},
		{"GET", "/sessions/nobody/messages", "", nil, 404, "no_session"},
		{"GET", "/sessions/nobody/events", "", nil, 404, "no_session"},
		{"GET", "/sessions/nobody", "", nil, 404, "no_session"},
		{"POST", "/sessions", `{"id":""}`, nil, 400, "bad_id"},
		{"POST", "/sessions", `{"id":7}`, nil, 400, "bad_id"},
		{"POST", "/sessions", `{"title":null}`, nil, 400, "bad_title"},
		{"POST", "/sessions", `{"id":"` + strings.Repeat("x", 301) + `"}`, nil, 413, "too_large"},
		{"POST", "/sessions/a/messages", "", nil, 400, "bad_content"},
		{"POST", "/sessions/a/messages", `{"Content":"x"}`, nil, 400, "bad_content"},
		{"POST", "/sessions/a/messages", `{"content":["x"]}`, nil, 400, "bad_content"},
		{"POST", "/sessions/a/messages", `{"content":"x"`, nil, 400, "bad_json"},
		{"POST", "/sessions/a/messages", `null`, nil, 400, "bad_json"},
		{"POST", "/sessions/a/messages", `{"content":"x"} {}`, nil, 400, "bad_json"},
		{"POST", "/sessions/a/messages", strings.Repeat("[", 900), nil, 400, "bad_json"},
		{"POST", "/sessions/a/messages", "{\"content\":\"\xff\"}", nil, 400, "bad_utf8"},
		{"POST", "/sessions/a/messages", `{"content":"x"}`, []string{"Content-Type", "text/plain"}, 415, "bad_type"},
		{"POST", "/sessions/a/messages", `{"content":"x"}`, []string{"Idempotency-Key", "a b"}, 400, "bad_key"},
		{"POST", "/sessions/a/messages", `{"content":"x"}`, []string{"Idempotency-Key", strings.Repeat("x", 256)}, 400, "bad_key"},
		{"POST", "/sessions/a/messages", `{"content":"` + strings.Repeat("x", 1000) + `"}`, nil, 413, "body_too_large"},
		{"POST", "/sessions/a/messages", `{"content":"` + strings.Repeat("x", 100) + `"}`, nil, 413, "too_large"},
		{"GET", "/sessions/a/messages?until=x", "", nil, 400, "bad_until"},
		{"GET", "/sessions/a/events?after=-1", "", nil, 400, "bad_after"},
		{"GET", "/sessions/a/events?limit=99999999999999999999", "", nil, 400, "bad_limit"},
		{"GET", "/nothing", "", nil, 404, "not_found"},
		{"DELETE", "/sessions/a", "", nil, 405, "bad_method"},
	} {
		t.Run(tt.method+" "+tt.path[:min(40, len(tt.path))]+" "+tt.code, func(t *testing.T) {
			a := r.send(tt.method, tt.path, tt.body, tt.header...)
			r.fault(a, tt.status, tt.code)
			if tt.status == 405 {
				require.Contains(t, a.header.Get("Allow"), "GET")
			}
		})
	}
	require.Empty(t, stored(t, store, "a"), "nothing of all that was stored")
	require.Contains(t, r.send("GET", "/metrics", "").body, `agent_errors_total{code="no_session"} 4`)

	require.NoError(t, store.Close())
	r.fault(r.send("GET", "/healthz", ""), 503, "store_closed")
	r.fault(r.send("GET", "/events", ""), 503, "store_closed")
}

// What a page of another site can make a browser send is refused.
func TestCrossSite(t *testing.T) {
	r := start(t, eventlog.NewMemStore(), agent.Options{})
	r.session("a")
	host := strings.TrimPrefix(r.server.URL, "http://")
	for _, tt := range []struct {
		name, method, path string
		header             []string
		status             int
	}{
		{"a program", "GET", "/sessions", nil, 200},
		{"our page", "GET", "/sessions", []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://" + host}, 200},
		{"our page posts", "POST", "/sessions", []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://" + host}, 201},
		{"an address that was typed", "GET", "/", []string{"Sec-Fetch-Site", "none"}, 200},
		{"another page posts", "POST", "/sessions", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another port posts", "POST", "/sessions", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"an old browser's page posts", "POST", "/sessions", []string{"Origin", "http://evil.example"}, 403},
		{"another port, old browser", "POST", "/sessions", []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"a sandboxed page posts", "POST", "/sessions", []string{"Origin", "null"}, 403},
		{"another page reads", "GET", "/sessions", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		{"another page listens", "GET", "/events", []string{"Sec-Fetch-Site", "cross-site", "Origin", "http://evil.example"}, 403},
		{"a link to the page", "GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		{"a link to the data", "GET", "/sessions", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 403},
		{"a frame", "GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		{"a rebound name", "GET", "/sessions", []string{"Host", "evil.example"}, 421},
		{"a rebound name that looks near", "GET", "/sessions", []string{"Host", "127.0.0.1.evil.example"}, 421},
		{"localhost", "GET", "/sessions", []string{"Host", "localhost:1234"}, 200},
		{"loopback of version 6", "GET", "/sessions", []string{"Host", "[::1]:80"}, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := r.send(tt.method, tt.path, "", tt.header...)
			require.Equal(t, tt.status, a.status, a.body)
		})
	}
	named := start(t, eventlog.NewMemStore(), agent.Options{Hosts: []string{"agent.example"}})
	require.Equal(t, 200, named.send("GET", "/healthz", "", "Host", "Agent.example:8080").status)
	named.fault(named.send("GET", "/healthz", "", "Host", "localhost"), 421, "wrong_host")
}

func TestPageAndMetrics(t *testing.T) {
	r := start(t, eventlog.NewMemStore(), agent.Options{})
	r.session("a")
	r.say("a", "orders", "")
	// The page, and whatever its parts name: all of it is here, and nothing of it is elsewhere.
	kinds := map[string]string{"": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
	named := regexp.MustCompile(`(?:href|src|from)[= ]"(?:\./)?([\w.]+)"`)
	parts := map[string]bool{"": true}
	for todo := []string{""}; len(todo) > 0; {
		part := todo[0]
		a := r.send("GET", "/"+part, "")
		require.Equal(t, 200, a.status, part)
		require.Contains(t, a.header.Get("Content-Type"), kinds[path.Ext(part)])
		require.Contains(t, a.header.Get("Content-Security-Policy"), "default-src 'none';")
		require.Contains(t, a.header.Get("Content-Security-Policy"), "require-trusted-types-for 'script'")
		require.Equal(t, "nosniff", a.header.Get("X-Content-Type-Options"))
		require.NotRegexp(t, `<script>|style="|<style|https?://(?:[^w]|w[^w])`, a.body, part)
		todo = todo[1:]
		for _, m := range named.FindAllStringSubmatch(a.body, -1) {
			if !parts[m[1]] {
				parts[m[1]] = true
				todo = append(todo, m[1])
			}
		}
	}
	require.Len(t, parts, 14)
	r.fault(r.send("GET", "/log.test.ts", ""), 404, "not_found")
	require.Equal(t, "{\"status\":\"ok\"}\n", r.send("GET", "/healthz", "").body)
	metrics := r.send("GET", "/metrics", "").body
	for _, line := range []string{`agent_turns_total{outcome="done"} 1`, `agent_turn_seconds_count 1`, `agent_events_appended_total{type="tool_call"} 1`, "agent_streams_open 0"} {
		require.Contains(t, metrics, line)
	}
	head, err := http.Head(r.server.URL + "/events")
	require.NoError(t, err)
	_, err = io.ReadAll(head.Body)
	require.NoError(t, err)
}
