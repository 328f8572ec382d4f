// The names of CodeMirror that the page's editor uses. The bundle has what these need, and nothing else.
export { autocompletion, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
export { lintKeymap, setDiagnostics } from "@codemirror/lint";
export { search, searchKeymap } from "@codemirror/search";
export { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
export {
  Decoration, EditorView, GutterMarker, WidgetType, drawSelection, gutterLineClass, highlightActiveLine, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
export { tags } from "@lezer/highlight";
