// Modal questions and texts, on the browser's own <dialog>: it keeps the focus inside and gives it back.
import { h, type Child } from "./dom.ts";

export interface DialogOptions {
  title: string;
  body: Child[];
  wide?: boolean;
  /** The button that says yes; without one there is nothing to decide. */
  yes?: string;
  no: string;
}

/** Shows it, and resolves to whether the person said yes. */
export function ask({ title, body, wide, yes, no }: DialogOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const headingId = "dialog-title";
    const dialog = h(
      "dialog",
      { "aria-labelledby": headingId, class: wide ? "wide" : "" },
      h("h2", { id: headingId }, title),
      ...body,
      h(
        "form",
        { method: "dialog", class: "actions" },
        h("button", { class: yes ? "button" : "button primary", value: "no" }, no),
        yes && h("button", { class: "button primary", value: "yes" }, yes),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    // A click beside it means no.
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && !inside(dialog, event)) dialog.close("no");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function inside(dialog: HTMLElement, { clientX, clientY }: MouseEvent): boolean {
  const box = dialog.getBoundingClientRect();
  return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
}
