// The editor: CodeMirror, loaded after the lesson is on the screen. The rest of the page knows only this interface.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Prec, Transaction } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { hangingWrap } from "./wrap.ts";

export interface EditorOptions {
  text: string;
  label: string;
  /** The id of the element that tells about the keys. */
  describedBy: string;
  run(): void;
  changed(text: string): void;
}

export interface Editor {
  text(): string;
  /** Replaces everything; undo brings the old text back. */
  replace(text: string): void;
  /** Marks a place, 1-based; the mark goes with the next change. A line of 0 means that the place is not known. */
  mark(line: number, column: number, message: string): void;
  clearMarks(): void;
  goTo(line: number, column: number): void;
  relabel(label: string): void;
  focus(): void;
}

export function createEditor(parent: HTMLElement, options: EditorOptions): Editor {
  const naming = new Compartment();
  const named = (label: string) =>
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, "aria-describedby": options.describedBy });

  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        Prec.highest(
          keymap.of([
            {
              key: "Mod-Enter",
              run: () => {
                options.run();
                return true;
              },
            },
          ]),
        ),
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        dropCursor(),
        indentUnit.of("  "),
        EditorState.tabSize.of(2),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        syntaxHighlighting(classHighlighter),
        javascript(),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
        naming.of(named(options.label)),
        hangingWrap,
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          options.changed(update.state.doc.toString());
          // A mark speaks of the text that was run; after a change it might point anywhere.
          queueMicrotask(clearMarks);
        }),
      ],
    }),
  });

  const position = (line: number, column: number): { from: number; to: number } => {
    const { doc } = view.state;
    const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const from = Math.min(found.from + Math.max(column - 1, 0), found.to);
    // One mark must be seen: a column at the end of a line marks the whole line.
    return from < found.to ? { from, to: view.state.wordAt(from)?.to ?? from + 1 } : { from: found.from, to: found.to };
  };
  const clearMarks = (): void => view.dispatch(setDiagnostics(view.state, []));

  return {
    text: () => view.state.doc.toString(),
    replace: (text) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: [isolateHistory.of("full"), Transaction.userEvent.of("input.replace")],
      }),
    mark: (line, column, message) => {
      if (line < 1) return;
      view.dispatch(setDiagnostics(view.state, [{ ...position(line, column), severity: "error", message }]));
    },
    clearMarks,
    goTo: (line, column) => {
      const { from } = position(line, column);
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    relabel: (label) => view.dispatch({ effects: naming.reconfigure(named(label)) }),
    focus: () => view.focus(),
  };
}
