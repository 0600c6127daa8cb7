import { selectVisibleSpaces } from '../../access/content-roles.ts'
import { PageAnchors } from '../../content/document/anchors.ts'
import { assignKeys } from '../../content/document/assign-keys.ts'
import { indexBlocks } from '../../content/document/block-groups.ts'
import { evaluateForMember, evaluateForVisitor } from '../../content/document/evaluate.ts'
import type { Document } from '../../content/document/nodes.ts'
import { withAnchorIds } from '../../content/document/outline.ts'
import { makeExpressionScope } from '../../content/expression/index.ts'
import { toSlug } from '../../content/markdown/slug.ts'
import { type LineagePage, readLineages } from '../../content/revision/lineages.ts'
import type { PageObject, Variables } from '../../content/revision/objects.ts'
import { expandReusableContents } from '../../content/revision/reusable-contents.ts'
import type { Tree } from '../../content/revision/tree.ts'
import { getComputedContent } from '../../domain/revisions/revisions.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { canSeePage } from '../../publishing/pages.ts'
import type { PlainObject } from '../../publishing/plain-data.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import { readDocumentObject } from '../content/body.ts'
import type { ReferenceReader, ReferenceSpace } from './references.ts'

/** Maximum number of other spaces in which the references of one document are looked up. */
const maxOtherSpaces = 100

/** Access of a member to the spaces of the organization. */
export class MemberReader implements ReferenceReader {
  readonly context: SpaceContext
  readonly organizationId: string
  /** Claims of the visitor whose view is previewed; undefined if all content is shown. */
  readonly visitorClaims: PlainObject | undefined
  #otherSpaces = 0

  constructor(context: SpaceContext, visitorClaims?: PlainObject) {
    this.context = context
    this.visitorClaims = visitorClaims
    this.organizationId = context.space.organization_id
  }

  async openSpace(spaceId: string): Promise<MemberSpace | undefined> {
    if (this.#otherSpaces++ >= maxOtherSpaces) return undefined
    const { db, viewer } = this.context
    const space = await selectVisibleSpaces(db, viewer)
      .where('spaces.id', '=', spaceId)
      .select(['spaces.id', 'spaces.organization_id', 'spaces.title', 'spaces.revision_id'])
      .executeTakeFirst()
    if (!space) return undefined
    const { tree } = await getComputedContent(this.context, space, space.revision_id)
    return new MemberSpace(this, space, tree)
  }

  isExternalUrl(url: string): boolean {
    return !url.startsWith(this.context.urls.app('/'))
  }
}

/** A space as its members see it: with all content, and links to the web app. */
export class MemberSpace implements ReferenceSpace {
  readonly reader: MemberReader
  readonly spaceId: string
  readonly title: string
  readonly tree: Tree
  readonly href: string
  readonly #anchors = new Map<string, PageAnchors>()

  /** `changeRequest` is the number of the change request whose content the tree contains. */
  constructor(reader: MemberReader, space: { id: string; title: string }, tree: Tree, changeRequest?: number) {
    this.reader = reader
    this.spaceId = space.id
    this.title = space.title
    this.tree = tree
    const path = `/spaces/${space.id}`
    this.href = reader.context.urls.app(changeRequest === undefined ? path : `${path}/change-requests/${changeRequest}`)
  }

  hrefOf({ entry }: LineagePage): string {
    return `${this.href}/pages/${entry.id}`
  }

  async findPagesById(ids: readonly string[]): Promise<Map<string, LineagePage>> {
    const found = new Map<string, LineagePage>()
    for (const [id, lineage] of await readLineages(this.tree, ids)) found.set(id, lineage.at(-1) as LineagePage)
    return found
  }

  /** Whether the visitor whose view is previewed sees a page; undefined without such a preview. */
  async isVisible(pageId: string): Promise<boolean | undefined> {
    const { visitorClaims: claims } = this.reader
    if (!claims) return undefined
    const lineage = (await readLineages(this.tree, [pageId])).get(pageId) ?? []
    const viewpoint = Viewpoint.of({ seesDrafts: true, claims })
    return canSeePage(
      viewpoint,
      lineage.map(({ page }) => page),
      this.tree.root.variables,
    )
  }

  hasLoadedAnchors({ entry }: LineagePage): boolean {
    return this.#anchors.has(entry.id)
  }

  async readAnchors({ entry, page }: LineagePage): Promise<PageAnchors> {
    const cached = this.#anchors.get(entry.id)
    if (cached) return cached
    const anchors = new PageAnchors(page.title, await this.readDocument(page), toSlug)
    this.#anchors.set(entry.id, anchors)
    return anchors
  }

  /** Returns the document of a page, prepared for rendering. */
  async readDocument(page: PageObject): Promise<Document> {
    return this.prepareDocument(await readDocumentObject(this.tree, page.document), page.variables)
  }

  /**
   * Inserts reusable contents into a document and evaluates its expressions. All blocks have keys; those of inserted blocks start
   * with the key of the reference.
   */
  async prepareDocument(stored: Document, pageVariables?: Variables): Promise<Document> {
    const yieldIfDue = createYielder()
    const identified = indexBlocks(stored) ? stored : assignKeys(undefined, stored)
    await yieldIfDue()
    const { document } = await expandReusableContents(this.tree, identified, { qualifiesKeys: true })
    await yieldIfDue()
    const { visitorClaims } = this.reader
    const scope = makeExpressionScope({ visitorClaims, spaceVariables: this.tree.root.variables, pageVariables })
    const evaluated = visitorClaims ? evaluateForVisitor(document, scope) : evaluateForMember(document, scope)
    await yieldIfDue()
    return withAnchorIds(evaluated, toSlug)
  }
}
