package agent

import (
	"net/http"
	"time"

	"forgetmenot/eventlog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics have their own registry, so that several services in one process do not meet.
type metrics struct {
	registry *prometheus.Registry
	turns    *prometheus.CounterVec
	seconds  prometheus.Histogram
	events   *prometheus.CounterVec
	streams  prometheus.Gauge
	errors   *prometheus.CounterVec
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		turns: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agent_turns_total", Help: "Turns by how they ended: done, refused (the client's mistake), failed, or cancelled. A repeated message counts again.",
		}, []string{"outcome"}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "agent_turn_seconds", Help: "How long turns took, without their wait for an earlier one.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300},
		}),
		events: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agent_events_appended_total", Help: "Events that turns have stored, by their type.",
		}, []string{"type"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{Name: "agent_streams_open", Help: "Event streams that are open."}),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agent_errors_total", Help: "Requests that were answered with an error, by its code.",
		}, []string{"code"}),
	}
	m.registry.MustRegister(m.turns, m.seconds, m.events, m.streams, m.errors,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// refused is the outcome of a message that brought no turn about: the client's mistake.
const refused = "refused"

func (m *metrics) turn(outcome string, took time.Duration) {
	m.turns.WithLabelValues(outcome).Inc()
	if outcome != refused {
		m.seconds.Observe(took.Seconds())
	}
}

func (m *metrics) appended(events []eventlog.StoredEvent) {
	for _, e := range events {
		m.events.WithLabelValues(e.Type).Inc()
	}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}
