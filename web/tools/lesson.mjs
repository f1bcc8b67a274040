// Lesson Markdown to HTML, at build time: heading ids ({#id}), code colours, the hints' <details>, the live example's
// frame, and an id on each rule, so that a verdict can lead to it.
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import MarkdownIt from "markdown-it";

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escapeHtml = (text) => text.replace(/[&<>"]/g, (c) => escapes[c]);

/** JavaScript as HTML with the classes that the editor uses too. */
export function highlight(code) {
  let html = "";
  highlightCode(
    code,
    javascriptLanguage.parser.parse(code),
    classHighlighter,
    (text, classes) => (html += classes ? `<span class="${classes}">${escapeHtml(text)}</span>` : escapeHtml(text)),
    () => (html += "\n"),
  );
  return html;
}

/**
 * Renders one lesson.
 * @param {string} markdown
 * @param {{ lang: string, words: Record<string, unknown> }} options
 */
export function renderLesson(markdown, { lang, words }) {
  const md = new MarkdownIt({ html: true, linkify: false, typographer: false });

  md.core.ruler.push("ids", ({ tokens }) => {
    for (const [i, token] of tokens.entries()) {
      const inline = tokens[i + 1];
      if (token.type === "heading_open" && inline?.children) {
        const last = inline.children.at(-1);
        const found = last?.type === "text" ? /\s*\{#([\w-]+)\}$/.exec(last.content) : null;
        if (found) {
          token.attrSet("id", found[1]);
          last.content = last.content.slice(0, found.index);
        }
      }
      // "- `append` — The new log…": the rule of a property.
      if (token.type === "list_item_open") {
        const [code, text] = tokens[i + 2]?.children ?? [];
        if (code?.type === "code_inline" && text?.type === "text" && /^\s*——?\s/.test(text.content)) {
          token.attrSet("id", `law-${code.content}`);
        }
      }
    }
  });

  const label = escapeHtml(String(words["lesson.code"]));
  md.renderer.rules.fence = (tokens, i) => {
    const { content, info } = tokens[i];
    const code = content.replace(/\n$/, "");
    const html = info.trim() === "js" ? highlight(code) : escapeHtml(code);
    // A wide example scrolls sideways, so the keyboard must be able to reach it.
    return `<pre tabindex="0" role="group" aria-label="${label}"><code>${html}</code></pre>\n`;
  };
  md.renderer.rules.table_open = () =>
    `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(String(words["lesson.table"]))}"><table>\n`;
  md.renderer.rules.table_close = () => "</table></div>\n";

  const html = md
    .render(markdown)
    .replace(
      /<!-- live-example -->/,
      `<div class="live-frame"><p class="waiting">${escapeHtml(String(words["live-example.waiting"]))}</p></div>`,
    );
  return `<article class="lesson" lang="${lang}">\n${html}</article>`;
}
