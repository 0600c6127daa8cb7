import type { Code, CodeData } from '../content/document/nodes.ts'
import { createCodeBlock } from '../content/markdown/make-blocks.ts'
import {
  type WebElement,
  ancestorsOf,
  childElements,
  findElement,
  findOutermost,
  hasClass,
  hasClassPrefix,
  isElement,
  hasTagName,
  rawText,
  nodeText,
} from './html-tree.ts'

const isLine = hasClass('line', 'token-line', 'ec-line', 'code-line', 'highlight-line', 'view-line', 'cl-line')

const hasHighlightClass = hasClass(
  'highlighted',
  'highlight',
  'hll',
  'highlighted-line',
  'has-focus',
  'theme-code-block-highlighted-line',
)

/** Returns the prefix of a line in a diff, which sites show beside the code. */
function diffPrefixOf({ classes }: WebElement): '+ ' | '- ' | undefined {
  if (classes.has('ins') || (classes.has('diff') && classes.has('add'))) return '+ '
  return classes.has('del') || (classes.has('diff') && classes.has('remove')) ? '- ' : undefined
}

const isHighlighted = (line: WebElement) => hasHighlightClass(line) && diffPrefixOf(line) === undefined

const hasNonCodeClass = hasClass(
  ...(
    'copy copy-button gutter line-number line-numbers line-numbers-wrapper linenos lineno linenodiv ln lnt rouge-gutter ' +
    'hljs-ln-numbers highlight-line-number sr-only'
  ).split(' '),
)

/** Whether an element contains line numbers or is the container in which a script writes them. */
const isLineNumber = (element: WebElement) =>
  hasClass(
    'line-numbers-wrapper',
    'ln',
    'lnt',
    'linenos',
    'lineno',
    'linenodiv',
    'rouge-gutter',
    'hljs-ln-numbers',
  )(element) || hasClassPrefix(element, 'codeLineNumber')

const isNonCode = (element: WebElement) =>
  element.name === 'button' ||
  element.attributes['aria-hidden'] === 'true' ||
  hasNonCodeClass(element) ||
  hasClassPrefix(element, 'codeLineNumber')

/** Reads the code in a `pre` element without line numbers and buttons. */
export function readPre(pre: WebElement, title?: string, wrapper?: WebElement): Code {
  const code = findElement(pre, (element) => element.name === 'code' && element.parent?.name !== 'a') ?? pre
  const syntax = detectLanguage([code, pre, ...ancestorsOf(pre, 3), ...(wrapper ? [wrapper] : [])])
  const { text, highlighted, isDiff } = extractCode(code)
  const language = isDiff ? 'diff' : syntax
  const data: CodeData = {
    ...(language !== undefined && { syntax: language }),
    ...(title && { title }),
    ...(findElement(wrapper ?? pre, isLineNumber) && { lineNumbers: true }),
    ...(pre.classes.has('wrap') && { overflow: 'wrap' as const }),
  }
  const block = createCodeBlock(text, data)
  if (highlighted.size === 0) return block
  return {
    ...block,
    nodes: block.nodes.map((line, index) => (highlighted.has(index) ? { ...line, data: { highlighted: true } } : line)),
  }
}

function extractCode(code: WebElement): { text: string; highlighted: Set<number>; isDiff: boolean } {
  const lines = findLineElements(code)
  if (lines) {
    const texts = lines.map((line) => readCodeText(line).text.replace(/\n$/, ''))
    const highlighted = lines.flatMap((line, index) => (isHighlighted(line) ? [index] : []))
    // Every element must contain exactly one line, otherwise the indexes of the others would be wrong.
    const isExact = texts.every((text) => !text.includes('\n'))
    const prefixes = lines.map(diffPrefixOf)
    const isDiff = isExact && prefixes.some((sign) => sign !== undefined)
    const prefixed = texts.map((text, index) => (prefixes[index] ?? (text === '' ? '' : '  ')) + text)
    return {
      text: (isDiff ? prefixed : texts).join('\n'),
      highlighted: new Set(isExact ? highlighted : []),
      isDiff,
    }
  }
  const { text, ranges } = readCodeText(code)
  const start = text.startsWith('\n') ? 1 : 0
  const visibleCode = text.slice(start).replace(/\n$/, '')
  return { text: visibleCode, highlighted: toLineIndexes(visibleCode, ranges, start), isDiff: false }
}

/** Returns the line elements of code; undefined if it also contains other elements or text. */
function findLineElements(code: WebElement): WebElement[] | undefined {
  const [only, ...others] = childElements(code).filter((element) => !isNonCode(element))
  if (!only || code.children.some((node) => !isElement(node) && node.trim() !== '')) return undefined
  if (isLine(only)) return others.every(isLine) ? [only, ...others] : undefined
  return others.length === 0 ? findLineElements(only) : undefined
}

/** Returns the text of code and its highlighted ranges. */
function readCodeText(code: WebElement): { text: string; ranges: [start: number, end: number][] } {
  const parts: string[] = []
  const ranges: [number, number][] = []
  let length = 0
  const add = (text: string) => {
    parts.push(text)
    length += text.length
  }
  const read = (element: WebElement): void => {
    for (const node of element.children) {
      if (!isElement(node)) add(node.replace(/\r\n?/g, '\n'))
      else if (node.name === 'br') add('\n')
      else if (!isNonCode(node)) {
        const start = length
        read(node)
        if (node.classes.has('hll')) ranges.push([start, length])
        if (node.name === 'tr' || (node.name === 'div' && !isLine(element))) {
          if (!(parts.at(-1) ?? '\n').endsWith('\n')) add('\n')
        }
      }
    }
  }
  read(code)
  return { text: parts.join(''), ranges }
}

function toLineIndexes(text: string, ranges: readonly [number, number][], shift: number): Set<number> {
  const found = new Set<number>()
  let [line, at] = [0, 0]
  for (const [from, to] of ranges) {
    for (; at < text.length && at < to - shift; at++) {
      if (at >= from - shift) found.add(line)
      if (text[at] === '\n') line++
    }
  }
  return found
}

const plainLanguages: ReadonlySet<string> = new Set([
  'none',
  'text',
  'plaintext',
  'plain',
  'txt',
  'default',
  'undefined',
  'ansi',
])

/** Returns the language of code; `elements` are the `code` element, its `pre`, and their ancestors. */
function detectLanguage(elements: readonly WebElement[]): string | undefined {
  for (const [index, element] of elements.entries()) {
    const isOwn = index < 2
    if (isOwn && element.classes.has('mermaid')) return 'mermaid'
    const { 'data-language': language, 'data-lang': short } = element.attributes
    const found = language ?? short ?? languageInClass(element, isOwn)
    if (found) return plainLanguages.has(found.toLowerCase()) || !/^[\w+#.-]{1,40}$/.test(found) ? undefined : found
  }
  return undefined
}

function languageInClass({ classes }: WebElement, isOwn: boolean): string | undefined {
  for (const name of classes) {
    const [, language] =
      /^(?:language|lang|highlight-source)-(.+)$/.exec(name) ?? (/^highlight-(\w+)$/.exec(name) || [])
    if (language !== undefined) return language
  }
  const other = Array.from(classes).find((name) => name !== 'hljs')
  return isOwn && classes.has('hljs') ? other : undefined
}

const isWrapper = (element: WebElement) =>
  (element.name === 'div' || element.name === 'figure') &&
  (hasClass('theme-code-block', 'highlight', 'codehilite', 'expressive-code', 'frame', 'group/codeblock')(element) ||
    hasClassPrefix(element, 'language-') ||
    hasClassPrefix(element, 'highlight-'))

const isTitle = (element: WebElement) =>
  hasClass('filename', 'code-block-title', 'caption-text')(element) ||
  hasClassPrefix(element, 'codeBlockTitle') ||
  (element.classes.has('title') && element.parent?.name === 'figcaption')

const isProse = hasTagName('p', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote')

/** Reads code with its wrapper: title, buttons, line numbers. */
export function readWrappedCode(element: WebElement): Code | undefined {
  if (!isWrapper(element) || findElement(element, isProse)) return undefined
  // Line numbers in a separate column precede the code.
  const pres = findOutermost(element, hasTagName('pre'))
  const pre = pres.at(-1)
  if (!pre || (pres.length > 1 && !findElement(element, hasTagName('table')))) return undefined
  const title = findElement(element, isTitle) ?? findTitleBefore(element, pre)
  return readPre(pre, title && nodeText(title), element)
}

function findTitleBefore(element: WebElement, pre: WebElement): WebElement | undefined {
  if (!element.classes.has('group/codeblock') || pre.parent !== element) return undefined
  return childElements(element).find(
    (inner) => inner.name === 'div' && inner.index < pre.index && rawText(inner).trim() !== '',
  )
}
