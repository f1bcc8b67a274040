// The head of the results: in one sentence, where the learner stands.
import { h } from "./dom.ts";
import { words, type Lang } from "./i18n.ts";
import { mark, type RowState } from "./marks.ts";
import type { Progress } from "./progress.ts";
import type { Fault, GradeResult } from "./protocol.ts";

export type Phase =
  | { kind: "idle"; progress?: Progress | undefined }
  /** Run was pressed before the grader was there. */
  | { kind: "loading" }
  | { kind: "running"; done: number; of: number }
  | { kind: "stopped" }
  | { kind: "done"; result: GradeResult }
  | { kind: "unloaded"; reason: string }
  | { kind: "nowasm" };

export interface SummaryActions {
  retry(): void;
  goTo(line: number, column: number): void;
}

export function summary(phase: Phase, lang: Lang, actions: SummaryActions, icon: string): Node[] {
  const t = words(lang);
  switch (phase.kind) {
    case "idle":
      return [
        heading(t["idle.title"]),
        h("p", {}, t["idle.text"]),
        phase.progress &&
          h(
            "p",
            {},
            phase.progress.solved ? t["idle.solved"] : t["idle.before"](phase.progress.earned, phase.progress.possible),
          ),
      ].filter((node) => node !== undefined);
    case "loading":
      return [heading(t["loading.title"], "running"), h("p", {}, t["loading.text"], " ", t["loading.queued"])];
    case "running":
      return [
        heading(t["running.title"], "running"),
        h("p", { class: "tally" }, t["running.tally"](phase.done, phase.of)),
      ];
    case "stopped":
      return [heading(t["stopped.title"], "notrun"), h("p", {}, t["stopped.text"])];
    case "unloaded":
      return [
        notice(t["error.load.title"], [t["error.load.text"], t["error.load.detail"](phase.reason)], [
          button(t["retry"], actions.retry),
        ]),
      ];
    case "nowasm":
      return [notice(t["error.nowasm.title"], [t["error.nowasm.text"]], [])];
    case "done":
      return finished(phase.result, lang, actions, icon);
  }
}

function finished(result: GradeResult, lang: Lang, actions: SummaryActions, icon: string): Node[] {
  const t = words(lang);
  if (result.fault) return [faulted(result.fault, lang, actions)];
  const { score, mastery } = result;
  if (result.verdict === "pass") {
    return [
      h("h2", {}, h("img", { src: icon, alt: "" }), t["passed.title"]),
      h("p", {}, t["passed.text"](score.possible, result.cases)),
      h("p", {}, t["passed.mastery"](mastery.earned, mastery.possible)),
    ];
  }
  return [heading(t["failed.title"](score.possible - score.earned), "fail"), h("p", {}, t["failed.text"])];
}

function faulted(fault: Fault, lang: Lang, actions: SummaryActions): HTMLElement {
  const t = words(lang);
  if (fault.fault === "grader") {
    return notice(t["error.grader.title"], [fault.message[lang], t["error.grader.text"]], [button(t["retry"], actions.retry)]);
  }
  const place = fault.line > 0 ? [t["error.line"](fault.line, fault.column)] : [];
  const goTo = fault.line > 0 ? [button(t["error.goto"], () => actions.goTo(fault.line, fault.column))] : [];
  return notice(t["error.submission.title"], [fault.message[lang], ...place], goTo);
}

function heading(text: string, state?: RowState): HTMLElement {
  return h("h2", {}, state && mark(state), text);
}

function notice(title: string, lines: string[], buttons: HTMLElement[]): HTMLElement {
  return h(
    "div",
    { class: "notice" },
    mark("error"),
    h("div", {}, h("h2", {}, title), ...lines.map((line) => h("p", {}, line))),
    buttons.length > 0 && h("div", { class: "actions" }, ...buttons),
  );
}

function button(text: string, click: () => void): HTMLElement {
  return h("button", { type: "button", class: "button", click }, text);
}
