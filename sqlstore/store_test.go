package sqlstore_test

import (
	"path/filepath"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/eventlogtest"
	"forgetmenot/sqlstore"
)

// The store is held to the whole contract: with both settings, alone and with several handles on one file.
func TestStore(t *testing.T) {
	for _, tt := range []struct {
		name        string
		synchronous sqlstore.Synchronous
		cases       int // long programs begin with the 51st
	}{
		{"full", sqlstore.Full, 20},
		{"normal", sqlstore.Normal, 60},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if raceDetector {
				if tt.synchronous == sqlstore.Full {
					t.Skip("the same code as with Normal")
				}
				tt.cases = 3
			}
			eventlogtest.RunStore(t, func(folder string, o eventlog.StoreOptions) (eventlog.Store, error) {
				return sqlstore.Open(t.Context(), filepath.Join(folder, "log.db"), sqlstore.Options{StoreOptions: o, Synchronous: tt.synchronous})
			}, eventlogtest.StoreTraits{Shared: true, Cases: tt.cases})
		})
	}
}
