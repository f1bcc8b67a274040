// index.html from its template: addresses, texts (English; the page itself fills in another language), policy.
import { createHash } from "node:crypto";
import { escapeHtml } from "./lesson.mjs";

/** Nothing but the page's own origin; wasm may be compiled; no script but ours and the one named by its hash. */
export function policy(bootScript) {
  const hash = createHash("sha256").update(bootScript).digest("base64");
  return [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}'`,
    "style-src 'self' 'unsafe-inline'", // the editor adds its style elements at run time
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/**
 * @param {string} template
 * @param {Record<string, string>} values for {{name}}
 * @param {Record<string, unknown>} words for {{words:key}}, data-words and data-words-label
 */
export function renderPage(template, values, words) {
  const word = (key) => {
    const text = words[key];
    if (typeof text !== "string") throw new Error(`index.html names the text "${key}", which is not in the catalogue`);
    return escapeHtml(text);
  };
  return template
    .replace(/\{\{words:([\w.-]+)\}\}/g, (_, key) => word(key))
    .replace(/ data-words="([\w.-]+)">/g, (match, key) => `${match}${word(key)}`)
    .replace(/ data-words-label="([\w.-]+)"/g, (match, key) => `${match} aria-label="${word(key)}"`)
    .replace(/\{\{([\w:]+)\}\}/g, (_, name) => {
      if (!(name in values)) throw new Error(`index.html names {{${name}}}, which the build does not know`);
      return values[name];
    });
}
