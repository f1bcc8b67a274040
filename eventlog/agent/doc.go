// Package agent is a small agent over any [eventlog.Store], as a loop and as a service: it shows what the log is for.
//
// A person's message begins a turn. The model is shown the session and either answers, which ends the turn, or asks for tools, whose results
// it is shown next. Each of these facts is an event, and each is stored before anything is done because of it: the message before the model
// sees it, the call before its tool runs, the answer before anybody reads it. So an agent that is killed at any moment has promised nothing
// that is not in the log, and the next one, on the same store, goes on where the events end.
//
// [NewLoop] makes a [Loop], for a program that has its own way of talking to people. [New] makes a [Service]; its Handler speaks HTTP (see
// [Service.Handler] for every endpoint), [Serve] listens for it. Without further options the model is [Scripted], which is deterministic and needs
// no network, and the tool is [OrderCount]. The package openai, in the folder below, is the way to a real model.
//
// # Checkpoints
//
// The loop collects events and makes them durable at four moments, each before an effect (see [Policy]). When that fails the effect does not
// happen. What is in the log is therefore never less than what has happened:
//
//	turn_start user_message                              the message is taken in
//	step_start model_request                             checkpoint, then the model is asked
//	tool_call tool_start                                 checkpoint, then the tool is called
//	tool_result step_end step_start model_request        checkpoint, then the model is asked again
//	assistant_message step_end turn_end                  stored, then the answer leaves
//
// A model that is busy is asked again, after model_retry, a checkpoint and a wait.
//
// # What it is not
//
// It is not a framework for agents: there are no plans and no context limits here, and one session runs one turn at a time. It is not an
// authenticated service either: whoever reaches it may read every session. It listens on loopback unless told otherwise, and refuses what other web sites make a browser send. The store is not its own: who gave it closes it, after [Service.Shutdown].
//
// # Idempotency
//
// A client that lost its connection sends the same message again with the same Idempotency-Key, and gets the same answer, from the log,
// whatever became of the first request: refused, cut off in the middle, or done. The key is the append's key of the message. The later events of
// a turn have keys made of the event that they follow, so that two services on one store cannot both add the same step.
package agent
