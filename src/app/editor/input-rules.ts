import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import type { MarkType, ResolvedPos } from 'prosemirror-model'
import { type Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import { canJoin, findWrapping } from 'prosemirror-transform'
import { isSafeUrl } from './inline-schema.ts'
import { createLink } from './links.ts'
import { changeItem, isListItem } from './lists.ts'
import { nodeType, schema } from './schema.ts'

/** Turns text between delimiters into marked text when the last character is typed. */
const markRule = (pattern: RegExp, name: string): InputRule =>
  new InputRule(pattern, (state, match, start, end) => {
    const text = match[1] ?? ''
    const $start = state.doc.resolve(start)
    if (!$start.parent.type.allowsMarkType(schema.marks[name] as MarkType)) return null
    const from = start + match[0].indexOf(text)
    const tr = state.tr
    if (from + text.length < end) tr.delete(from + text.length, end)
    if (from > start) tr.delete(start, from)
    return tr.addMark(start, start + text.length, schema.mark(name)).removeStoredMark(schema.marks[name] as MarkType)
  })

/** Converts a URL to a link when a space is typed after it. */
const addressRule = new InputRule(
  /(?<!\S)(https?:\/\/\S*[^\s.,;:!?'")\]])[.,;:!?]? $/,
  (state, [, url = ''], start, end) => {
    if (!isSafeUrl(url) || state.doc.rangeHasMark(start, start + url.length, schema.marks['link'])) return null
    return state.tr.addMark(start, start + url.length, createLink({ kind: 'url', url })).insertText(' ', end)
  },
  { inCodeMark: false },
)

/** Turns `[text](https://example.com)` into a link. */
const linkRule = new InputRule(
  /(?<!!)\[([^[\]]+)\]\((https?:\/\/[^\s()]+)\)$/,
  (state, [, text = '', url = ''], start, end) => {
    if (!isSafeUrl(url)) return null
    const marks = state.doc.resolve(start).marks()
    return state.tr.replaceWith(start, end, schema.text(text, createLink({ kind: 'url', url }).addToSet(marks)))
  },
  { inCodeMark: false },
)

/** Replaces an empty paragraph by a divider. */
const dividerRule = new InputRule(/^(?:---|\*\*\*|___)$/, (state, _, start) => {
  const $start = state.doc.resolve(start)
  if ($start.parent.type.name !== 'paragraph' || $start.depth < 1) return null
  const at = $start.before()
  const tr = state.tr.replaceWith(at, $start.after(), [nodeType('divider').create(), nodeType('paragraph').create()])
  return tr.setSelection(TextSelection.create(tr.doc, at + 2))
})

/** Puts a paragraph into a list, which continues the one before it; returns the new position of its text. */
function wrapInList(tr: Transaction, at: number, name: string): number | undefined {
  const range = tr.doc.resolve(at).blockRange()
  const wrapping = range && findWrapping(range, nodeType(name))
  if (!wrapping) return undefined
  tr.wrap(range, wrapping)
  const isContinued = tr.doc.resolve(at - 1).nodeBefore?.type.name === name && canJoin(tr.doc, at - 1)
  if (isContinued) tr.join(at - 1)
  return isContinued ? at : at + wrapping.length
}

/**
 * Converts a paragraph to a list, or the list item that starts with the text to another kind; `complete` is called with the item.
 */
const listRule = (
  pattern: RegExp,
  name: string,
  complete?: (tr: Transaction, $at: ResolvedPos, typed: string) => void,
) =>
  new InputRule(pattern, (state, [, typed = ''], start, end) => {
    const tr = state.tr.delete(start, end)
    const $start = tr.doc.resolve(start)
    const isFirst = $start.depth > 2 && $start.index(-1) === 0 && isListItem($start.node(-1))
    const at = isFirst ? changeItem(tr, start, name) : wrapInList(tr, start, name)
    if (at === undefined) return null
    complete?.(tr, tr.doc.resolve(at), typed)
    return tr.setSelection(TextSelection.create(tr.doc, at))
  })

/** Sets the number of the first item of a list. */
function setStart(tr: Transaction, $at: ResolvedPos, number: string): void {
  const data = Number(number) === 1 ? null : { start: Number(number) }
  if ($at.index(-2) === 0) tr.setNodeAttribute($at.before(-2), 'data', data)
}

/** Sets whether a task is done. */
function setDone(tr: Transaction, $at: ResolvedPos, mark: string): void {
  const data = $at.node(-1).attrs['data'] as object
  tr.setNodeAttribute($at.before(-1), 'data', { ...data, checked: mark.toLowerCase() === 'x' })
}

/** Markdown that formats text while it is typed. The title of the page is the heading of the first level. */
export const markdownShortcuts = (): Plugin =>
  inputRules({
    rules: [
      textblockTypeInputRule(/^##? $/, nodeType('heading_1')),
      textblockTypeInputRule(/^### $/, nodeType('heading_2')),
      textblockTypeInputRule(/^####+ $/, nodeType('heading_3')),
      textblockTypeInputRule(/^```([\w+#-]*) $/, nodeType('code_block'), ([, syntax]) => ({
        data: syntax ? { syntax } : null,
      })),
      listRule(/^\[([ x]?)\] $/i, 'list_tasks', setDone),
      listRule(/^[-*+] $/, 'list_unordered'),
      listRule(/^(\d{1,9})[.)] $/, 'list_ordered', setStart),
      wrappingInputRule(/^> $/, nodeType('blockquote')),
      dividerRule,
      addressRule,
      linkRule,
      markRule(/(?<![*\w])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, 'bold'),
      markRule(/(?<![*\w])\*([^*\s](?:[^*]*[^*\s])?)\*$/, 'italic'),
      markRule(/(?<![_\w])_([^_\s](?:[^_]*[^_\s])?)_$/, 'italic'),
      markRule(/~~([^~\s](?:[^~]*[^~\s])?)~~$/, 'strikethrough'),
      markRule(/`([^`]+)`$/, 'code'),
    ],
  })
