// Keeps the learner's code: saves soon after every change and at the latest when the page goes away, and asks when
// another tab has written in between. The rules about revisions are drafts.ts's; here is when, and what is said.
import type { Banner } from "./banner.ts";
import type { Draft, DraftRecord } from "./drafts.ts";
import { words, type Lang } from "./i18n.ts";

export interface KeeperOptions {
  draft: Draft;
  starter: string;
  banner: Banner;
  /** Where the state of the draft is told. */
  status: HTMLElement;
  lang(): Lang;
  text(): string;
  replace(text: string): void;
}

const SOON_MS = 300;

export class Keeper {
  readonly #o: KeeperOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dirty = false;
  #conflict: DraftRecord | undefined;
  #refused = false;
  #asideShown = false;

  constructor(options: KeeperOptions) {
    this.#o = options;
    window.addEventListener("pagehide", () => this.#leave());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.flush();
    });
    this.#offerAside();
    this.translate();
  }

  /** The editor's text has changed. */
  changed(): void {
    this.#dirty = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), SOON_MS);
  }

  /** Saves what waits to be saved. */
  flush(): void {
    clearTimeout(this.#timer);
    if (!this.#dirty) return;
    const outcome = this.#o.draft.save(this.#o.text());
    if (outcome === "conflict") this.look();
    else this.#settle(outcome === "saved");
  }

  /** Another tab may have written: ask, if it did. */
  look(): void {
    this.#conflict = this.#o.draft.conflict(this.#o.text());
    if (this.#conflict) this.#askAboutOther();
    else this.#settle(!this.#refused);
  }

  translate(): void {
    const t = words(this.#o.lang());
    const { status } = this.#o;
    status.classList.toggle("trouble", this.#refused);
    status.textContent = this.#refused
      ? t["draft.unsaved"]
      : this.#o.text() === this.#o.starter
        ? t["draft.fresh"]
        : t["draft.saved"];
    if (this.#conflict) this.#askAboutOther();
    else if (this.#asideShown) this.#offerAside();
  }

  #settle(kept: boolean): void {
    this.#dirty = !kept;
    this.#refused = !kept;
    if (this.#conflict) {
      this.#conflict = undefined;
      this.#o.banner.hide();
    }
    this.translate();
  }

  #askAboutOther(): void {
    const { draft, banner, lang } = this.#o;
    const t = words(lang());
    this.#asideShown = false;
    banner.show(t["draft.other"], [
      {
        label: t["draft.take"],
        run: () => {
          // What the other tab holds at this moment, not when the question was first asked.
          const other = draft.conflict(this.#o.text()) ?? this.#conflict;
          if (!other) return;
          draft.accept(other);
          this.#o.replace(other.text);
          this.#finish();
        },
      },
      {
        label: t["draft.keep"],
        run: () => {
          draft.overwrite(this.#o.text());
          this.#finish();
        },
      },
    ]);
  }

  #finish(): void {
    this.#conflict = undefined;
    this.#o.banner.hide();
    this.#dirty = true;
    this.flush();
  }

  #offerAside(): void {
    const { draft, banner, lang } = this.#o;
    const aside = draft.aside();
    if (aside === undefined) return;
    if (aside === this.#o.text()) return draft.dropAside();
    const t = words(lang());
    const done = (): void => {
      this.#asideShown = false;
      draft.dropAside();
      banner.hide();
    };
    this.#asideShown = true;
    banner.show(t["draft.aside"], [
      {
        label: t["draft.take"],
        run: () => {
          this.#o.replace(aside);
          done();
        },
      },
      { label: t["draft.drop"], run: done },
    ]);
  }

  #leave(): void {
    this.flush();
    if (this.#conflict && this.#dirty) this.#o.draft.setAside(this.#o.text());
  }
}
