// The picture in words: a sentence for each step, and a description for those who do not see it. Plain words, no jargon;
// a law's name never appears.

import type { Outcome } from "../protocol.ts";
import { code, field } from "./json.ts";
import { holds } from "./program.ts";
import { failureWords } from "./draw-answers.ts";
import type { Item, Reading } from "./reading.ts";
import { badIds, pencils, toldIds, type Story } from "./story.ts";
import { plainText, shorten } from "./text.ts";
import { say, type Lang } from "./words.ts";

/** A session's name in a sentence. */
function quote(session: string): string {
  return `“${shorten(session, 24)
    .map((p) => p.text)
    .join("")}”`;
}

/** What one sees at a step. */
export function describeStep(story: Story, step: number, lang: Lang): string {
  const { steps } = story.ce;
  const s = steps[step];
  if (s === undefined) return "";
  const reading = story.readings[step];
  if (reading !== undefined) return describeReading(story, reading, lang);
  const { outcome } = s;
  const failed = outcome.threw !== undefined || outcome.wrong !== undefined || outcome.unreadable !== undefined;
  const log = steps[s.log ?? -1]?.name ?? "";
  switch (s.fn) {
    case "createEventLog":
      if (failed) return failureSentence(s.fn, outcome, lang);
      return say(lang, `A new, empty log: ${s.name}.`, `新的空日志：${s.name}。`);
    case "appendEvent": {
      if (failed) return failureSentence(s.fn, outcome, lang);
      const session = quote(s.event?.sessionId ?? "");
      return say(
        lang,
        `An event of session ${session} is appended to ${log}; ${s.name} is the new log. ${log} must stay as it was.`,
        `向 ${log} 追加会话 ${session} 的一个事件，得到新日志 ${s.name}。${log} 必须保持原样。`,
      );
    }
    case "set":
    case "push": {
      const name = steps[s.target ?? -1]?.name ?? "";
      if (failed) {
        return say(
          lang,
          `The owner of ${name} cannot change it any more: ${failureWords(outcome, lang)}.`,
          `${name} 的主人无法再修改它：${failureWords(outcome, lang)}。`,
        );
      }
      return say(
        lang,
        `Somebody outside changes ${name} (the pencil). No log may change with it.`,
        `外面有人修改了 ${name}（铅笔处）。日志不能跟着变。`,
      );
    }
    case "memory":
      return say(
        lang,
        `The memory in use is measured: ${code(outcome.value)} bytes.`,
        `测量占用的内存：${code(outcome.value)} 字节。`,
      );
    default:
      return s.code;
  }
}

function failureSentence(fn: string, outcome: Outcome, lang: Lang): string {
  if (outcome.wrong === "no answer")
    return say(lang, `${fn} never answered, and was stopped.`, `${fn} 一直没有回答，已被停止。`);
  const joint = outcome.wrong === "missing" ? say(lang, ": ", "：") : " ";
  return fn + joint + failureWords(outcome, lang) + say(lang, ".", "。");
}

function describeReading(story: Story, reading: Reading, lang: Lang): string {
  const { ce } = story;
  const step = ce.steps[reading.step];
  const name = ce.steps[reading.of === "value" ? (step?.target ?? reading.step) : reading.log]?.name ?? "";
  if (reading.failed !== undefined)
    return failureSentence(step?.fn === "look" ? name : (step?.fn ?? ""), reading.failed, lang);
  const faults = reading.items.filter((i) => i.kind !== "own");
  const clauses = faults.slice(0, 3).map((i) => faultSentence(story, reading, i, lang));
  if (faults.length > 3)
    clauses.push(say(lang, `And ${faults.length - 3} more.`, `另外还有 ${faults.length - 3} 处。`));
  if (faults.length === 0 && reading.step === ce.at) {
    const ids = idSentence(story, reading.step, lang);
    if (ids !== "") return ids;
  }
  const opening = openingSentence(story, reading, name, lang);
  return [opening, ...clauses].join(lang === "zh" ? "" : " ");
}

function openingSentence(story: Story, r: Reading, name: string, lang: Lang): string {
  const { ce } = story;
  const n = r.items.filter((i) => i.kind !== "missing").length;
  const faulty = r.items.some((i) => i.kind !== "own");
  if (r.of === "value") {
    if (ce.steps[r.step]?.fn === "value")
      return say(
        lang,
        `${name} holds an event that is not in any log yet.`,
        `${name} 里是一个还不在任何日志里的事件。`,
      );
    return faulty
      ? say(lang, `${name} is no longer what was handed in.`, `${name} 不再是传入时的样子。`)
      : say(lang, `${name} is as it was handed in.`, `${name} 与传入时相同。`);
  }
  if (r.step === ce.at && story.contradiction && story.readings[ce.against] !== undefined) {
    const before = story.readings[ce.against]?.items.filter((i) => i.kind !== "missing").length ?? 0;
    const sameLog = story.readings[ce.against]?.log === r.log;
    const counts = n !== before;
    if (sameLog) {
      return counts
        ? say(
            lang,
            `${name} was read twice and answered differently: first with ${count(r, before, lang)}, then with ${count(r, n, lang)}.`,
            `${name} 被读取了两次，回答却不同：第一次给出${count(r, before, lang)}，第二次给出${count(r, n, lang)}。`,
          )
        : say(lang, `${name} was read twice and answered differently.`, `${name} 被读取了两次，回答却不同。`);
    }
    return say(lang, `The same calls were made twice, and the answers differ.`, `同样的调用进行了两次，回答却不同。`);
  }
  const asked =
    r.session === undefined
      ? say(lang, `${name} is asked for its sessions`, `向 ${name} 询问有哪些会话`)
      : askedFor(r, name, lang);
  return say(
    lang,
    `${asked} and answers with ${count(r, n, lang)}${faulty ? "." : ", as it should."}`,
    `${asked}，得到${count(r, n, lang)}${faulty ? "。" : "，正确。"}`,
  );
}

function askedFor(r: Reading, name: string, lang: Lang): string {
  const session = quote(r.session ?? "");
  return r.of === "messages"
    ? say(lang, `${name} replays session ${session}`, `用 ${name} 重放会话 ${session}`)
    : say(lang, `${name} is asked for session ${session}`, `向 ${name} 询问会话 ${session}`);
}

const nouns = {
  events: { one: "event", many: "events", zh: "个事件" },
  messages: { one: "message", many: "messages", zh: "条消息" },
  sessions: { one: "session", many: "sessions", zh: "个会话" },
  value: { one: "value", many: "values", zh: "个值" },
};

function count(r: Reading, n: number, lang: Lang): string {
  const noun = nouns[r.of];
  if (n === 0) return say(lang, "nothing", "空的结果");
  return say(lang, `${n} ${n === 1 ? noun.one : noun.many}`, ` ${n} ${noun.zh}`);
}

/** One item, as the subject of a sentence. */
function itemName(story: Story, r: Reading, item: Item, lang: Lang): string {
  const line = item.event >= 0 ? say(lang, `line ${item.event + 1}`, `第 ${item.event + 1} 行`) : "";
  if (r.of === "sessions")
    return say(lang, `Session ${quote(String(item.value))}`, `会话 ${quote(String(item.value))}`);
  if (r.of === "messages")
    return line === "" ? say(lang, "A message", "有一条消息") : say(lang, `The message of ${line}`, `${line}的消息`);
  const id = item.kind === "missing" ? toldIds(story, r.step).get(item.event) : field(item.value, "eventId");
  if (id !== undefined && line !== "") return say(lang, `Event ${code(id)} (${line})`, `事件 ${code(id)}（${line}）`);
  if (id !== undefined) return say(lang, `Event ${code(id)}`, `事件 ${code(id)}`);
  return line === "" ? say(lang, "An event", "有一个事件") : say(lang, `The event of ${line}`, `${line}的事件`);
}

function faultSentence(story: Story, r: Reading, item: Item, lang: Lang): string {
  const { steps } = story.ce;
  const log = steps[r.log]?.name ?? "";
  const it = itemName(story, r, item, lang);
  switch (item.kind) {
    case "foreign": {
      const home = steps[item.event];
      if (r.of !== "sessions" && holds(steps, r.log).includes(item.event)) {
        const theirs = quote(home?.event?.sessionId ?? "");
        return say(
          lang,
          `${it} belongs to session ${theirs}, not to ${quote(r.session ?? "")}.`,
          `${it}属于会话 ${theirs}，不属于 ${quote(r.session ?? "")}。`,
        );
      }
      return say(
        lang,
        `${it} was appended to make ${home?.name}; it is not in ${log}.`,
        `${it}是追加后得到 ${home?.name} 的，不在 ${log} 里。`,
      );
    }
    case "twice":
      return say(lang, `${it} comes back more than once.`, `${it}出现了不止一次。`);
    case "unknown":
      return say(lang, `${it} came back that comes from none of the calls.`, `${it}不是任何调用产生的。`);
    case "changed": {
      if (r.of === "value")
        return say(lang, `What changed: ${item.fields.join(", ")}.`, `变了的是：${item.fields.join("、")}。`);
      const what =
        item.fields.length === 0
          ? say(lang, "its value", "它的值")
          : item.fields
              .slice(0, 3)
              .map((f) => plainText(f))
              .join(", ");
      return say(lang, `${it} is not as it should be: ${what}.`, `${it}与应有的不同：${what}。`);
    }
    case "moved":
      return say(lang, `${it} stands in the wrong place.`, `${it}的位置不对。`);
    case "missing":
      return say(lang, `${it} is missing.`, `${it}缺失了。`);
    default:
      return "";
  }
}

function idSentence(story: Story, step: number, lang: Lang): string {
  const bad = badIds(story, step);
  if (bad === undefined) return "";
  const ids = toldIds(story, step);
  const name = (event: number) => code(ids.get(event));
  const session = (event: number) => quote(story.ce.steps[event]?.event?.sessionId ?? "");
  if (bad.before < 0 && !ids.has(bad.event))
    return say(lang, "An event came back without an eventId.", "有一个事件没有 eventId。");
  if (bad.before < 0)
    return say(
      lang,
      `An event has the id ${name(bad.event)}. An id is an integer, at least 1.`,
      `有一个事件的编号是 ${name(bad.event)}。编号必须是不小于 1 的整数。`,
    );
  return say(
    lang,
    `The event of session ${session(bad.event)} came later and has the id ${name(bad.event)}; the one of session ${session(bad.before)} before it already had ${name(bad.before)}. Ids must grow.`,
    `会话 ${session(bad.event)} 的事件更晚，编号却是 ${name(bad.event)}；在它之前，会话 ${session(bad.before)} 的事件已经是 ${name(bad.before)}。编号必须递增。`,
  );
}

/** What there is to be seen, in words; what is happening to it stands in the caption, describeStep. */
export function describePicture(story: Story, step: number, lang: Lang): string {
  const { steps } = story.ce;
  const soFar = steps.slice(0, step + 1);
  const parts: string[] = [];
  const logs = soFar.filter((s) => s.fn === "createEventLog" || s.fn === "appendEvent").length;
  const events = soFar.filter((s) => s.fn === "appendEvent");
  parts.push(
    say(
      lang,
      `Picture of the log: ${events.length} events, ${story.lanes.length} sessions, ${logs} log values.`,
      `日志的图：${events.length} 个事件，${story.lanes.length} 个会话，${logs} 个日志的值。`,
    ),
  );
  for (const lane of story.lanes.slice(0, 8)) {
    const lines = soFar.flatMap((s, i) => (s.fn === "appendEvent" && s.event?.sessionId === lane ? [i + 1] : []));
    const where =
      lines.length === 0
        ? say(lang, "no events", "没有事件")
        : say(lang, `events of lines ${lines.join(", ")}`, `第 ${lines.join("、")} 行的事件`);
    parts.push(say(lang, `Session ${quote(lane)}: ${where}.`, `会话 ${quote(lane)}：${where}。`));
  }
  const changed = steps.flatMap((_, i) => (pencils(story, i, step).length > 0 ? [steps[i]?.name ?? ""] : []));
  if (changed.length > 0)
    parts.push(say(lang, `Changed from outside: ${changed.join(", ")}.`, `被从外部修改：${changed.join("、")}。`));
  return parts.join(lang === "zh" ? "" : " ");
}
