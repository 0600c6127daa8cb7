import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Colors and sizes of the editor. Custom properties of the app also apply inside its shadow root. */
export const codeTheme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: '0.875rem', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono, ui-monospace, monospace)', lineHeight: '1.65', overflow: 'auto' },
  '.cm-content': { padding: '1rem', caretColor: 'var(--heading)', minHeight: '20rem' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--heading)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--primary) 25%, transparent)',
  },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-upload': {
    display: 'inline-block',
    padding: '0 0.375rem',
    borderRadius: '0.25rem',
    background: 'color-mix(in srgb, var(--primary) 15%, transparent)',
    color: 'var(--heading)',
  },
})

export const codeColors = HighlightStyle.define([
  { tag: tags.heading, color: 'var(--heading)', fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600', color: 'var(--heading)' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'light-dark(#1746a2, #b9d0ff)' },
  { tag: tags.monospace, color: 'light-dark(#8f1d5b, #ffb3d9)' },
  { tag: tags.quote, color: 'var(--muted)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], color: 'var(--muted)' },
  { tag: [tags.comment, tags.meta, tags.angleBracket, tags.tagName], color: 'var(--muted)' },
])
