import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import type { MarkType, ResolvedPos } from 'prosemirror-model'
import { type Plugin, TextSelection } from 'prosemirror-state'
import { canJoin, findWrapping } from 'prosemirror-transform'
import { isSafeUrl } from './inline-schema.ts'
import { convertList } from './lists.ts'
import { createLink } from './links.ts'
import { nodeType, schema } from './schema.ts'

/** Turns text between characters into marked text when the last character is typed. */
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

/** Links an address when a space is typed after it. */
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

/** Replaces an empty paragraph by a line. */
const dividerRule = new InputRule(/^(?:---|\*\*\*|___)$/, (state, _, start) => {
  const $start = state.doc.resolve(start)
  if ($start.parent.type.name !== 'paragraph' || $start.depth < 1) return null
  const at = $start.before()
  const tr = state.tr.replaceWith(at, $start.after(), [nodeType('divider').create(), nodeType('paragraph').create()])
  return tr.setSelection(TextSelection.create(tr.doc, at + 2))
})

/** Whether the text at a position begins an item of a type. */
const isFirstIn = ($at: ResolvedPos, item: string): boolean =>
  $at.depth > 2 && $at.index(-1) === 0 && $at.node(-1).type.name === item

/** Makes a task of a paragraph, or of the only item of a list, as in `- [ ] `; in a task it sets whether that is done. */
const taskRule = new InputRule(/^\[([ x]?)\] $/i, (state, [, mark = ''], start, end) => {
  const tr = state.tr.delete(start, end)
  const $start = tr.doc.resolve(start)
  let at = start
  if (isFirstIn($start, 'list_item') && $start.node(-2).childCount === 1) {
    const tasks = convertList($start.node(-2), 'list_tasks')
    if (!tasks) return null
    tr.replaceWith($start.before(-2), $start.after(-2), tasks)
  } else if (!isFirstIn($start, 'task_item')) {
    const range = $start.blockRange()
    const wrapping = range && findWrapping(range, nodeType('list_tasks'))
    if (!wrapping) return null
    tr.wrap(range, wrapping)
    at += wrapping.length
    const isAfterTasks = tr.doc.resolve(start - 1).nodeBefore?.type.name === 'list_tasks'
    if (isAfterTasks && canJoin(tr.doc, start - 1)) {
      tr.join(start - 1)
      at -= 2
    }
  }
  const $at = tr.doc.resolve(at)
  const { attrs } = $at.node(-1)
  const data = { ...(attrs['data'] as object), checked: mark.toLowerCase() === 'x' }
  return tr.setNodeMarkup($at.before(-1), undefined, { ...attrs, data }).setSelection(TextSelection.create(tr.doc, at))
})

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
      taskRule,
      wrappingInputRule(/^[-*+] $/, nodeType('list_unordered')),
      wrappingInputRule(/^(\d{1,9})[.)] $/, nodeType('list_ordered'), ([, number]) => ({
        data: Number(number) === 1 ? null : { start: Number(number) },
      })),
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
