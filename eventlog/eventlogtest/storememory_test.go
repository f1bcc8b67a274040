package eventlogtest_test

import (
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/eventlogtest"
)

func openMemStore(_ string, o eventlog.StoreOptions) (eventlog.Store, error) {
	return eventlog.NewMemStore(o), nil
}

func TestMemStoreKeepsEveryPromise(t *testing.T) {
	eventlogtest.RunStore(t, openMemStore, eventlogtest.StoreTraits{Volatile: true})
}

func TestAStoreOfSeveralHandlesThatKeepsItsDataKeepsEveryPromise(t *testing.T) {
	eventlogtest.RunStore(t, newShelf().open, eventlogtest.StoreTraits{Shared: true})
}
