import type { Document } from './nodes.ts'
import { type Anchor, UniqueIds, anchorIdOf, anchorsOfBlock } from './outline.ts'
import { everyBlock } from './walk.ts'

/** The anchors of a page, found by the ways in which links write them. */
export class PageAnchors {
  /** The id of the title; undefined when the title has no letters, or something else on the page has the id. */
  readonly titleId: string | undefined
  /** How many blocks the page has. */
  readonly blocks: number
  readonly #title: string
  readonly #anchors: readonly Anchor[]
  readonly #ids: ReadonlySet<string>
  readonly #slugOf: (text: string) => string
  #byGitHubSlug: ReadonlyMap<string, string> | undefined
  #byLetters: ReadonlyMap<string, string | undefined> | undefined

  /** The document must have its anchors; see `withAnchors`. */
  constructor(title: string, document: Document, slugOf: (text: string) => string) {
    const blocks = [...everyBlock(document)]
    const anchors = blocks.flatMap(anchorsOfBlock)
    const ids = new Set(anchors.map(({ id }) => id))
    this.blocks = blocks.length
    const titleId = lettersOf(title) === '' ? undefined : anchorIdOf(slugOf(title))
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
   * The id that a link means: the one that it writes, or else the one of the heading that has this anchor in other tools.
   * Undefined when nothing on the page can be meant.
   */
  find(written: string): string | undefined {
    if (this.#ids.has(written)) return written
    const decoded = percentDecoded(written)
    const plain = decoded.replace(/^user-content-/, '')
    const unprefixed = plain.replace(/^id-/, '')
    for (const spelling of [decoded, plain, unprefixed, `id-${plain}`]) if (this.#ids.has(spelling)) return spelling
    this.#byGitHubSlug ??= this.#gitHubSlugs()
    const found = this.#byGitHubSlug.get(plain.toLowerCase())
    if (found !== undefined) return found
    this.#byLetters ??= this.#letters()
    return this.#byLetters.get(lettersOf(plain)) ?? this.#byLetters.get(lettersOf(unprefixed))
  }

  /** On GitHub the title of the page is counted as the first of the headings that have the same text. */
  #gitHubSlugs(): ReadonlyMap<string, string> {
    const slugs = new UniqueIds([])
    const found = new Map<string, string>()
    const title = slugs.ofTitle(gitHubSlugOf(this.#title))
    if (this.titleId !== undefined) found.set(title, this.titleId)
    for (const { id, name, isHeading } of this.#anchors) if (isHeading) found.set(slugs.ofTitle(gitHubSlugOf(name)), id)
    found.delete('')
    return found
  }

  /**
   * Ids by the letters and digits of ids, or else of names and their slugs; of equal names the first counts, and different
   * names with the same letters are left out. Slugs are compared with anchors rather than made of them, as other scripts
   * than Latin may have no letters in a slug.
   */
  #letters(): ReadonlyMap<string, string | undefined> {
    const found = new Map<string, Anchor | undefined>()
    for (const anchor of this.#anchors) {
      for (const letters of new Set([lettersOf(anchor.name), lettersOf(this.#slugOf(anchor.name))])) {
        const other = found.get(letters)
        if (!found.has(letters)) found.set(letters, anchor)
        else if (other?.name !== anchor.name) found.set(letters, undefined)
      }
    }
    const ids = new Map(Array.from(found, ([letters, anchor]) => [letters, anchor?.id]))
    for (const { id } of this.#anchors.toReversed()) ids.set(lettersOf(id), id)
    ids.delete('')
    return ids
  }
}

/** The anchor of a heading on GitHub, before equal ones are numbered. */
const gitHubSlugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
