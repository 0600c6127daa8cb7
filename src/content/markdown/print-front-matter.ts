import {
  Document,
  type Pair,
  Scalar,
  type YAMLMap,
  isMap,
  isNode,
  isScalar,
  parseDocument,
  stringify,
  visit,
} from 'yaml'
import { type PageMetadata, keyName, layoutKeys, parseFrontMatter, readFrontMatter } from './front-matter.ts'
import type { References } from './references.ts'

/** Keys in the order in which exporters write them. */
const keyOrder = [
  'title',
  'description',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'icon',
  'emoji',
  'if',
  'cover',
  'coverY',
  'coverHeight',
  'layout',
  'tags',
  'metaLinks',
  'vars',
  'computed',
] as const
type Key = (typeof keyOrder)[number]

/** A value with its path: `['layout', 'title', 'visible']`. */
interface FrontMatterLeaf {
  path: readonly string[]
  value: unknown
}

/**
 * Prints front matter; undefined if there is none. With an original, only the keys with changed values are edited: other keys,
 * comments and the order are kept.
 */
export function printFrontMatter(
  metadata: PageMetadata,
  references: References,
  original?: string,
): string | undefined {
  const wanted = toLeaves(metadata, references)
  const fresh = printKeys(new Document({}), wanted)
  if (original === undefined) return fresh
  const parseLeaves = (yaml: string) => toLeaves(readFrontMatter(yaml, references).metadata, references)
  const changes = diffLeaves(parseLeaves(original), wanted)
  if (changes.length === 0) return original

  const { root, problem } = parseFrontMatter(original)
  // Invalid front matter is kept as a comment, so that it does not affect the new keys.
  const asComment = [original.replace(/^/gm, '# '), ...(fresh === undefined ? [] : [fresh])].join('\n')
  if (problem !== undefined) return asComment
  if (!root) return [...(original.trim() === '' ? [] : [original]), ...(fresh === undefined ? [] : [fresh])].join('\n')

  // Values that front matter cannot express are missing from the parsed result too.
  const expected = fresh === undefined ? [] : parseLeaves(fresh)
  const isAsExpected = (yaml: string) => diffLeaves(parseLeaves(yaml), expected).length === 0
  const edited = [spliceKeys(original, root, changes), printDocument(original, changes)]
  const result = edited.find((yaml) => yaml !== undefined && isAsExpected(yaml)) ?? asComment
  return result.trim() === '' ? undefined : result
}

function toLeaves(metadata: PageMetadata, references: References): FrontMatterLeaf[] {
  const { cover, layout = {}, metaLinks = {}, variables = {} } = metadata
  const values: Record<Exclude<Key, 'layout' | 'metaLinks' | 'vars'>, unknown> = {
    title: metadata.title,
    description: metadata.description,
    hidden: metadata.hidden || undefined,
    noIndex: metadata.noIndex || undefined,
    noRobotsIndex: metadata.noRobotsIndex || undefined,
    icon: metadata.icon,
    emoji: metadata.emoji,
    if: metadata.condition,
    cover:
      cover &&
      (cover.refDark
        ? { light: references.print(cover.ref), dark: references.print(cover.refDark) }
        : references.print(cover.ref)),
    coverY: cover?.yPos,
    coverHeight: cover?.height,
    tags: metadata.tags?.map(({ tag, primary }) => (primary ? { tag, primary } : tag)),
    computed: metadata.computed,
  }
  const leaves = keyOrder.flatMap((key): FrontMatterLeaf[] => {
    switch (key) {
      case 'layout':
        return Object.entries(layoutKeys).map(([part, { path }]) => ({
          path: [key, ...path],
          value: layout[part as keyof typeof layout],
        }))
      case 'metaLinks': {
        const { canonical, alternates } = metaLinks
        return [
          { path: [key, 'canonical'], value: canonical && references.print(canonical) },
          { path: [key, 'alternates'], value: alternates?.map((one) => references.print(one)) },
        ]
      }
      case 'vars':
        return Object.entries(variables).map(([name, value]) => ({ path: [key, name], value }))
      default:
        return [{ path: [key], value: values[key] }]
    }
  })
  return leaves.filter(({ value }) => value !== undefined && !(Array.isArray(value) && value.length === 0))
}

/** Returns the leaves to set, and the leaves to remove with an undefined value. */
function diffLeaves(present: readonly FrontMatterLeaf[], wanted: readonly FrontMatterLeaf[]): FrontMatterLeaf[] {
  const nameOf = ({ path }: FrontMatterLeaf) => JSON.stringify(path)
  const [before, after] = [present, wanted].map((leaves) => new Map(leaves.map((leaf) => [nameOf(leaf), leaf])))
  const removed = present.filter((leaf) => !after?.has(nameOf(leaf))).map(({ path }) => ({ path, value: undefined }))
  const set = wanted.filter((leaf) => JSON.stringify(before?.get(nameOf(leaf))?.value) !== JSON.stringify(leaf.value))
  return [...removed, ...set]
}

/** Maximum length of a plain line; longer texts are folded. */
const maxPlainLength = 78

/** Applies changes to a document and prints it; undefined if no keys remain. */
function printKeys(document: Document, changes: readonly FrontMatterLeaf[]): string | undefined {
  for (const { path, value } of changes) {
    for (let length = 1; length < path.length; length++) {
      const outer = path.slice(0, length)
      if (document.hasIn(outer) && !isMap(document.getIn(outer))) document.deleteIn(outer)
    }
    if (value !== undefined) document.setIn(path, createStyledNode(document, value))
    else removeLeaf(document, path)
  }
  if (!isMap(document.contents) || document.contents.items.length === 0) return undefined
  const printed = document.toString({ lineWidth: maxPlainLength + 1, indentSeq: true, verifyAliasOrder: false })
  return printed.replace(/\n$/, '').replaceAll('\u00a0', '\\_')
}

function removeLeaf(document: Document, path: readonly string[]): void {
  if (document.hasIn(path)) document.deleteIn(path)
  const outer = path.slice(0, -1)
  const around = outer.length > 0 ? document.getIn(outer) : undefined
  if (isMap(around) && around.items.length === 0) removeLeaf(document, outer)
}

/** Returns a YAML node in the style of exporters: long texts are folded, and quotes are single if needed. */
function createStyledNode(document: Document, value: unknown): unknown {
  const node = document.createNode(value)
  visit(node, {
    Scalar(key, scalar) {
      if (key !== 'key' && typeof scalar.value === 'string') scalar.type = styleOf(scalar.value)
    },
  })
  return node
}

function styleOf(text: string): Scalar.Type {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u2028\u2029\ufeff]/.test(text)) return Scalar.QUOTE_DOUBLE
  if (text.split('\n').some((line) => line.length > maxPlainLength)) return Scalar.BLOCK_FOLDED
  if (text.includes('\n')) return Scalar.BLOCK_LITERAL
  return /^["']/.test(stringify(text, { lineWidth: 0 })) ? Scalar.QUOTE_SINGLE : Scalar.PLAIN
}

function printDocument(original: string, changes: readonly FrontMatterLeaf[]): string {
  return printKeys(parseDocument(original, { uniqueKeys: false }), changes) ?? ''
}

interface Edit {
  start: number
  end: number
  text: string
}

/** Replaces the lines of changed keys in a text; undefined if a key does not start at the beginning of a line. */
function spliceKeys(original: string, root: YAMLMap, changes: readonly FrontMatterLeaf[]): string | undefined {
  const keyRanges = new Map<string, { pair: Pair; start: number; end: number }>()
  for (const pair of root.items) {
    const { key, value } = pair
    const name = keyName(key)
    if (name === undefined || keyRanges.has(name) || !isNode(key) || !key.range) continue
    const start = key.range[0]
    if (start > 0 && original[start - 1] !== '\n') return undefined
    const end = isNode(value) && value.range ? value.range[1] : key.range[1]
    keyRanges.set(name, { pair, start, end: start + original.slice(start, end).trimEnd().length })
  }

  const newline = original.includes('\r\n') ? '\r\n' : '\n'
  const edits: Edit[] = []
  for (const key of keyOrder) {
    const keyChanges = changes.filter(({ path }) => path[0] === key)
    if (keyChanges.length === 0) continue
    const keyRange = keyRanges.get(key)
    const document = new Document({})
    if (keyRange && isMap(document.contents)) document.contents.items.push(withoutComments(keyRange.pair))
    const text = printKeys(document, keyChanges)?.replaceAll('\n', newline)
    if (keyRange)
      edits.push(
        text === undefined
          ? { ...extendToLineEnd(original, keyRange), text: '' }
          : createReplacement(original, keyRange, text),
      )
    else if (text !== undefined) edits.push({ ...insertionPoint(original, key, keyRanges), text: text + newline })
  }
  const ended = original.endsWith('\n') ? original : original + newline
  const result = edits
    .sort((a, b) => a.start - b.start)
    .reduceRight((text, { start, end, text: inserted }) => text.slice(0, start) + inserted + text.slice(end), ended)
  return original.endsWith('\n') ? result : result.replace(/\r?\n$/, '')
}

/** Returns a pair without the comments and blank lines around it, which remain in the original. */
function withoutComments(pair: Pair): Pair {
  const copy = pair.clone()
  if (isNode(copy.key)) {
    copy.key.commentBefore = null
    copy.key.spaceBefore = false
  }
  if (isScalar(copy.value)) copy.value.comment = null
  return copy
}

/**
 * Returns the edit that replaces a key. A comment after a single-line value is moved before the key if the new value has several
 * lines.
 */
function createReplacement(original: string, { start, end }: { start: number; end: number }, text: string): Edit {
  const lineEnd = extendToLineEnd(original, { start, end }).end
  const rest = original.slice(end, lineEnd)
  if (!text.includes('\n') || !rest.trim().startsWith('#')) return { start, end, text }
  const newline = /\r?\n$/.exec(rest)?.[0] ?? ''
  return { start, end: lineEnd - newline.length, text: `${rest.trim()}${newline || '\n'}${text}` }
}

/** Returns the complete lines of a key, including the last line break. */
function extendToLineEnd(text: string, { start, end }: { start: number; end: number }): { start: number; end: number } {
  const newline = text.indexOf('\n', end)
  return { start, end: newline === -1 ? text.length : newline + 1 }
}

/**
 * Returns the position of a new key: after the preceding key in the key order, else before the following one, else at the end.
 */
function insertionPoint(
  text: string,
  key: Key,
  keyRanges: ReadonlyMap<string, { start: number; end: number }>,
): { start: number; end: number } {
  const order = keyOrder.indexOf(key)
  const before = keyOrder.slice(0, order).findLast((one) => keyRanges.has(one))
  const after = keyOrder.slice(order + 1).find((one) => keyRanges.has(one))
  const rangeBefore = before === undefined ? undefined : keyRanges.get(before)
  const rangeAfter = after === undefined ? undefined : keyRanges.get(after)
  const at = rangeBefore ? extendToLineEnd(text, rangeBefore).end : (rangeAfter?.start ?? text.length)
  return { start: at, end: at }
}
