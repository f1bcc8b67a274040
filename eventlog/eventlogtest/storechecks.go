package eventlogtest

import "slices"

// StoreChecks is what every store promises, one row for each promise of eventlog.Store.
func StoreChecks() []StoreCheck {
	return slices.Concat(sessionChecks, appendChecks, readChecks, valueChecks, contextChecks, writerChecks, handleChecks, watchChecks, closingChecks, modelChecks)
}
