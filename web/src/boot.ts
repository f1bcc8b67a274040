// Runs before the first paint, so that neither a wrong language nor a wrong theme flashes up. Inlined into index.html;
// the Content-Security-Policy names its hash.
import { pickLanguage } from "./lang.ts";

try {
  const theme = localStorage.getItem("forgetmenot:theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
  document.documentElement.lang = pickLanguage(localStorage.getItem("forgetmenot:language"), navigator.languages);
} catch {
  document.documentElement.lang = pickLanguage(null, navigator.languages);
}
