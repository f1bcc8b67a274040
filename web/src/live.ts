// The lesson's live example: append events to two sessions of a log that obeys the rules, keep hold of every version, and
// ask any of them again. It draws the same picture as a counterexample, from the calls that the person made.

import { el } from "./picture/dom.ts";
import { code } from "./picture/json.ts";
import { picture } from "./picture/index.ts";
import { say, type Lang } from "./picture/words.ts";
import { Sitting, type EventLogFunctions } from "./picture/sitting.ts";
import type { Json } from "./protocol.ts";

export type { EventLogFunctions };

const sessions = ["ada", "bob"];
const most = 12;

const kinds = [
  {
    type: "user_message",
    en: "user message",
    zh: "用户消息",
    content: { en: "How warm is it in Oslo?", zh: "奥斯陆多少度？" },
  },
  {
    type: "assistant_message",
    en: "assistant message",
    zh: "助手消息",
    content: { en: "It is 4 degrees.", zh: "4 度。" },
  },
  { type: "tool_call", en: "tool call", zh: "工具调用", content: { en: "Oslo", zh: "奥斯陆" } },
  { type: "tool_result", en: "tool result", zh: "工具结果", content: { en: "4 degrees", zh: "4 度" } },
] as const;

/** A list with an item a line. */
function listing(answer: Json): string {
  if (!Array.isArray(answer) || answer.length < 2 || answer.every((v) => typeof v === "string")) return code(answer);
  return `[\n${answer.map((v) => `  ${code(v)},`).join("\n")}\n]`;
}

export function mountLive(target: HTMLElement, lang: Lang, log: EventLogFunctions): void {
  let sitting: Sitting;
  let session = "ada";
  const stage = el("div", { class: "live-picture" });
  const versions = el("div", {
    class: "live-versions",
    role: "group",
    "aria-label": say(lang, "the version you hold", "你手里的版本"),
  });
  const answers = el("div", { class: "live-answers" });
  const status = el("p", { class: "live-status", role: "status" });
  const content = el("input", {
    type: "text",
    class: "live-content",
    maxlength: 200,
    autocomplete: "off",
    placeholder: say(lang, "content (or leave it to us)", "内容（也可以留空）"),
    "aria-label": say(lang, "content of the event", "事件的内容"),
  });

  const begin = () => {
    sitting = new Sitting(log, sessions);
    sitting.append("ada", "user_message", say(lang, "Hi", "你好"));
    sitting.append("bob", "user_message", say(lang, "Hello", "您好"));
  };
  const draw = () => {
    const ce = sitting.program(session);
    const drawn = picture(ce, lang);
    drawn.show(ce.steps.length - 1);
    const box = stage.querySelector(".picture-box");
    const scrolled =
      box === null || box.scrollLeft + box.clientWidth >= box.scrollWidth - 8 ? Infinity : box.scrollLeft;
    stage.replaceChildren(drawn.element);
    const next = stage.querySelector(".picture-box");
    if (next !== null) next.scrollLeft = Math.min(scrolled, next.scrollWidth);
    drawVersions();
    drawAnswers();
  };
  const drawVersions = () => {
    const focused = versions.contains(document.activeElement);
    versions.replaceChildren(
      ...sitting.versions.map((v, i) => {
        const button = el(
          "button",
          { type: "button", class: "live-version", "aria-pressed": i === sitting.held ? "true" : "false" },
          v.name,
        );
        button.addEventListener("click", () => {
          sitting.held = i;
          draw();
          said(holdingWords());
        });
        return button;
      }),
    );
    if (focused) (versions.children[sitting.held] as HTMLElement | undefined)?.focus();
  };
  const drawAnswers = () => {
    const { value, name } = sitting.holding;
    const call = (text: string, answer: unknown) =>
      el(
        "div",
        { class: "live-answer" },
        el("code", { class: "live-call" }, text),
        el("code", { class: "live-value" }, listing(answer as Json)),
      );
    answers.replaceChildren(
      call(`listSessions(${name})`, log.listSessions(value)),
      call(`getEventsForSession(${name}, ${code(session)})`, log.getEventsForSession(value, session)),
      call(`replaySession(${name}, ${code(session)})`, log.replaySession(value, session)),
    );
  };
  const said = (words: string) => {
    const changed = sitting.versions.filter((v) => sitting.answersOf(v.value) !== v.answers).map((v) => v.name);
    const all = sitting.versions.length;
    const check =
      changed.length === 0
        ? say(
            lang,
            `✓ All ${all} versions were asked again: each answers as it did when it was new.`,
            `✓ 又问了一遍全部 ${all} 个版本：每个的回答都和刚产生时一样。`,
          )
        : say(lang, `≠ These versions have changed: ${changed.join(", ")}.`, `≠ 这些版本变了：${changed.join("、")}。`);
    status.replaceChildren(el("span", {}, words), " ", el("span", { class: "live-check" }, check));
  };
  const holdingWords = () => {
    const newest = sitting.held === sitting.versions.length - 1;
    const { name } = sitting.holding;
    return newest
      ? say(lang, `You hold ${name}, the newest version.`, `你手里是最新的版本 ${name}。`)
      : say(
          lang,
          `You hold ${name}, an older version. Append to it, and you get a fork.`,
          `你手里是旧版本 ${name}。向它追加，就会得到一个分叉。`,
        );
  };
  const append = (kind: (typeof kinds)[number]) => {
    if (sitting.versions.length > most) {
      said(say(lang, "That is enough for one picture. Start over for more.", "一张图放不下更多了，请重新开始。"));
      return;
    }
    const fork = sitting.versions.some((v) => v.parent === sitting.held);
    const from = sitting.holding.name;
    sitting.append(session, kind.type, content.value || kind.content[lang]);
    content.value = "";
    draw();
    const { name } = sitting.holding;
    said(
      fork
        ? say(
            lang,
            `${name} is a fork: it grew from ${from}, beside the versions that were there.`,
            `${name} 是一个分叉：它从 ${from} 长出来，与已有的版本并存。`,
          )
        : say(lang, `${from} and one more event make ${name}.`, `${from} 再加一个事件，就是 ${name}。`),
    );
  };

  const again = el("button", { type: "button", class: "live-again" }, say(lang, "start over", "重新开始"));
  again.addEventListener("click", () => {
    begin();
    draw();
    said(holdingWords());
  });
  const buttons = kinds.map((kind) => {
    const button = el("button", { type: "button", class: "live-append" }, `+ ${kind[lang]}`);
    button.addEventListener("click", () => append(kind));
    return button;
  });
  content.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) append(kinds[0]);
  });
  target.replaceChildren(
    el(
      "section",
      { class: "live", lang, "aria-label": say(lang, "a live event log", "可以动手试的事件日志") },
      el(
        "div",
        { class: "live-form" },
        sessionChoice(lang, (chosen) => {
          session = chosen;
          draw();
        }),
        content,
        el(
          "div",
          { class: "live-buttons", role: "group", "aria-label": say(lang, "append an event", "追加一个事件") },
          ...buttons,
        ),
      ),
      stage,
      el(
        "div",
        { class: "live-row" },
        el("span", { class: "live-label" }, say(lang, "you hold", "你手里的版本")),
        versions,
        again,
      ),
      status,
      answers,
    ),
  );
  begin();
  draw();
  said(holdingWords());
}

let choices = 0;

function sessionChoice(lang: Lang, choose: (session: string) => void): HTMLElement {
  const name = `live-session-${++choices}`;
  return el(
    "fieldset",
    { class: "live-sessions" },
    el("legend", { class: "live-label" }, say(lang, "session", "会话")),
    ...sessions.map((s, i) => {
      const input = el("input", { type: "radio", name, value: s, checked: i === 0 });
      input.addEventListener("change", () => choose(s));
      return el("label", { class: "live-session" }, input, el("span", {}, s));
    }),
  );
}
