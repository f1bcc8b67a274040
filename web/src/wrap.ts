// Long lines wrap, and what wraps keeps the line's own indentation, so that code stays readable on a narrow page.
import { RangeSetBuilder, type Extension } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";

/** How many columns the wrapped part of a line stands in: its indentation, a comment's own margin, and a little more. */
export function hangingIndent(line: string): number {
  const lead = /^\s*(?:\/\/ |\* )?/.exec(line)?.[0] ?? "";
  const columns = lead.replaceAll("\t", "  ").length;
  // On a phone, deep indentation would leave no room for the code.
  return Math.min(lead.trim() === "" ? columns + 2 : columns, 16);
}

const decorations = new Map<number, Decoration>();
function hanging(columns: number): Decoration {
  let found = decorations.get(columns);
  if (!found) {
    const style = `text-indent:-${columns}ch;padding-inline-start:calc(6px + ${columns}ch)`;
    decorations.set(columns, (found = Decoration.line({ attributes: { style } })));
  }
  return found;
}

function indentVisible(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      if (line.length > 0) builder.add(line.from, line.from, hanging(hangingIndent(line.text)));
      at = line.to + 1;
    }
  }
  return builder.finish();
}

const plugin = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = indentVisible(view);
    }
    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = indentVisible(update.view);
    }
  },
  { decorations: (value) => value.decorations },
);

export const hangingWrap: Extension = [EditorView.lineWrapping, plugin];
