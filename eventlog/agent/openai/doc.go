// Package openai is an [agent.Model] behind any endpoint that speaks OpenAI's chat completions API with streaming: OpenAI's own, or that of a
// program on this machine such as llama.cpp, Ollama or vLLM. It goes through OpenAI's official client.
//
// [New] reads nothing but its [Options], so no environment variable and no file. The key is sent to the server and shown to nobody: where a
// server repeats it in an error, it is struck out.
//
// # What is a whole reply
//
// The reply is streamed, and a finish_reason tells that it is whole. Only then does Next give it; what came of any other is dropped, so that
// nothing partial reaches the log. With the finish_reason there, the [DONE] behind it may be missing. A reply in JSON that is no stream is not
// understood, and an invalid chunk makes the whole stream worthless.
//
// # What may pass and what will not
//
// A failure that may pass is an [agent.BusyError], after which the loop asks again, logs it and waits; the client's own retries are off. Others
// are final, since the same request would fail in the same way. All of them are an [*Error].
//
//	status 408, 429, 5xx                     busy, with the wait that Retry-After demands
//	429 whose code is insufficient_quota     final: the account is empty
//	any other status of 400 and above        final, with what the server says and what to do
//	no connection, or it breaks              busy
//	a certificate that is not trusted        final
//	nothing comes for Options.Stall          busy, ErrStall
//	an error or invalid JSON in the stream   busy, ErrBroken
//	it ends without a finish_reason          busy, ErrBroken
//	an answer that is no event stream        final, ErrBroken: the base URL is that of something else
//	neither text nor calls                   busy, ErrEmpty
//	finish_reason length                     final, ErrCut; so is a reply of more than 4 MiB
//	finish_reason content_filter             final, ErrFiltered
//
// # What it does not do
//
// It sends no system message, no sampling settings and no images, and reads the first choice only. What a model calls its reasoning is not part of
// its reply. It is tested against a local server that does each of the things above, and no test needs a network.
package openai
