package agent

import (
	"embed"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
)

//go:embed page/*.html page/*.css page/*.js page/*.svg
var page embed.FS

// contentPolicy lets the page load its own parts and nothing else, and make no markup out of texts.
const contentPolicy = "default-src 'none'; connect-src 'self'; img-src 'self'; script-src 'self'; style-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// endpoints are for who asked for something else.
const endpoints = "a browser finds a page at /; a program finds /sessions, /sessions/{id}, /sessions/{id}/messages, /sessions/{id}/events, /sessions/{id}/stream, /events, /healthz and /metrics"

// Handler answers these requests. A session id in a path is percent-encoded, "/" too.
//
//	POST /sessions                 {"id","title"}, both optional: makes a session; 201 and the session
//	GET  /sessions                 ?order=activity|creation&limit=N&after=NEXT: {"sessions":[…],"next":…}, next null at the end
//	GET  /sessions/{id}            the session
//	POST /sessions/{id}/messages   {"content":"…"}: runs a turn; 200 and {"messages":[{"eventId","message"}…],"lastEventId"}
//	GET  /sessions/{id}/messages   ?after=N&until=N&limit=N: {"messages":[…],"lastEventId","more"}; with until the session as it was then
//	GET  /sessions/{id}/events     ?after=N&until=N&limit=N: {"events":[…],"lastEventId","more"}
//	GET  /sessions/{id}/stream     ?after=N: the session's events as server-sent events, those that come too
//	GET  /events                   the same for all sessions
//	GET  /healthz                  200 when the store can be read and turns can begin
//	GET  /metrics                  for Prometheus
//	GET  /                         a page for people
//
// An event is {"eventId","sessionId","type","payload","createdAt"}, its payload byte for byte as stored, createdAt in milliseconds since 1970. Lists
// come in pages; lastEventId is the cursor to go on with while more is true. Cursors are exclusive.
//
// A message waits while another turn of its session runs, in the order of arrival, and up to Options.MaxWaiting of them; more are answered with
// 429. Turns of different sessions do not wait for each other. With an Idempotency-Key header (up to 255 printable ASCII characters) a
// repeat of the same body gives the same answer, after a restart too; another body with an old key is 422. The content's bytes count, not what they
// decode to. A client that goes away does not end its turn.
//
// A stream's id is the event's id, and its data is the event. It begins behind the Last-Event-ID header, which counts more than after. Both are only cursors, so a
// client resumes at any service on the store. White space that ends lines in a payload arrives as a line feed, as the format has it; GET …/events
// is exact. Too many open streams are answered with 503.
//
// Browsers cannot ask for sessions with the ids "." and "..": even escaped, they take them for steps in the path. Other clients can.
//
// Errors are {"error":{"code","message","mend"}}; those that may pass have a Retry-After header. Bodies are application/json, uncompressed, and at
// most Options.MaxBody bytes. Requests from pages of other sites, and those for a host that is not in Options.Hosts, are refused.
func (s *Service) Handler() http.Handler { return s.handler }

func (s *Service) routes() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, h func(http.ResponseWriter, *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := h(w, r); err != nil {
				s.refuse(w, r, err)
			}
		})
	}
	handle("POST /sessions", s.createSession)
	handle("GET /sessions", s.listSessions)
	handle("GET /sessions/{id}", s.getSession)
	handle("POST /sessions/{id}/messages", s.postMessage)
	handle("GET /sessions/{id}/messages", s.getMessages)
	handle("GET /sessions/{id}/events", s.getEvents)
	handle("GET /sessions/{id}/stream", s.streamSession)
	handle("GET /events", s.streamAll)
	handle("GET /healthz", s.health)
	mux.Handle("GET /metrics", s.metrics.handler())
	parts, _ := page.ReadDir("page") // which is always there
	for _, part := range parts {
		mux.HandleFunc("GET /"+strings.Replace(part.Name(), "index.html", "{$}", 1), servePage(part.Name()))
	}

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch p := recover(); p {
			case nil:
			case http.ErrAbortHandler:
				panic(p)
			default:
				s.o.Log.ErrorContext(r.Context(), "panic", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				s.refuse(w, r, problemOf(nil))
			}
		}()
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if err := s.o.guard(r); err != nil {
			s.refuse(w, r, err)
			return
		}
		if matched, pattern := mux.Handler(r); pattern == "" {
			s.unmatched(w, r, matched)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// unmatched says in JSON what the mux says in plain text.
func (s *Service) unmatched(w http.ResponseWriter, r *http.Request, mux http.Handler) {
	said := verdict{header: http.Header{}}
	mux.ServeHTTP(&said, r)
	p := problem{status: http.StatusNotFound, code: "not_found", message: "there is nothing at " + r.URL.Path, mend: endpoints}
	if said.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", said.header.Get("Allow"))
		p = problem{status: said.status, code: "bad_method", message: r.Method + " is not for " + r.URL.Path, mend: "use " + said.header.Get("Allow")}
	}
	s.refuse(w, r, p)
}

// A verdict keeps of an answer what it says, without its text.
type verdict struct {
	header http.Header
	status int
}

func (v *verdict) Header() http.Header         { return v.header }
func (v *verdict) WriteHeader(status int)      { v.status = status }
func (v *verdict) Write(b []byte) (int, error) { return len(b), nil }

func servePage(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, page, "page/"+name)
	}
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body) // a client that is gone is nothing to answer to
}
