package grader

import "forgetmenot/grader/property"

// Stopped is the result of a property whose sandbox was ended from outside while it was in a call: the same result that the check loop gives for
// a realm that ends itself. The program is nil when it is not known what ran; crashed tells a sandbox that fell over from one that was
// ended by the clock.
func Stopped(prop *property.Property, program *property.Program, call int, crashed bool) Result {
	found := property.Result{Property: prop, Verdict: property.Timeout, Message: property.Words{
		En: "Your code did not come to an end and was stopped. Look for a loop whose condition never becomes false.",
		Zh: "你的代码一直没有结束，已被停止。检查循环条件是否永远不会变为 false。",
	}}
	if program != nil && call >= 0 && call < len(program.Calls) {
		cut := &property.Program{Calls: program.Calls[: call+1 : call+1]}
		found = property.Ended(prop, cut, &property.Stop{Kind: property.StopClock, Call: call})
	}
	if crashed {
		found.Verdict = property.Crash
		found.Message = property.Words{
			En: "The sandbox came down while this was checked, twice. Look for work or memory that grows without bound.",
			Zh: "检查这一条时沙箱两次崩溃。请查看是否有无限增长的计算或内存。",
		}
		if ce := found.Counterexample; ce != nil {
			ce.Why.Message = found.Message
		}
	}
	return resultOf(found)
}
