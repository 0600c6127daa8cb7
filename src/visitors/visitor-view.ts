import { createHash } from 'node:crypto'
import { evaluateForVisitor } from '../content/document/evaluate.ts'
import type { Document } from '../content/document/nodes.ts'
import { collectReferences } from '../content/document/references.ts'
import { childBlocks } from '../content/document/walk.ts'
import { type ExpressionScope, makeExpressionScope } from '../content/expression/index.ts'
import { type PageObject, type Variables, readObject, readObjects } from '../content/revision/objects.ts'
import { expandReusableContents } from '../content/revision/reusable-contents.ts'
import { readSequence } from '../content/revision/sequence.ts'
import type { LocatedPage, PageNode, Tree } from '../content/revision/tree.ts'
import { Cache } from '../kernel/cache.ts'
import type { SpaceReadContext } from '../kernel/context.ts'
import { estimateHeapSize } from '../kernel/heap-size.ts'
import { canSeePage } from '../publishing/pages.ts'
import { Viewpoint } from '../publishing/visibility.ts'

/** The content of a space that a visitor can see. Members see all content and have no `VisitorView`. */
export class VisitorView {
  readonly #tree: Tree
  readonly #viewpoint: Viewpoint
  readonly #claims: Readonly<Record<string, unknown>>

  private constructor(tree: Tree, viewpoint: Viewpoint, claims: Readonly<Record<string, unknown>>) {
    this.#tree = tree
    this.#viewpoint = viewpoint
    this.#claims = claims
  }

  static of({ visitor }: Pick<SpaceReadContext, 'visitor'>, tree: Tree): VisitorView | undefined {
    return visitor && new VisitorView(tree, Viewpoint.of(visitor), visitor.claims)
  }

  /** Hash of the claims, for cache keys; visitors with the same claims see the same content. */
  get identity(): string {
    return createHash('sha256').update(JSON.stringify(this.#claims)).digest('base64url')
  }

  /** Whether a page is visible, provided that its ancestors are. */
  isVisible(page: PageObject): boolean {
    return page.condition === undefined || this.#areVisible([page])
  }

  /** Whether a page and all its ancestors are visible. */
  async isVisibleWithAncestors({ page, ancestors }: LocatedPage): Promise<boolean> {
    const hashes = ancestors.map(({ hash }) => hash)
    return this.#areVisible([...(await readObjects(this.#tree.objects, 'page', hashes)), page])
  }

  #areVisible(pages: readonly PageObject[]): boolean {
    return canSeePage(this.#viewpoint, pages, this.#tree.root.variables)
  }

  /** Removes the condition of a page: conditions can contain names of customers and are not disclosed to visitors. */
  withoutCondition(page: PageObject): PageObject {
    const { condition: _, ...rest } = page
    return rest
  }

  /** Returns the visible pages. */
  filterPages(nodes: readonly PageNode[]): PageNode[] {
    return nodes.flatMap((node) =>
      this.isVisible(node.page)
        ? [{ ...node, page: this.withoutCondition(node.page), children: this.filterPages(node.children) }]
        : [],
    )
  }

  /** Evaluates a document for the visitor. */
  evaluate(document: Document, pageVariables: Variables | undefined): Document {
    return evaluateForVisitor(document, this.#createScope(pageVariables))
  }

  /** Returns the ids of files in visible pages; visitors cannot read other files. */
  async findVisibleFileIds(): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    let level = [this.#tree.root.pages]
    while (level.length > 0) {
      const lists = await Promise.all(level.map((pages) => readSequence(this.#tree.objects, pages)))
      const hashes = lists.flat().map(({ hash }) => hash)
      const pages = (await readObjects(this.#tree.objects, 'page', hashes, { skipCache: true })).filter((page) =>
        this.isVisible(page),
      )
      for (const page of pages) for (const id of await this.#findFileIdsOf(page)) found.add(id)
      level = pages.map((page) => page.pages)
    }
    return found
  }

  async #findFileIdsOf(page: PageObject): Promise<readonly string[]> {
    const refs = [page.cover?.ref, page.cover?.refDark, page.target]
    const own = refs.flatMap((ref) => (ref?.kind === 'file' && ref.space === undefined ? [ref.file] : []))
    if (page.document === undefined) return own
    let shown = visibleFilesCache.get(page.document)
    if (shown === undefined) {
      const { document } = await readObject(this.#tree.objects, 'document', page.document)
      shown = isSameForAllVisitors(document) ? findFileIds(document) : null
      visibleFilesCache.set(page.document, shown)
    }
    if (shown !== null) return [...own, ...shown]
    const { document } = await readObject(this.#tree.objects, 'document', page.document)
    const expanded = (await expandReusableContents(this.#tree, document)).document
    return [...own, ...findFileIds(this.evaluate(expanded, page.variables))]
  }

  #createScope(pageVariables: Variables | undefined): ExpressionScope {
    return makeExpressionScope({
      visitorClaims: this.#claims,
      spaceVariables: this.#tree.root.variables,
      pageVariables: pageVariables ?? {},
    })
  }
}

/** Ids of files in documents that are the same for all visitors, by document hash; null for other documents. */
const visibleFilesCache = new Cache<readonly string[] | null>('files shown', estimateHeapSize)

function isSameForAllVisitors(document: Document): boolean {
  const stack = [...document.nodes]
  for (let block = stack.pop(); block; block = stack.pop()) {
    if (block.type === 'if' || block.type === 'reusable-content') return false
    stack.push(...childBlocks(block))
  }
  return true
}

function findFileIds(document: Document): string[] {
  return collectReferences(document).flatMap(({ ref }) =>
    ref.kind === 'file' && ref.space === undefined ? [ref.file] : [],
  )
}
