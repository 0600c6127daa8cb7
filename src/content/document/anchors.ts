import type { Document } from './nodes.ts'
import { type Anchor, UniqueIds, toAnchorId, anchorsOfBlock } from './outline.ts'
import { walkBlocks } from './walk.ts'

/** Anchors of a document, without that of the title of its page. */
export interface DocumentAnchors {
  anchors: readonly Anchor[]
  blockCount: number
}

/** Returns the anchors of a document with anchor ids. */
export function listAnchors(document: Document): DocumentAnchors {
  const blocks = [...walkBlocks(document)]
  return { anchors: blocks.flatMap(anchorsOfBlock), blockCount: blocks.length }
}

/** Anchors of a page, with a lookup by the spellings that links use. */
export class PageAnchors {
  /** Id of the title; undefined if the title has no letters or digits, or another anchor on the page has the id. */
  readonly titleId: string | undefined
  /** Number of blocks of the page. */
  readonly blockCount: number
  readonly #title: string
  readonly #anchors: readonly Anchor[]
  readonly #ids: ReadonlySet<string>
  readonly #slugOf: (text: string) => string
  #byGitHubSlug: ReadonlyMap<string, string> | undefined
  #byLetters: ReadonlyMap<string, string | undefined> | undefined

  /** Requires a document with anchor ids, see `withAnchorIds`, or its anchors. */
  constructor(title: string, source: Document | DocumentAnchors, slugOf: (text: string) => string) {
    const { anchors: ofBlocks, blockCount } = 'nodes' in source ? listAnchors(source) : source
    const anchors = [...ofBlocks]
    const ids = new Set(anchors.map(({ id }) => id))
    this.blockCount = blockCount
    const titleId = normalizeLetters(title) === '' ? undefined : toAnchorId(slugOf(title))
    if (titleId !== undefined && !ids.has(titleId)) {
      this.titleId = titleId
      ids.add(titleId)
      anchors.push({ id: titleId, name: title, isHeading: false })
    }
    this.#title = title
    this.#anchors = anchors
    this.#ids = ids
    this.#slugOf = slugOf
  }

  /**
   * Returns the id that a link refers to: the written id, or else the id of the heading that has this anchor in other
   * tools. Undefined if nothing on the page matches.
   */
  find(anchor: string): string | undefined {
    if (this.#ids.has(anchor)) return anchor
    const decoded = tryDecodePercent(anchor)
    const plain = decoded.replace(/^user-content-/, '')
    const unprefixed = plain.replace(/^id-/, '')
    for (const spelling of [decoded, plain, unprefixed, `id-${plain}`]) if (this.#ids.has(spelling)) return spelling
    this.#byGitHubSlug ??= this.#indexByGitHubSlug()
    const found = this.#byGitHubSlug.get(plain.toLowerCase())
    if (found !== undefined) return found
    this.#byLetters ??= this.#indexByLetters()
    return this.#byLetters.get(normalizeLetters(plain)) ?? this.#byLetters.get(normalizeLetters(unprefixed))
  }

  /** Maps GitHub's heading anchors to ids. GitHub counts the page title as the first of the headings with the same text. */
  #indexByGitHubSlug(): ReadonlyMap<string, string> {
    const slugs = new UniqueIds([])
    const idsBySlug = new Map<string, string>()
    const title = slugs.assignFromTitle(toGitHubSlug(this.#title))
    if (this.titleId !== undefined) idsBySlug.set(title, this.titleId)
    for (const { id, name, isHeading } of this.#anchors)
      if (isHeading) idsBySlug.set(slugs.assignFromTitle(toGitHubSlug(name)), id)
    idsBySlug.delete('')
    return idsBySlug
  }

  /**
   * Maps the letters and digits of ids, or else of names and their slugs, to ids. Of equal names the first is used;
   * different names with the same letters are excluded. The slug of a name is a lookup key, and written anchors are not
   * converted to slugs, because a slug of a non-Latin text may have no letters.
   */
  #indexByLetters(): ReadonlyMap<string, string | undefined> {
    const anchorsByLetters = new Map<string, Anchor | undefined>()
    for (const anchor of this.#anchors) {
      for (const letters of new Set([normalizeLetters(anchor.name), normalizeLetters(this.#slugOf(anchor.name))])) {
        const other = anchorsByLetters.get(letters)
        if (!anchorsByLetters.has(letters)) anchorsByLetters.set(letters, anchor)
        else if (other?.name !== anchor.name) anchorsByLetters.set(letters, undefined)
      }
    }
    const idsByLetters = new Map(Array.from(anchorsByLetters, ([letters, anchor]) => [letters, anchor?.id]))
    for (const { id } of this.#anchors.toReversed()) idsByLetters.set(normalizeLetters(id), id)
    idsByLetters.delete('')
    return idsByLetters
  }
}

/** Returns the anchor that GitHub gives to a heading, before equal ones are numbered. */
const toGitHubSlug = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

const normalizeLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

function tryDecodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
