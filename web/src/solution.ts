// "Solution": after a pass, or after a second thought. It is shown to read; the draft is never touched.
import { ask } from "./dialogs.ts";
import { h, need } from "./dom.ts";
import { words, type Lang } from "./i18n.ts";

export function bindSolution({ lang, passed }: { lang(): Lang; passed(): boolean }): void {
  need("#solution").addEventListener("click", () => void show());

  async function show(): Promise<void> {
    const t = words(lang());
    if (!passed()) {
      const yes = await ask({
        title: t["solution.ask"],
        body: [h("p", {}, t["solution.detail"])],
        yes: t["solution.yes"],
        no: t["cancel"],
      });
      if (!yes) return;
    }
    const code = h("pre", { tabindex: 0, role: "group", "aria-label": t["solution.title"] });
    try {
      code.innerHTML = (await import("exercise:solution")).default; // made by the build from the project's own file
    } catch {
      code.textContent = t["solution.failed"];
    }
    await ask({ title: t["solution.title"], body: [h("p", {}, t["solution.note"]), code], wide: true, no: t["close"] });
  }
}
