import { leaf } from '../../content/document/build.ts'
import { diffInlines } from '../../content/document/diff.ts'
import type { DocumentConflict } from '../../content/document/merge.ts'
import type { Block, InlineNode } from '../../content/document/nodes.ts'
import { isTextBlock } from '../../content/document/block-groups.ts'
import type { Conflict, Side, Sides } from '../../content/revision/conflict.ts'
import {
  type FileObject,
  type ItemEntry,
  type ReusableContentObject,
  readObjects,
} from '../../content/revision/objects.ts'
import type { PageLocation } from '../../content/revision/subtree.ts'
import { type PageNode, readPageNodes } from '../../content/revision/tree.ts'
import type { Conflict as PresentedConflict } from '../../contract/change-request.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { type LinkContext, documentIdOf, downloadUrlOf } from '../content/signed-links.ts'
import { toLinkContext } from '../content/reads.ts'
import { refreshConflictRows } from './merging.ts'

type ChangeRequestRow = Row<'change_requests'>
type ConflictRow = Row<'change_request_conflicts'>

/** A conflict with its resolution. */
export interface ListedConflict {
  id: string
  conflict: Conflict
  resolution: ConflictRow['resolution']
  /** True if the sides no longer differ. */
  isSettled?: boolean
}

/** Maximum number of descendants listed for a conflicting page. */
const maxListedDescendants = 20

const sideNames = ['base', 'ours', 'theirs'] as const

/** Presents stored conflicts; open ones have the current values of both sides. */
export async function presentConflictRows(
  context: SpaceContext,
  request: ChangeRequestRow,
  rows: readonly ConflictRow[],
): Promise<PresentedConflict[]> {
  const open = rows.filter(({ resolution }) => resolution === null)
  const refreshed = await refreshConflictRows(context, request, open)
  const current = new Map(open.map(({ id }, index) => [id, refreshed[index]]))
  const listed = rows.map(({ id, body, resolution }): ListedConflict => {
    const isSettled = resolution === null && current.get(id) === undefined
    return { id, conflict: current.get(id) ?? (JSON.parse(body) as Conflict), resolution, isSettled }
  })
  return presentConflicts(context, request, listed)
}

export async function presentConflicts(
  context: SpaceContext,
  request: ChangeRequestRow,
  listed: readonly ListedConflict[],
): Promise<PresentedConflict[]> {
  const presenter = await ConflictPresenter.load(context, request, listed)
  return listed.map((one) => presenter.present(one))
}

function setByHash<Read>(into: Map<string, Read>, hashes: readonly string[], found: readonly Read[]): void {
  for (const [index, one] of found.entries()) into.set(hashes[index] as string, one)
}

/** Presents conflicts after reading all objects they refer to in a few queries. */
class ConflictPresenter {
  readonly #context: SpaceContext
  readonly #request: ChangeRequestRow
  readonly #linkContext: LinkContext
  readonly #pages = new Map<string, PageNode>()
  readonly #files = new Map<string, FileObject>()
  readonly #contents = new Map<string, ReusableContentObject>()

  private constructor(context: SpaceContext, request: ChangeRequestRow) {
    this.#context = context
    this.#request = request
    this.#linkContext = toLinkContext(context, context.space.id)
  }

  static async load(
    context: SpaceContext,
    request: ChangeRequestRow,
    listed: readonly ListedConflict[],
  ): Promise<ConflictPresenter> {
    const presenter = new ConflictPresenter(context, request)
    await presenter.#loadObjects(listed)
    return presenter
  }

  async #loadObjects(listed: readonly ListedConflict[]): Promise<void> {
    const objects = this.#context.openObjects(this.#context.db, this.#context.space.organization_id)
    const pages = new Map<string, PageLocation['entry']>()
    const [files, contents] = [new Set<string>(), new Set<string>()]
    for (const { conflict } of listed) {
      if (!('about' in conflict) || conflict.about !== 'existence') continue
      for (const side of sideNames) {
        const value = conflict[side]
        if (!value) continue
        if ('entry' in value) pages.set(value.entry.hash, value.entry)
        else if (conflict.on === 'file') files.add(value.hash)
        else contents.add(value.hash)
      }
    }
    const nodes = await readPageNodes(objects, { level: 0, entries: [...pages.values()] })
    for (const node of nodes) this.#pages.set(node.entry.hash, node)
    setByHash(this.#files, [...files], await readObjects(objects, 'file', [...files]))
    setByHash(this.#contents, [...contents], await readObjects(objects, 'reusable-content', [...contents]))
  }

  present({ id, conflict, resolution, isSettled = false }: ListedConflict): PresentedConflict {
    const message = isSettled ? 'The sides no longer differ. The next merge removes this conflict' : conflict.message
    return {
      object: 'change-request-conflict',
      id,
      ...this.#presentSubject(conflict),
      ...diffWords(conflict),
      ...(message !== undefined && { message }),
      status: resolution === null ? 'open' : 'resolved',
      ...(resolution !== null && { resolution }),
    }
  }

  #presentSubject(conflict: Conflict) {
    switch (conflict.on) {
      case 'page': {
        const on = { page: conflict.page }
        switch (conflict.about) {
          case 'existence': {
            const present = (pageLocation: PageLocation, side: Side) =>
              this.#presentPage(pageLocation, this.#location(conflict, side, 'page'))
            return { type: conflict.about, ...on, ...mapSides(conflict, present) }
          }
          case 'block':
            return { ...on, ...presentBlock(conflict.block) }
          case 'field':
            return {
              type: conflict.about,
              ...on,
              field: conflict.field,
              ...this.#presentField(conflict.field, conflict),
            }
          case 'place':
            return {
              type: conflict.about,
              ...on,
              ...pickSides(conflict),
              ...(conflict.after && { after: conflict.after }),
            }
        }
        break
      }
      case 'reusable-content': {
        const on = { reusableContent: conflict.reusableContent }
        switch (conflict.about) {
          case 'existence': {
            const present = (entry: ItemEntry, side: Side) =>
              this.#presentReusableContent(entry, this.#location(conflict, side, 'reusable-contents'))
            return { type: conflict.about, ...on, ...mapSides(conflict, present) }
          }
          case 'block':
            return { ...on, ...presentBlock(conflict.block) }
          case 'field':
            return {
              type: conflict.about,
              ...on,
              field: conflict.field,
              ...this.#presentField(conflict.field, conflict),
            }
        }
        break
      }
      case 'file': {
        const present = (entry: ItemEntry, side: Side) =>
          this.#presentFile(entry, this.#location(conflict, side, 'files'))
        return { type: conflict.about, file: conflict.file, ...mapSides(conflict, present) }
      }
      case 'variable':
        return { type: 'value' as const, variable: conflict.name, ...pickSides(conflict) }
      case 'tag':
        return { type: 'value' as const, tag: conflict.slug, ...pickSides(conflict) }
    }
  }

  /** Presents the sides of a field; documents are presented as their ids. */
  #presentField(field: string, sides: Sides<unknown>) {
    if (field !== 'document') return pickSides(sides)
    return mapSides(sides, (hash) => (typeof hash === 'string' ? documentIdOf(this.#linkContext, hash) : hash))
  }

  /** Returns the API URL at which a side of a conflict can be read. */
  #location(conflict: Conflict, side: Side, kind: 'page' | 'files' | 'reusable-contents'): { location?: string } {
    const { space, urls } = this.#context
    const id = 'page' in conflict ? conflict.page : 'file' in conflict ? conflict.file : undefined
    const name = id ?? ('reusableContent' in conflict ? conflict.reusableContent : '')
    const at = (path: string) => ({ location: urls.api(`/spaces/${space.id}/${path}/${kind}/${name}`) })
    if (side === 'ours') return at(`change-requests/${this.#request.id}/content`)
    if (side === 'theirs') return at(`revisions/${space.revision_id}`)
    return conflict.baseRevision === undefined ? {} : at(`revisions/${conflict.baseRevision}`)
  }

  #presentPage({ entry, parent }: PageLocation, urls: { location?: string }) {
    const node = this.#pages.get(entry.hash)
    const descendants = node ? collectDescendants(node) : []
    const { id, type, slug } = entry
    return {
      id,
      type,
      slug,
      title: node?.page.title ?? '',
      parent,
      ...(node?.page.document !== undefined && { document: documentIdOf(this.#linkContext, node.page.document) }),
      pages: descendants.slice(0, maxListedDescendants).map((one) => ({ id: one.entry.id, title: one.page.title })),
      pageCount: descendants.length,
      urls,
    }
  }

  #presentFile(entry: ItemEntry, urls: { location?: string }) {
    const file = this.#files.get(entry.hash)
    if (!file) return { id: entry.id, urls }
    const { name, contentType, size } = file
    return { id: entry.id, name, contentType, size, downloadURL: downloadUrlOf(this.#linkContext, entry, file), urls }
  }

  #presentReusableContent(entry: ItemEntry, urls: { location?: string }) {
    const content = this.#contents.get(entry.hash)
    if (!content) return { id: entry.id, urls }
    return { id: entry.id, title: content.title, document: documentIdOf(this.#linkContext, content.document), urls }
  }
}

/** Presents a conflict about a block or its position. */
function presentBlock(block: DocumentConflict) {
  if (block.part === 'place') return { type: block.part, block: block.key, ...pickSides(block) }
  const parts = block.parts && block.parts.length > 0 && { parts: [...block.parts] }
  return { type: 'block' as const, block: block.key, ...pickSides(block), ...parts }
}

const pickSides = ({ base, ours, theirs }: Sides<unknown>) => ({ base, ours, theirs })

function mapSides<Value>(sides: Sides<Value | null>, present: (value: Value, side: Side) => unknown) {
  const presented = (side: Side) => {
    const value = sides[side]
    return value === null ? null : present(value, side)
  }
  return { base: presented('base'), ours: presented('ours'), theirs: presented('theirs') }
}

/** Returns all descendants of a page, parents first. */
function collectDescendants(node: PageNode): PageNode[] {
  const descendants = [...node.children]
  for (const one of descendants) descendants.push(...one.children)
  return descendants
}

/** Returns the word diffs between the base and each side of a text. */
function diffWords(conflict: Conflict): Pick<PresentedConflict, 'words'> {
  if (!('about' in conflict)) return {}
  if (conflict.about === 'block' && conflict.block.part === 'place') return {}
  const texts =
    conflict.about === 'block'
      ? readSideTexts(conflict.block as Sides<Block | null>, inlinesOfBlock)
      : conflict.about === 'field' && conflict.field !== 'document'
        ? readSideTexts(conflict, inlinesOfText)
        : undefined
  if (!texts) return {}
  const changes = (side: readonly InlineNode[]) =>
    diffInlines(texts.base, side).map(({ kind, text }) => ({ kind, text }))
  return { words: { ours: changes(texts.ours), theirs: changes(texts.theirs) } }
}

/** Returns the texts of all sides; undefined if one of them is not text. */
function readSideTexts<Value>(
  { base, ours, theirs }: Sides<Value | null | undefined>,
  read: (value: Value) => readonly InlineNode[] | undefined,
): Sides<readonly InlineNode[]> | undefined {
  const [before, mine, other] = [base, ours, theirs].map((value) =>
    value === null || value === undefined ? [] : read(value),
  )
  return before && mine && other && { base: before, ours: mine, theirs: other }
}

const inlinesOfBlock = (block: Block): readonly InlineNode[] | undefined =>
  isTextBlock(block) ? block.nodes : undefined

const inlinesOfText = (text: unknown): readonly InlineNode[] | undefined =>
  typeof text === 'string' ? [{ object: 'text', leaves: [leaf(text)] }] : undefined
