// What a row opens to: for a refuted property its counterexample, for one that holds its law.
import { diffView } from "./diff.ts";
import { h } from "./dom.ts";
import { words, type Lang } from "./i18n.ts";
import type { Counterexample, PropertyInfo, PropertyResult } from "./protocol.ts";
import { stepper } from "./stepper.ts";

export function details(info: PropertyInfo, result: PropertyResult | undefined, lang: Lang): Node[] {
  const t = words(lang);
  const law = h("p", { class: "law" }, t["row.law"](info.law[lang]));
  if (!result || result.verdict === "notrun") return [h("p", { class: "law" }, t["row.waiting"]), law, actions(info, undefined, lang)];
  if (result.verdict === "pass") {
    return [law, h("p", { class: "law" }, t["row.cases"](result.cases)), actions(info, undefined, lang)];
  }
  const ce = result.counterexample;
  return [
    h("p", { class: "message" }, result.message[lang]),
    law,
    ...(ce ? example(ce, lang) : []),
    actions(info, ce, lang),
  ];
}

function example(ce: Counterexample, lang: Lang): Node[] {
  const t = words(lang);
  const parts: Node[] = [h("section", {}, h("h5", {}, t["row.example"]), stepper(ce, lang))];
  if (ce.expected !== undefined || Object.keys(ce.actual).length > 0) {
    parts.push(h("section", {}, h("h5", {}, t["row.compare"]), diffView(ce.expected, ce.actual, lang)));
  }
  if (ce.console.length > 0) {
    const lines = ce.dropped > 0 ? [...ce.console, t["row.dropped"](ce.dropped)] : ce.console;
    parts.push(
      h(
        "section",
        {},
        h("h5", {}, t["row.printed"]),
        h("pre", { class: "printed", tabindex: 0, role: "group", "aria-label": t["row.printed"] }, lines.join("\n")),
      ),
    );
  }
  return parts;
}

function actions(info: PropertyInfo, ce: Counterexample | undefined, lang: Lang): HTMLElement {
  const t = words(lang);
  const said = h("span", { role: "status", class: "saved" });
  const byHand = h("pre", { class: "printed", hidden: true, tabindex: 0, role: "group", "aria-label": t["row.copy"] });
  const copy = async (): Promise<void> => {
    const test = ce?.test ?? "";
    try {
      await navigator.clipboard.writeText(test);
      said.textContent = t["row.copied"];
    } catch {
      byHand.textContent = test;
      byHand.hidden = false;
      said.textContent = t["row.nocopy"];
    }
  };
  return h(
    "div",
    {},
    h(
      "div",
      { class: "actions" },
      ce && h("button", { type: "button", class: "button", click: () => void copy() }, t["row.copy"]),
      h("a", { href: `#law-${info.id}` }, t["row.lesson"]),
      said,
    ),
    byHand,
  );
}
