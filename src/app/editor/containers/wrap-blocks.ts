import { Fragment, type Node } from 'prosemirror-model'
import { type Command, Selection } from 'prosemirror-state'
import { containsBlocks, nodeType } from '../schema.ts'

/** Replaces the paragraph with the cursor, and places the cursor in the first text of the replacement. */
export const replaceBlock =
  (create: (text: Fragment) => readonly Node[]): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    if (!$from.parent.isTextblock || $from.depth === 0) return false
    const { tr } = state
    // Line breaks of code become those of a text.
    if ($from.parent.type.spec.code) tr.setBlockType($from.pos, $from.pos, nodeType('paragraph'))
    const $start = tr.doc.resolve($from.start())
    const nodes = create($start.parent.content)
    const [start, end] = [$start.before(), $start.after()]
    if (
      !$from
        .node($from.depth - 1)
        .canReplace($from.index($from.depth - 1), $from.indexAfter($from.depth - 1), Fragment.from(nodes))
    )
      return false
    tr.replaceWith(start, end, nodes)
    dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(start + 1), 1)).scrollIntoView())
    return true
  }

/** Wraps all selected blocks in a new one; `create` is used for the text of a single block. */
const replaceBlocks =
  (create: (text: Fragment) => Node, createFrom: (blocks: readonly Node[]) => Node): Command =>
  (state, dispatch, view) => {
    const { $from, $to } = state.selection
    const range = $from.blockRange($to, containsBlocks)
    const blocks = range?.parent.children.slice(range.startIndex, range.endIndex) ?? []
    // Code remains a block.
    if (!range || (blocks.length < 2 && !$from.parent.type.spec.code))
      return replaceBlock((text) => [create(text)])(state, dispatch, view)
    const tr = state.tr.replaceWith(range.start, range.end, createFrom(blocks))
    dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(range.start + 1), 1)).scrollIntoView())
    return true
  }

/** Returns a command that wraps one or more blocks in a block. */
export const wrapBlocks = (create: (blocks: readonly Node[]) => Node): Command =>
  replaceBlocks((text) => create([paragraph(text)]), create)

export const paragraph = (content?: Fragment): Node => nodeType('paragraph').create(null, content)

/** Returns the text of the first block as a title, and the blocks after it. */
function takeTitle([first, ...rest]: readonly Node[]): { title: Fragment; rest: readonly Node[] } {
  if (first?.isTextblock && !first.type.spec.code) return { title: first.content, rest }
  return { title: Fragment.empty, rest: first ? [first, ...rest] : rest }
}

export const insertExpandable = wrapBlocks((blocks) => {
  const { title, rest } = takeTitle(blocks)
  return nodeType('expandable').create(null, [
    nodeType('expandable_title').create(null, title),
    nodeType('expandable_body').create(null, rest.length > 0 ? rest : paragraph()),
  ])
})

const createStep = (block?: Node): Node => {
  const { title, rest } = takeTitle(block ? [block] : [])
  const body = rest.length > 0 ? rest : [paragraph()]
  return nodeType('stepper_step').create(null, [nodeType('heading_2').create(null, title), ...body])
}

export const insertStepper = wrapBlocks((blocks) =>
  nodeType('stepper').create(null, blocks.length > 1 ? blocks.map(createStep) : [createStep(blocks[0]), createStep()]),
)

/** Maximum number of selected blocks that are converted to one column each. */
const maxColumns = 4

export const insertColumns = wrapBlocks((blocks) => {
  const isEach = blocks.length > 1 && blocks.length <= maxColumns
  const contents = isEach ? blocks : [blocks, paragraph()]
  return nodeType('columns').create(
    null,
    contents.map((content) => nodeType('column').create(null, content)),
  )
})

export const insertCondition = wrapBlocks((blocks) => nodeType('if').create({ data: { expression: 'true' } }, blocks))
