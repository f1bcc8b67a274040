// Light, dark, or as the system has it. The colours themselves stand in styles/tokens.css.
import type { Store } from "./storage.ts";

const KEY = "theme";

export function bindTheme(store: Store, radios: Iterable<HTMLInputElement>): void {
  const chosen = store.read(KEY);
  for (const radio of radios) {
    radio.checked = radio.value === (chosen === "light" || chosen === "dark" ? chosen : "auto");
    radio.addEventListener("change", () => {
      if (radio.value === "auto") {
        store.remove(KEY);
        delete document.documentElement.dataset["theme"];
      } else {
        store.write(KEY, radio.value);
        document.documentElement.dataset["theme"] = radio.value;
      }
    });
  }
}
