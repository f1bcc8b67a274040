// A pretended grader, to work on the page's looks without the real one. It runs nothing: a comment in the source chooses
// what it says ("// fail: immutability", "// hang", "= ;"). Never part of the built page.
import type { Counterexample, FromWorker, GradeResult, PropertyInfo, PropertyResult, ToWorker } from "../../src/protocol.ts";

const info = (id: string, tier: PropertyInfo["tier"], title: [string, string], law: [string, string]): PropertyInfo => ({
  id,
  tier,
  title: { en: title[0], zh: title[1] },
  law: { en: law[0], zh: law[1] },
});

const properties: PropertyInfo[] = [
  info("contract", "required", ["The five functions answer with the right kind of value", "五个函数返回正确类型的值"], [
    "The five functions exist and answer with the right kind of value, for an empty log and an unknown session too.",
    "五个函数都存在，并返回正确类型的值，空日志和未知会话也不例外。",
  ]),
  info("append", "required", ["Appending adds one event and keeps all the others", "追加一个事件，其余事件保持不变"], [
    "The new log holds every earlier event of every session unchanged, its id too, and then the new one with its sessionId, type and payload as given, whatever the type.",
    "新日志原样保留每个会话之前的所有事件（包括编号），然后是新事件，其 sessionId、type 和 payload 与传入时一致，不论类型是什么。",
  ]),
  info("immutability", "required", ["An older log value stays as it was", "旧的日志值保持原样"], [
    "A log value answers every question the same, however many events are appended to it or to its descendants, in one line or in forks.",
    "无论向某个日志值或它的后代追加多少事件，无论是一条线还是分叉，它对每个问题的回答都不变。",
  ]),
  info("isolation", "required", ["Sessions never mix", "会话之间互不混淆"], [
    "A session's events and messages are exactly its own, also for ids that are easily confused.",
    "一个会话的事件和消息恰好是它自己的，即使会话编号很容易混淆。",
  ]),
  info("monotonic-ids", "required", ["Event ids grow over the whole log", "事件编号在整个日志中递增"], [
    "Ids are integers, at least 1, strictly increasing in append order over all sessions. Gaps are allowed.",
    "编号是不小于 1 的整数，按追加顺序在所有会话中严格递增，允许有空缺。",
  ]),
  info("sessions", "required", ["Sessions are listed once, in order of appearance", "每个会话列出一次，按首次出现的顺序"], [
    "Each session is listed once, in the order of its first event, ids that look like integers included.",
    "每个会话只列出一次，按第一个事件出现的顺序排列，看起来像整数的编号也不例外。",
  ]),
  info("replay", "required", ["Replay folds events into messages, one for one", "重放把事件逐一折叠成消息"], [
    "Replaying a session gives exactly the messages that the fold of its events makes, in order, with exactly their keys.",
    "重放一个会话，得到的正是它的事件按顺序折叠出的消息，键也完全一致。",
  ]),
  info("independence", "required", ["Logs do not influence each other", "日志之间互不影响"], [
    "Logs from two createEventLog() calls, and two logs grown from one ancestor, never influence each other.",
    "两次 createEventLog() 得到的日志，以及从同一个祖先分出的两个日志，互不影响。",
  ]),
  info("purity", "required", ["The same calls give the same answers", "同样的调用得到同样的回答"], [
    "The same calls give the same answers again, ids included, and arguments come back as they were given.",
    "同样的调用再次得到同样的回答（包括编号），传入的参数保持原样。",
  ]),
  info("tamper-proof", "mastery", ["Nobody changes history from outside", "没有人能从外部改变历史"], [
    "History does not change when somebody changes the event that was handed in, or anything that a function answered with; and the event handed in is not frozen.",
    "即使有人修改传入的事件，或修改函数返回的任何值，历史都不会改变；传入的事件也没有被冻结。",
  ]),
  info("hostile-names", "mastery", ["Names like __proto__ are names like any other", "__proto__ 之类的名字与其他名字无异"], [
    "__proto__, constructor, toString and their kind are session ids, types, call ids and payload keys like any other.",
    "__proto__、constructor、toString 之类的名字，作为会话编号、类型、调用编号和 payload 的键，与其他名字无异。",
  ]),
  info("scale", "mastery", ["Keeping every version is cheap", "保留每个版本的代价很小"], [
    "Keeping every version of a long log costs memory in proportion to its events, not to their square.",
    "保留一个长日志的每个版本，占用的内存与事件数成正比，而不是与其平方成正比。",
  ]),
];

const event = { sessionId: "a", type: "user_message", payload: { content: "" } };
const counterexample: Counterexample = {
  steps: [
    { code: "const log0 = createEventLog();", fn: "createEventLog", name: "log0", outcome: {} },
    {
      code: 'const log1 = appendEvent(log0, { sessionId: "a", type: "user_message", payload: { content: "" } });',
      fn: "appendEvent",
      name: "log1",
      log: 0,
      event,
      outcome: {},
    },
    {
      code: 'const log2 = appendEvent(log1, { sessionId: "b", type: "tool_call", payload: {} });',
      fn: "appendEvent",
      name: "log2",
      log: 1,
      event: { sessionId: "b", type: "tool_call", payload: {} },
      outcome: {},
    },
    { code: 'getEventsForSession(log2, "b");', fn: "getEventsForSession", name: "", log: 2, session: "b", outcome: { value: [{ eventId: 2, sessionId: "b", type: "tool_call", payload: {} }] } },
    { code: "listSessions(log0);", fn: "listSessions", name: "", log: 0, outcome: { value: ["a", "b"] } },
  ],
  lines: [],
  test: "// paste below your functions\n",
  at: 4,
  against: -1,
  expected: [],
  actual: { value: ["a", "b"] },
  console: ["appending a", "appending b"],
  dropped: 0,
};

const send = (message: FromWorker): void => postMessage(message);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "start") return send({ kind: "ready", version: "pretended", properties });
  const { run, source, only, seed, cases } = data;
  if (source.includes("// hang")) for (;;);
  const failing = /\/\/ (?:fail|killed-by): ([\w -]*?)(?: calls|$)/m.exec(source)?.[1]?.split(" ") ?? (source.includes("TODO") ? ["contract", "append", "scale"] : []);
  const results: PropertyResult[] = [];
  for (const p of properties) {
    if (source.includes("= ;")) break;
    if (only && !only.includes(p.id)) continue;
    send({ kind: "began", run, property: p.id });
    await sleep(source.includes("// slow") ? 400 : 30);
    const fails = failing.includes(p.id);
    const result: PropertyResult = {
      ...p,
      verdict: fails ? "fail" : "pass",
      cases: 100,
      durationMs: 30,
      message: fails
        ? { en: "The log value log0 was empty, and after two appends to its descendants it answers with two sessions.", zh: "日志值 log0 原来是空的；向它的后代追加两次之后，它回答出了两个会话。" }
        : { en: "", zh: "" },
      ...(fails && { counterexample }),
    };
    results.push(result);
    send({ kind: "result", run, result });
  }
  const score = (tier: string) => {
    const of = results.filter((r) => r.tier === tier);
    return { earned: of.filter((r) => r.verdict === "pass").length, possible: of.length };
  };
  const result: GradeResult = {
    verdict: score("required").earned === score("required").possible ? "pass" : "fail",
    score: score("required"),
    mastery: score("mastery"),
    cases,
    seed,
    properties: results,
    report: "{}",
  };
  if (source.includes("= ;")) {
    result.verdict = "error";
    result.fault = { fault: "submission", kind: "syntax", line: 4, column: 16, message: { en: "There is a bracket too many here.", zh: "这里多了一个括号。" } };
  }
  send({ kind: "done", run, result });
};
