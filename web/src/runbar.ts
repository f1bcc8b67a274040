// Run and Stop. Run stays a button while it cannot be pressed, so that the focus is not lost; Stop is there only while
// something runs.
import { need } from "./dom.ts";
import { words, type Lang } from "./i18n.ts";

export interface RunBar {
  running(yes: boolean): void;
  translate(lang: Lang): void;
}

export function createRunBar(actions: { run(): void; stop(): void }): RunBar {
  const run = need<HTMLButtonElement>("#run");
  const stop = need<HTMLButtonElement>("#stop");
  const isMac = /mac|iphone|ipad/i.test(navigator.platform);

  run.addEventListener("click", () => {
    if (run.getAttribute("aria-disabled") !== "true") actions.run();
  });
  stop.addEventListener("click", actions.stop);
  run.setAttribute("aria-keyshortcuts", isMac ? "Meta+Enter" : "Control+Enter");

  // Also outside of the editor, which has its own binding.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    event.preventDefault();
    run.click();
  });
  return {
    running: (yes) => {
      const hadFocus = document.activeElement === stop;
      run.setAttribute("aria-disabled", String(yes));
      stop.hidden = !yes;
      if (!yes && hadFocus) run.focus();
    },
    translate: (lang) => {
      need("#run kbd").textContent = words(lang)[isMac ? "run.keys.mac" : "run.keys"];
    },
  };
}
