import { createHash } from 'node:crypto'
import { evaluateForVisitor } from '../../content/document/evaluate.ts'
import type { Document } from '../../content/document/nodes.ts'
import { referencesIn } from '../../content/document/references.ts'
import { childBlocks } from '../../content/document/walk.ts'
import { type ExpressionScope, makeExpressionScope } from '../../content/expression/index.ts'
import { type PageObject, type Variables, readObject, readObjects } from '../../content/revision/objects.ts'
import { withReusableContents } from '../../content/revision/reuse.ts'
import { readSequence } from '../../content/revision/sequence.ts'
import type { LocatedPage, PageNode, Tree } from '../../content/revision/tree.ts'
import { Cache } from '../../kernel/cache.ts'
import type { SpaceReadContext } from '../../kernel/context.ts'
import { heapSizeOf } from '../../kernel/heap-size.ts'
import { seesPages } from '../../publishing/pages.ts'
import { Viewpoint } from '../../publishing/visibility.ts'

/** The content of a space that a visitor can see. Members see all content and have no `Sight`. */
export class Sight {
  readonly #tree: Tree
  readonly #viewpoint: Viewpoint
  readonly #claims: Readonly<Record<string, unknown>>

  private constructor(tree: Tree, viewpoint: Viewpoint, claims: Readonly<Record<string, unknown>>) {
    this.#tree = tree
    this.#viewpoint = viewpoint
    this.#claims = claims
  }

  static of({ visitor }: Pick<SpaceReadContext, 'visitor'>, tree: Tree): Sight | undefined {
    return visitor && new Sight(tree, Viewpoint.of(visitor), visitor.claims)
  }

  /** Hash of the claims, for cache keys; visitors with the same claims see the same content. */
  get identity(): string {
    return createHash('sha256').update(JSON.stringify(this.#claims)).digest('base64url')
  }

  /** Whether a page is visible, provided that its ancestors are. */
  sees(page: PageObject): boolean {
    return page.condition === undefined || this.#sees([page])
  }

  /** Whether a page and all its ancestors are visible. */
  async reaches({ page, ancestors }: LocatedPage): Promise<boolean> {
    const hashes = ancestors.map(({ hash }) => hash)
    return this.#sees([...(await readObjects(this.#tree.objects, 'page', hashes)), page])
  }

  #sees(pages: readonly PageObject[]): boolean {
    return seesPages(this.#viewpoint, pages, this.#tree.root.variables)
  }

  /** Removes the condition of a page: conditions can contain names of customers and are not disclosed to visitors. */
  shown(page: PageObject): PageObject {
    const { condition: _, ...rest } = page
    return rest
  }

  /** Returns the visible pages. */
  among(nodes: readonly PageNode[]): PageNode[] {
    return nodes.flatMap((node) =>
      this.sees(node.page) ? [{ ...node, page: this.shown(node.page), children: this.among(node.children) }] : [],
    )
  }

  /** Evaluates a document for the visitor. */
  evaluate(document: Document, pageVariables: Variables | undefined): Document {
    return evaluateForVisitor(document, this.#scopeOf(pageVariables))
  }

  /** Returns the ids of files in visible pages; visitors cannot read other files. */
  async files(): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    let level = [this.#tree.root.pages]
    while (level.length > 0) {
      const lists = await Promise.all(level.map((pages) => readSequence(this.#tree.objects, pages)))
      const hashes = lists.flat().map(({ hash }) => hash)
      const pages = (await readObjects(this.#tree.objects, 'page', hashes, { inPassing: true })).filter((page) =>
        this.sees(page),
      )
      for (const page of pages) for (const id of await this.#filesOf(page)) found.add(id)
      level = pages.map((page) => page.pages)
    }
    return found
  }

  async #filesOf(page: PageObject): Promise<readonly string[]> {
    const refs = [page.cover?.ref, page.cover?.refDark, page.target]
    const own = refs.flatMap((ref) => (ref?.kind === 'file' && ref.space === undefined ? [ref.file] : []))
    if (page.document === undefined) return own
    let shown = filesShown.get(page.document)
    if (shown === undefined) {
      const { document } = await readObject(this.#tree.objects, 'document', page.document)
      shown = isSameForAll(document) ? filesIn(document) : null
      filesShown.set(page.document, shown)
    }
    if (shown !== null) return [...own, ...shown]
    const { document } = await readObject(this.#tree.objects, 'document', page.document)
    const whole = (await withReusableContents(this.#tree, document)).document
    return [...own, ...filesIn(this.evaluate(whole, page.variables))]
  }

  #scopeOf(pageVariables: Variables | undefined): ExpressionScope {
    return makeExpressionScope({
      visitorClaims: this.#claims,
      spaceVariables: this.#tree.root.variables,
      pageVariables: pageVariables ?? {},
    })
  }
}

/** Ids of files in documents that are the same for all visitors, by document hash; null for other documents. */
const filesShown = new Cache<readonly string[] | null>('files shown', heapSizeOf)

function isSameForAll(document: Document): boolean {
  const waiting = [...document.nodes]
  for (let block = waiting.pop(); block; block = waiting.pop()) {
    if (block.type === 'if' || block.type === 'reusable-content') return false
    waiting.push(...childBlocks(block))
  }
  return true
}

function filesIn(document: Document): string[] {
  return referencesIn(document).flatMap(({ ref }) => (ref.kind === 'file' && ref.space === undefined ? [ref.file] : []))
}
