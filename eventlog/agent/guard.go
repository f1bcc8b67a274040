package agent

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// guard refuses what the pages of other sites make a browser send: a service on loopback is reached by every page that its user opens. A request
// that no browser sent has none of these headers, and passes.
func (o Options) guard(r *http.Request) error {
	if !o.mayBeCalled(r.Host) {
		return problem{
			status: http.StatusMisdirectedRequest, code: "wrong_host", message: fmt.Sprintf("this service is not called %q", r.Host),
			mend: "call it by its own address, or start it with this name among its hosts",
		}
	}
	crossSite := problem{status: http.StatusForbidden, code: "cross_site", message: "another web site sent this request", mend: "use the service's own page, or a program"}
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "same-origin", "none":
	default:
		// A link to the page is what links are for. It changes nothing, and the other site does not see it.
		if r.Method != http.MethodGet || r.URL.Path != "/" || r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document" {
			return crossSite
		}
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return crossSite
		}
	}
	return nil
}

func (o Options) mayBeCalled(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(strings.TrimSuffix(name, "."), "[]"))
	if len(o.Hosts) > 0 {
		return slices.ContainsFunc(o.Hosts, func(h string) bool { return h == "*" || strings.EqualFold(strings.Trim(h, "[]"), name) })
	}
	return isLoopback(name)
}

func isLoopback(name string) bool {
	if name == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Unmap().IsLoopback()
}
