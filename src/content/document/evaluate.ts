import { condition, inlineText, inputsOf, parseForgiving } from '../expression/index.ts'
import { ExpressionError, type Path, type Scope } from '../expression/index.ts'
import { leaf } from './build.ts'
import type { Block, Document, InlineNode } from './nodes.ts'
import { isFormatting, isUnseenParagraph, withoutHtml } from './raw-html.ts'
import { joinTexts } from './text.ts'
import { inlinesIn, mapNodes, withNodes } from './walk.ts'

/** As much as a document may say itself. One short expression can say a lot, and stand in many places. */
const maxEvaluatedLength = 1_048_576

/** A hundred for each of twenty thousand expressions, which take some tenths of a second together. */
const maxSteps = 2_000_000

/**
 * The document as one reader sees it: expressions as text, conditions as what they enclose or nothing. In the mode
 * `deterministic-only` those that may read more than the variables of space and page stay, for each reader to evaluate.
 */
export function evaluateDocument(document: Document, scope: Scope, mode: 'all' | 'deterministic-only'): Document {
  return evaluated(document, scope, { mode, hasHtml: true })
}

/** The document as a visitor reads it: evaluated, and without comments and other HTML that is kept but not shown. */
export function evaluateForVisitor(document: Document, scope: Scope): Document {
  return evaluated(document, scope, { mode: 'all', hasHtml: false })
}

interface Evaluation {
  mode: 'all' | 'deterministic-only'
  hasHtml: boolean
}

function evaluated(document: Document, scope: Scope, { mode, hasHtml }: Evaluation): Document {
  const isEvaluated = mode === 'all' ? () => true : remembered(isDeterministic)
  const allowance = { steps: maxSteps }
  const holds = remembered((source) => condition(source, scope, allowance).value)
  const textOf = remembered((source) => inlineText(source, scope, allowance))
  let room = maxEvaluatedLength

  const evaluateInline = (node: InlineNode): InlineNode => {
    if (node.object === 'text' || node.type !== 'expression')
      return withJoinedTexts(hasHtml ? node : withoutHtmlIn(node))
    const { expression } = node.data
    if (!isEvaluated(expression)) return node
    const text = textOf(expression)
    room -= text.length
    return { object: 'text', leaves: [leaf(room < 0 ? `{{${expression}}}` : text)] }
  }
  const evaluateBlock = (block: Block): Block | readonly Block[] => {
    if (block.type !== 'if' || !isEvaluated(block.data.expression)) {
      if (hasHtml) return withJoinedTexts(block)
      return isUnseenParagraph(block) && !hasAnchor(block) ? [] : withJoinedTexts(withoutHtmlIn(block))
    }
    return holds(block.data.expression) ? block.nodes : []
  }
  return withNodes(document, mapNodes(document.nodes, evaluateBlock, evaluateInline))
}

/** Whether an expression reads nothing but variables; one that cannot be read may read anything. */
function isDeterministic(source: string): boolean {
  if (source.trim() === '') return true
  try {
    return inputsOf(parseForgiving(source)).every(isVariable)
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}

const isVariable = ([scope, vars]: Path) => (scope === 'space' || scope === 'page') && vars === 'vars'

function remembered<Value>(compute: (source: string) => Value): (source: string) => Value {
  const known = new Map<string, Value>()
  return (source) => {
    const before = known.get(source)
    if (before !== undefined) return before
    const value = compute(source)
    known.set(source, value)
    return value
  }
}

function withoutHtmlIn<Node extends Block | InlineNode>(node: Node): Node {
  if (!('nodes' in node)) return node
  const inlines = node.nodes as readonly InlineNode[]
  const nodes = withoutHtml(inlines, isFormatting)
  return nodes === inlines ? node : { ...node, nodes }
}

const hasAnchor = (block: Block): boolean =>
  inlinesIn(block).some((node) => node.object === 'inline' && node.type === 'anchor')

/** Joins what evaluation has put beside each other. */
function withJoinedTexts<Node extends Block | InlineNode>(node: Node): Node {
  if (!('nodes' in node)) return node
  const nodes = node.nodes as readonly (Block | InlineNode)[]
  const isSplit = nodes.some(
    (one, index) =>
      one.object === 'text' && (nodes[index - 1]?.object === 'text' || one.leaves.some(({ text }) => text === '')),
  )
  return isSplit ? { ...node, nodes: joinTexts(nodes as readonly InlineNode[]) } : node
}
