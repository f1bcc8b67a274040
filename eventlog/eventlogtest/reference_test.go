package eventlogtest_test

import (
	"testing"

	"forgetmenot/eventlog/eventlogtest"
)

func TestTheReferenceKeepsEveryProperty(t *testing.T) {
	eventlogtest.Run(t, eventlogtest.Reference)
}
