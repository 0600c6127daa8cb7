import { setBlockType, wrapIn } from 'prosemirror-commands'
import type { Fragment, Node } from 'prosemirror-model'
import type { Command } from 'prosemirror-state'
import type { Block, InlineElement } from '../../content/document/nodes.ts'
import { toolTexts } from '../screens/edit/edit-texts.ts'
import { fillText } from '../texts.ts'
import type { IconName } from '../ui/icons.ts'
import type { BlockWords } from './block-words.ts'
import { setCode } from './code/code-keys.ts'
import { containerTexts } from './containers/container-texts.ts'
import { createUpdate } from './containers/updates-view.ts'
import {
  insertColumns,
  insertCondition,
  insertExpandable,
  insertStepper,
  paragraph,
  replaceBlock,
  wrapBlocks,
} from './containers/wrap-blocks.ts'
import { editorTexts } from './editor-texts.ts'
import { openForm, pickFiles } from './forms/form-state.ts'
import { formTexts } from './forms/form-texts.ts'
import { wrapList } from './lists.ts'
import { nodeType, schema } from './schema.ts'
import { findCell } from './table/table-model.ts'
import { toInlines } from './to-document.ts'
import { createNewCards, createNewTable } from './table/new-table.ts'

/** A block to which the text at the cursor can be converted. */
export interface BlockChoice {
  title: string
  /** Other words for finding it. */
  words?: BlockWords
  icon: IconName
  run: Command
  /** Whether it is inserted beside the text instead of containing it. */
  isBeside?: true
}

const setText = (name: string): Command => setBlockType(nodeType(name))

const insertTabs = wrapBlocks((blocks) =>
  nodeType('tabs').create(
    null,
    [1, 2].map((number) =>
      nodeType('tabs_item').create(
        { data: { title: fillText(containerTexts.tab, { number }) } },
        number === 1 ? blocks : paragraph(),
      ),
    ),
  ),
)

const insertUpdates = wrapBlocks((blocks) => nodeType('updates').create(null, createUpdate(blocks)))

/** Inserts a table, which cannot be in a cell of another one. */
const insertTable =
  (create: (text: Fragment) => Node): Command =>
  (state, dispatch, view) =>
    !findCell(state.selection.$from) && replaceBlock((text) => [create(text)])(state, dispatch, view)

const insertDivider = replaceBlock((text) => [nodeType('divider').create(), paragraph(text)])

const url = { kind: 'url', url: '' } as const

/** Blocks and parts of lines that are inserted with a form. */
const newParts = {
  math: { object: 'block', type: 'math', isVoid: true, data: { formula: '' } },
  diagram: { object: 'block', type: 'code', data: { syntax: 'mermaid' }, nodes: [] },
  embed: { object: 'block', type: 'embed', isVoid: true, data: { url: '' } },
  file: { object: 'block', type: 'file', isVoid: true, data: { ref: { kind: 'file', file: '' } } },
  pageLink: { object: 'block', type: 'content-ref', isVoid: true, data: { ref: url } },
  reusable: {
    object: 'block',
    type: 'reusable-content',
    isVoid: true,
    data: { ref: { kind: 'reusable-content', reusableContent: '' } },
  },
  openapi: {
    object: 'block',
    type: 'openapi-operation',
    isVoid: true,
    data: { ref: { kind: 'openapi', spec: '' }, path: '', method: 'get' },
  },
} as const satisfies Record<string, Block>

const newInlines = {
  math: { object: 'inline', type: 'inline-math', isVoid: true, data: { formula: '' } },
  button: { object: 'inline', type: 'button', isVoid: true, data: { label: '', kind: 'primary', ref: url } },
  icon: { object: 'inline', type: 'icon', isVoid: true, data: { icon: '' } },
  expression: { object: 'inline', type: 'expression', isVoid: true, data: { expression: '' } },
} as const satisfies Record<string, InlineElement>

const insertPart = (block: Block): Command => openForm({ kind: 'block', block })
const insertInline = (inline: InlineElement): Command => openForm({ kind: 'inline', inline })

/** Types text that opens a list at the cursor. */
const openList =
  (opener: string): Command =>
  (state, dispatch) => {
    const { $from, from, to } = state.selection
    if (!$from.parent.inlineContent) return false
    const isAfterWord = /\S$/.test($from.parent.textBetween(0, $from.parentOffset, '\n', '\n'))
    dispatch?.(state.tr.insertText(isAfterWord ? ` ${opener}` : opener, from, to).scrollIntoView())
    return true
  }

/** Adds a note to the selected text. */
const insertAnnotation: Command = (state, dispatch, view) => {
  const { from, to, $from, $to } = state.selection
  const selected = $from.sameParent($to) ? state.doc.slice(from, to).content.content : []
  return insertInline({ object: 'inline', type: 'annotation', nodes: toInlines(selected), fragments: [] })(
    state,
    dispatch,
    view,
  )
}

/** Returns the blocks of the menus in their order. */
export const listBlockChoices = (): BlockChoice[] => [
  { title: editorTexts.paragraph, words: 'paragraph', icon: 'file-text', run: setText('paragraph') },
  { title: toolTexts.heading2, words: 'heading2', icon: 'heading', run: setText('heading_1') },
  { title: toolTexts.heading3, words: 'heading3', icon: 'heading', run: setText('heading_2') },
  { title: editorTexts.heading4, words: 'heading4', icon: 'heading', run: setText('heading_3') },
  { title: toolTexts.list, words: 'list', icon: 'list', run: wrapList('list_unordered') },
  { title: editorTexts.orderedList, words: 'orderedList', icon: 'list', run: wrapList('list_ordered') },
  { title: toolTexts.taskList, words: 'taskList', icon: 'square-check', run: wrapList('list_tasks') },
  { title: toolTexts.quote, words: 'quote', icon: 'blockquote', run: wrapIn(nodeType('blockquote')) },
  { title: toolTexts.hint, words: 'hint', icon: 'info', run: wrapIn(nodeType('hint'), { data: { style: 'info' } }) },
  { title: toolTexts.codeBlock, words: 'codeBlock', icon: 'code', run: setCode },
  { title: toolTexts.expandable, words: 'expandable', icon: 'chevron-right', run: insertExpandable },
  { title: toolTexts.stepper, words: 'stepper', icon: 'list-tree', run: insertStepper },
  { title: toolTexts.columns, words: 'columns', icon: 'columns', run: insertColumns },
  { title: toolTexts.tabs, icon: 'folder', run: insertTabs },
  { title: containerTexts.conditional, words: 'conditional', icon: 'eye', run: insertCondition },
  { title: containerTexts.updates, words: 'updates', icon: 'history', run: insertUpdates },
  { title: toolTexts.table, words: 'table', icon: 'table', run: insertTable((text) => createNewTable(schema, text)) },
  {
    title: toolTexts.cards,
    words: 'cards',
    icon: 'template',
    run: insertTable((text) => createNewCards(schema, text)),
  },
  { title: toolTexts.divider, words: 'divider', icon: 'minus', run: insertDivider },
  { title: toolTexts.file, words: 'files', icon: 'photo', run: pickFiles, isBeside: true },
  { title: toolTexts.embed, words: 'embed', icon: 'world', run: insertPart(newParts.embed), isBeside: true },
  { title: formTexts.file, words: 'file', icon: 'file', run: insertPart(newParts.file), isBeside: true },
  { title: formTexts.pageLink, words: 'pageLink', icon: 'link', run: insertPart(newParts.pageLink), isBeside: true },
  { title: toolTexts.math, words: 'math', icon: 'variable', run: insertPart(newParts.math), isBeside: true },
  { title: toolTexts.mermaid, words: 'mermaid', icon: 'git-branch', run: insertPart(newParts.diagram), isBeside: true },
  { title: toolTexts.reusable, words: 'reusable', icon: 'stack', run: insertPart(newParts.reusable), isBeside: true },
  { title: toolTexts.openapi, words: 'openapi', icon: 'bolt', run: insertPart(newParts.openapi), isBeside: true },
  {
    title: formTexts.inlineFormula,
    words: 'math',
    icon: 'variable',
    run: insertInline(newInlines.math),
    isBeside: true,
  },
  {
    title: formTexts.button,
    words: 'button',
    icon: 'square-check',
    run: insertInline(newInlines.button),
    isBeside: true,
  },
  { title: formTexts.icon, words: 'icon', icon: 'mood-smile', run: insertInline(newInlines.icon), isBeside: true },
  { title: formTexts.expression, icon: 'code', run: insertInline(newInlines.expression), isBeside: true },
  { title: editorTexts.variable, icon: 'variable', run: openList('{{'), isBeside: true },
  { title: formTexts.mention, words: 'mention', icon: 'at', run: openList('@'), isBeside: true },
  { title: formTexts.annotation, words: 'annotation', icon: 'message', run: insertAnnotation, isBeside: true },
]
