// A quiet strip under the header for what the person has to decide, without taking the page away from them.
import { h } from "./dom.ts";

export interface BannerAction {
  label: string;
  run(): void;
}

export interface Banner {
  show(text: string, actions: BannerAction[]): void;
  hide(): void;
}

export function createBanner(target: HTMLElement): Banner {
  const hide = (): void => {
    target.hidden = true;
    target.replaceChildren();
  };
  return {
    show: (text, actions) => {
      const buttons = actions.map(({ label, run }) => h("button", { type: "button", class: "button", click: run }, label));
      target.replaceChildren(h("p", {}, text), h("div", { class: "actions" }, ...buttons));
      target.hidden = false;
    },
    hide,
  };
}
