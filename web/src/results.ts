// The verdicts: the summary, then a row per property, required and mastery apart. It shows what it is told and decides
// nothing but which row opens by itself: the first that fails, once a run.
import { h } from "./dom.ts";
import { words, type Lang } from "./i18n.ts";
import { wantsAttention, type RowState } from "./marks.ts";
import type { PropertyInfo, PropertyResult, Tier } from "./protocol.ts";
import { createRow, type Row } from "./row.ts";
import { summary, type Phase, type SummaryActions } from "./summary.ts";

export interface Results {
  /** The exercise's table; the rows are kept when it is the same as before. */
  properties(infos: readonly PropertyInfo[]): void;
  phase(phase: Phase): void;
  /** Every row waits, nothing is open. */
  begin(): void;
  began(id: string): void;
  hanging(id: string): void;
  result(result: PropertyResult): void;
  /** What was not reached says so. */
  end(): void;
  translate(lang: Lang): void;
}

export function createResults(target: HTMLElement, language: Lang, actions: SummaryActions, icon: string): Results {
  let lang = language;
  let now: Phase = { kind: "idle" };
  const rows = new Map<string, Row>();
  const states = new Map<string, RowState>();
  let opened = false;

  const head = h("div", { class: "summary" });
  const groups = h("div", {});
  target.replaceChildren(h("div", { class: "results-inner" }, head, groups));

  const setState = (id: string, state: RowState, result?: PropertyResult, hanging = false): void => {
    states.set(id, state);
    rows.get(id)?.update(state, result, hanging);
    drawTallies();
  };

  const tallies = new Map<Tier, { heading: HTMLElement; tally: HTMLElement }>();
  const drawTallies = (): void => {
    const t = words(lang);
    for (const [tier, { heading, tally }] of tallies) {
      const ids = [...rows.values()].filter((row) => row.info.tier === tier).map((row) => row.info.id);
      const held = ids.filter((id) => states.get(id) === "pass").length;
      heading.textContent = t[`tier.${tier}`];
      tally.textContent = ids.some((id) => states.get(id) !== "idle") ? t["tier.tally"](held, ids.length) : String(ids.length);
    }
  };
  const drawHead = (): void => head.replaceChildren(...summary(now, lang, actions, icon));

  const build = (infos: readonly PropertyInfo[]): void => {
    rows.clear();
    states.clear();
    tallies.clear();
    groups.replaceChildren();
    for (const tier of ["required", "mastery"] as const) {
      const heading = h("h3", { class: "quiet-heading" });
      const tally = h("p", { class: "tally" });
      tallies.set(tier, { heading, tally });
      const list = h("ul", { class: "rows", role: "list" });
      for (const info of infos) {
        if (info.tier !== tier) continue;
        const row = createRow(info, lang);
        rows.set(info.id, row);
        states.set(info.id, "idle");
        list.append(row.element);
      }
      groups.append(h("section", { class: "group" }, h("div", { class: "group-head" }, heading, tally), list));
    }
    drawTallies();
  };

  drawHead();
  return {
    properties: (infos) => {
      if (infos.length !== rows.size || infos.some((info) => !rows.has(info.id))) build(infos);
    },
    phase: (phase) => {
      now = phase;
      drawHead();
    },
    begin: () => {
      opened = false;
      target.scrollTop = 0;
      // On a narrow page the results are below the code, out of sight.
      if (window.matchMedia("(max-width: 59.99rem)").matches) target.scrollIntoView({ block: "start" });
      for (const [id, row] of rows) {
        row.open(false);
        setState(id, "pending");
      }
    },
    began: (id) => setState(id, "running"),
    hanging: (id) => setState(id, "running", undefined, true),
    result: (result) => {
      setState(result.id, result.verdict, result);
      const row = rows.get(result.id);
      if (!row || opened || !wantsAttention(result.verdict)) return;
      opened = true;
      row.open(true);
      row.reveal();
    },
    end: () => {
      for (const [id, state] of states) if (state === "pending" || state === "running") setState(id, "notrun");
    },
    translate: (next) => {
      lang = next;
      drawHead();
      drawTallies();
      for (const row of rows.values()) row.translate(lang);
    },
  };
}
