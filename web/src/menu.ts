// The menu: progress out and in, the report, the about text. The popover itself is the browser's.
import { exportAll, importAll, parseBackup } from "./backup.ts";
import { ask } from "./dialogs.ts";
import { h, need } from "./dom.ts";
import { words, type Lang } from "./i18n.ts";
import type { Store } from "./storage.ts";

export interface MenuOptions {
  store: Store;
  tab: string;
  lang(): Lang;
  version(): string | undefined;
  /** The last run's report, or undefined. */
  report(): string | undefined;
  /** Before anything is exported. */
  flush(): void;
  /** After an import: the storage holds other drafts now. */
  imported(): void;
  say(text: string): void;
}

export function bindMenu(o: MenuOptions): void {
  const menu = need("#menu");
  const on = (id: string, run: () => void): void =>
    need(id).addEventListener("click", () => {
      menu.hidePopover?.();
      run();
    });

  on("#menu-export", () => {
    o.flush();
    const t = words(o.lang());
    download(t["progress.file"], JSON.stringify(exportAll(o.store, new Date()), null, 2));
    o.say(t["export.done"]);
  });

  const input = need<HTMLInputElement>("#import-file");
  on("#menu-import", () => input.click());
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    input.value = ""; // so that the same file can be chosen again
    if (file) void file.text().then(importText, () => importText(""));
  });

  const importText = async (text: string): Promise<void> => {
    const t = words(o.lang());
    const tell = (message: string) => ask({ title: t["import.title"], body: [h("p", {}, message)], no: t["close"] });
    const parsed = parseBackup(text);
    if ("problem" in parsed) {
      await tell(t[`import.${parsed.problem}`]);
      return;
    }
    const { exercises, exported } = parsed.backup;
    const when = new Date(exported).toLocaleString(o.lang());
    const yes = await ask({
      title: t["import.ask"],
      body: [h("p", {}, t["import.detail"](Object.keys(exercises).length, when))],
      yes: t["import.yes"],
      no: t["cancel"],
    });
    if (!yes) return;
    if (!importAll(o.store, parsed.backup, o.tab)) {
      await tell(t["import.unsaved"]);
      return;
    }
    o.imported();
    o.say(t["import.done"]);
  };

  on("#menu-report", () => {
    const t = words(o.lang());
    const report = o.report();
    if (report) download(t["report.file"], report);
    else void ask({ title: t["menu.report"], body: [h("p", {}, t["report.none"])], no: t["close"] });
  });

  on("#menu-about", () => {
    const t = words(o.lang());
    const version = o.version();
    const part = (title: string, text: string) => [h("h3", {}, title), h("p", {}, text)];
    void ask({
      title: t["about.title"],
      body: [
        h("p", {}, t["about.what"]),
        ...part(t["about.worth"], t["about.practice"]),
        ...part(t["about.where"], t["about.local"]),
        ...part(t["about.limits"], t["about.limit"]),
        version && h("p", { class: "saved" }, t["about.version"](version)),
      ],
      no: t["close"],
    });
  });
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The download has begun by then; revoking at once would cancel it in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
