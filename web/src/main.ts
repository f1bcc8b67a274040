// Wires the page's widgets together; each does its own work in its own file. Nothing here runs a learner's code before
// Run is pressed.
import starter from "exercise:starter";
import { announcer } from "./announcer.ts";
import { assetUrls } from "./assets.ts";
import { createBanner } from "./banner.ts";
import { Client } from "./client.ts";
import { h, need } from "./dom.ts";
import { ask } from "./dialogs.ts";
import { Draft, draftKey } from "./drafts.ts";
import type { Editor } from "./editor.ts";
import type { WorkerLike } from "./engine.ts";
import { words } from "./i18n.ts";
import { Keeper } from "./keeper.ts";
import { createLanguage } from "./language.ts";
import { createLesson } from "./lesson.ts";
import { bindMenu } from "./menu.ts";
import { keepOffline } from "./offline.ts";
import { readProgress } from "./progress.ts";
import { createResults } from "./results.ts";
import { createRunBar } from "./runbar.ts";
import { bindSolution } from "./solution.ts";
import { bindSplit } from "./split.ts";
import { ownKey, storeOn } from "./storage.ts";
import { bindTheme } from "./theme.ts";
import { createTrial } from "./trial.ts";

const EXERCISE = "event-log";
const LANGUAGE = "javascript";

const urls = assetUrls();
const store = storeOn(() => window.localStorage);
const tab = crypto.getRandomValues(new Uint32Array(2)).join("-");

const language = createLanguage(store, document.querySelectorAll<HTMLButtonElement>(".language button"));
const lang = language.now;
bindTheme(store, document.querySelectorAll<HTMLInputElement>('input[name="theme"]'));

const panes = need("#panes");
bindSplit(store, { name: "columns", divider: need("#divider-columns"), container: panes, property: "--lesson-share", axis: "x", initial: 44, min: 24, max: 68 });
const rows = bindSplit(store, { name: "rows", divider: need("#divider-rows"), container: need("#work"), property: "--editor-share", axis: "y", initial: 58, min: 14, max: 80 });

const lesson = createLesson({
  mountExample: async (target, exampleLang) => {
    const [{ loadReference }, { mountLive }] = await Promise.all([import("./reference.ts"), import("./live.ts")]);
    mountLive(target, exampleLang, await loadReference(urls.grader));
  },
});

// The draft is on the screen, as plain text, before the editor is there.
const draft = new Draft(store, draftKey(EXERCISE, LANGUAGE), tab);
const editorPane = need("#editor");
const preview = document.createElement("pre");
preview.textContent = draft.load() ?? starter;
editorPane.prepend(preview);

let editor: Editor | undefined;
const text = (): string => editor?.text() ?? preview.textContent ?? "";
const replace = (next: string): void => {
  if (editor) editor.replace(next);
  else preview.textContent = next;
};

const announce = announcer(need("#announcements"));
const client = new Client({
  spawn: () => new Worker(urls.worker) as WorkerLike,
  graderUrl: urls.grader,
  engineUrl: urls.engine,
});
const results = createResults(
  need("#results"),
  lang(),
  { retry: () => void trial.retry(), goTo: (line, column) => editor?.goTo(line, column) },
  urls.icon,
);
const runBar = createRunBar({ run: () => void trial.run(), stop: () => client.stop() });
const keeper = new Keeper({ draft, starter, banner: createBanner(need("#banner")), status: need("#draft-status"), lang, text, replace });

const trial = createTrial({
  client,
  store,
  exercise: EXERCISE,
  results,
  runBar,
  announce,
  lang,
  text: () => {
    keeper.flush();
    return text();
  },
  mark: (fault, message) => editor?.mark(fault.line, fault.column, message),
  clearMarks: () => editor?.clearMarks(),
  makeRoom: () => rows.suggest(40),
});

bindSolution({ lang, passed: () => readProgress(store, EXERCISE)?.solved ?? false });

need("#reset").addEventListener("click", () => {
  void (async () => {
    const t = words(lang());
    if (text() === starter) return announce.say(t["reset.same"]);
    const yes = await ask({ title: t["reset.ask"], body: [h("p", {}, t["reset.detail"])], yes: t["reset.yes"], no: t["cancel"] });
    if (!yes) return;
    replace(starter);
    keeper.changed();
    announce.say(t["reset.done"]);
  })();
});

bindMenu({
  store,
  tab,
  lang,
  version: () => trial.version(),
  report: () => trial.report(),
  flush: () => keeper.flush(),
  imported: () => {
    replace(draft.load() ?? starter);
    keeper.changed();
    trial.showIdle();
  },
  say: announce.say,
});

window.addEventListener("storage", (event) => {
  if (ownKey(event.key) === draftKey(EXERCISE, LANGUAGE)) keeper.look();
});

language.follow((next) => {
  lesson.translate(next);
  results.translate(next);
  runBar.translate(next);
  keeper.translate();
  editor?.relabel(words(next)["editor.label"]);
});

void loadEditor();
void trial.prepare().then(() => {
  document.documentElement.dataset["ready"] = "";
  keepOffline(urls.serviceWorker);
});

async function loadEditor(): Promise<void> {
  try {
    const { createEditor } = await import("./editor.ts");
    editor = createEditor(editorPane, {
      text: preview.textContent ?? "",
      label: words(lang())["editor.label"],
      describedBy: "keys-hint",
      run: () => void trial.run(),
      changed: () => keeper.changed(),
    });
    preview.remove();
  } catch {
    announce.say(words(lang())["editor.failed"]);
    need("#draft-status").textContent = words(lang())["editor.failed"];
  }
}
