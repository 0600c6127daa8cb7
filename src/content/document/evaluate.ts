import {
  evaluateCondition,
  evaluateInlineExpression,
  findInputPaths,
  parseExpressionLeniently,
} from '../expression/index.ts'
import { ExpressionError, type ExpressionScope, type PropertyPath } from '../expression/index.ts'
import { leaf } from './build.ts'
import type { Block, Document, InlineNode } from './nodes.ts'
import { isFormattingTag, isInvisibleParagraph, withoutHtml } from './raw-html.ts'
import { joinTexts } from './text.ts'
import { inlinesOf, mapNodes, withNodes } from './walk.ts'

/**
 * Maximum length of all evaluated texts, the same as the limit of a document's own text: a short expression can produce
 * a long text and can occur many times.
 */
const maxEvaluatedLength = 1_048_576

/** Maximum number of steps for a document: 100 for each of 20,000 expressions, which together take some tenths of a second. */
const maxSteps = 2_000_000

/**
 * Evaluates a document for one reader: expressions become text, and conditional blocks their contents or nothing. In
 * the mode `deterministic-only`, expressions that may read more than the variables of space and page remain, to be
 * evaluated for each reader.
 */
export function evaluateDocument(
  document: Document,
  scope: ExpressionScope,
  mode: 'all' | 'deterministic-only',
): Document {
  return evaluateWith(document, scope, { mode, keepsHtml: true })
}

/** Evaluates a document for a visitor, and removes comments and other HTML that is stored but not rendered. */
export function evaluateForVisitor(document: Document, scope: ExpressionScope): Document {
  return evaluateWith(document, scope, { mode: 'all', keepsHtml: false })
}

/**
 * Evaluates a document for members, who see all content: conditional blocks remain, and so do expressions that depend on the
 * visitor. Removes the same HTML as for visitors.
 */
export function evaluateForMember(document: Document, scope: ExpressionScope): Document {
  return evaluateWith(document, scope, { mode: 'deterministic-only', keepsHtml: false, keepsConditions: true })
}

interface EvaluationOptions {
  mode: 'all' | 'deterministic-only'
  keepsHtml: boolean
  keepsConditions?: boolean
}

function evaluateWith(
  document: Document,
  scope: ExpressionScope,
  { mode, keepsHtml, keepsConditions = false }: EvaluationOptions,
): Document {
  const isEvaluated = mode === 'all' ? () => true : memoize(isDeterministic)
  const allowance = { steps: maxSteps }
  const isTrue = memoize((source) => evaluateCondition(source, scope, allowance).value)
  const evaluateText = memoize((source) => evaluateInlineExpression(source, scope, allowance))
  let remainingLength = maxEvaluatedLength

  const evaluateInline = (node: InlineNode): InlineNode => {
    if (node.object === 'text' || node.type !== 'expression')
      return withJoinedTexts(keepsHtml ? node : removeUnrenderedHtml(node))
    const { expression } = node.data
    if (!isEvaluated(expression)) return node
    const text = evaluateText(expression)
    remainingLength -= text.length
    return { object: 'text', leaves: [leaf(remainingLength < 0 ? `{{${expression}}}` : text)] }
  }
  const evaluateBlock = (block: Block): Block | readonly Block[] => {
    if (block.type !== 'if' || keepsConditions || !isEvaluated(block.data.expression)) {
      if (keepsHtml) return withJoinedTexts(block)
      return isInvisibleParagraph(block) && !hasAnchor(block) ? [] : withJoinedTexts(removeUnrenderedHtml(block))
    }
    return isTrue(block.data.expression) ? block.nodes : []
  }
  return withNodes(document, mapNodes(document.nodes, evaluateBlock, evaluateInline))
}

/** Whether an expression reads only variables; false if it cannot be parsed. */
function isDeterministic(source: string): boolean {
  if (source.trim() === '') return true
  try {
    return findInputPaths(parseExpressionLeniently(source)).every(isVariable)
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}

const isVariable = ([scope, vars]: PropertyPath) => (scope === 'space' || scope === 'page') && vars === 'vars'

function memoize<Value>(compute: (source: string) => Value): (source: string) => Value {
  const cache = new Map<string, Value>()
  return (source) => {
    const cached = cache.get(source)
    if (cached !== undefined) return cached
    const value = compute(source)
    cache.set(source, value)
    return value
  }
}

function removeUnrenderedHtml<Node extends Block | InlineNode>(node: Node): Node {
  if (!('nodes' in node)) return node
  const inlines = node.nodes as readonly InlineNode[]
  const nodes = withoutHtml(inlines, isFormattingTag)
  return nodes === inlines ? node : { ...node, nodes }
}

const hasAnchor = (block: Block): boolean =>
  inlinesOf(block).some((node) => node.object === 'inline' && node.type === 'anchor')

/** Joins adjacent texts, which evaluation can produce. */
function withJoinedTexts<Node extends Block | InlineNode>(node: Node): Node {
  if (!('nodes' in node)) return node
  const nodes = node.nodes as readonly (Block | InlineNode)[]
  const isSplit = nodes.some(
    (one, index) =>
      one.object === 'text' && (nodes[index - 1]?.object === 'text' || one.leaves.some(({ text }) => text === '')),
  )
  return isSplit ? { ...node, nodes: joinTexts(nodes as readonly InlineNode[]) } : node
}
