package jsonlstore_test

import (
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/eventlogtest"
	"forgetmenot/eventlog/jsonlstore"
)

// The store is held to the whole contract: with both settings, plain and packed, alone and with several handles on one folder.
func TestStore(t *testing.T) {
	for _, tt := range []struct {
		name  string
		o     jsonlstore.Options
		cases int // long programs begin with the 51st
	}{
		{"plain", jsonlstore.Options{Synchronous: jsonlstore.Normal}, 60},
		{"packed", jsonlstore.Options{Synchronous: jsonlstore.Normal, Compress: true}, 60},
		{"full", jsonlstore.Options{}, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if jsonlstore.RaceDetector {
				if tt.o.Synchronous == jsonlstore.Full {
					t.Skip("the same code as with Normal")
				}
				tt.cases = 5
			}
			eventlogtest.RunStore(t, func(folder string, o eventlog.StoreOptions) (eventlog.Store, error) {
				own := tt.o
				own.StoreOptions = o
				return jsonlstore.Open(t.Context(), folder, own)
			}, eventlogtest.StoreTraits{Shared: true, Cases: tt.cases})
		})
	}
}
