import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf, members, pairCalls, parseEvent, parseEvents, pretty, type StoredEvent } from "./read.js";

const event = (eventId: number, type: string, payload: string): StoredEvent => ({ eventId, sessionId: "s", type, payload, createdAt: 0 });

test("a payload is kept as the text that it is", () => {
  const payload = '{"n":12345678901234567890, "f":1.0,"payload":"},\\"payload\\":{[","createdAt":{"createdAt":1}}';
  const one = `{"eventId":7,"sessionId":"a\\"payload\\":","type":"}]","payload":${payload},"createdAt":5}`;
  assert.deepEqual(parseEvent(one), { eventId: 7, sessionId: 'a"payload":', type: "}]", payload, createdAt: 5 });
  const page = `{"events":[${one},${one}],"lastEventId":7,"more":false}`;
  assert.deepEqual(parseEvents(page).map((e) => e.payload), [payload, payload]);
  assert.deepEqual(parseEvents('{"events":[],"lastEventId":0,"more":false}'), []);
});

test("laying out changes white space alone", () => {
  assert.equal(pretty('{"a":1.0,"b":[ ],"c":{"d":"x, {y}: \\" z"},\r\n"e":[1,-2e400]}'), [
    "{",
    '  "a": 1.0,',
    '  "b": [],',
    '  "c": {',
    '    "d": "x, {y}: \\" z"',
    "  },",
    '  "e": [',
    "    1,",
    "    -2e400",
    "  ]",
    "}",
  ].join("\n"));
  assert.equal(pretty("{}"), "{}");
  assert.equal(pretty("12345678901234567890"), "12345678901234567890");
});

test("members are read as the fold reads them", () => {
  const e = event(1, "tool_call", '{"n":12345678901234567890,"__proto__":"p", "content" : {"a": [1]} ,"x":null,"s":"\\u4f60","n2":1.0,"s":"last"}');
  assert.deepEqual(members(e, "n", "__proto__", "content", "x", "n2", "s", "gone", "toString"), [
    "12345678901234567890", "p", '{"a": [1]}', "null", "1.0", "last", "null", "null",
  ]);
  assert.deepEqual(members(event(1, "x", "{}"), "content"), ["null"]);
});

test("a result answers the newest open call with its id", () => {
  const call = (id: number, callId: string) => event(id, "tool_call", JSON.stringify({ callId }));
  const result = (id: number, callId: string) => event(id, "tool_result", JSON.stringify({ callId }));
  const pairs = pairCalls([call(1, "a"), call(2, "a"), result(3, "a"), call(4, "__proto__"), result(5, "a"), result(6, "a"), result(7, "b"), result(8, "__proto__")]);
  assert.deepEqual([...pairs].sort((a, b) => a[0] - b[0]), [[1, 5], [2, 3], [3, 2], [4, 8], [5, 1], [8, 4]]);
});

test("types that only look like one of ours are others", () => {
  assert.deepEqual(["user_message", "User_Message", "constructor", "tool_result "].map(kindOf), ["user", "other", "other", "other"]);
});
