import { findSpace, visitorIn } from '../access/authorize.ts'
import { seesOnSite } from '../access/visits.ts'
import { outlineOf, withAnchors } from '../content/document/outline.ts'
import { slugOf } from '../content/markdown/slug.ts'
import { type Lineage, readLineages } from '../content/revision/lineages.ts'
import { type PageObject, readObject } from '../content/revision/objects.ts'
import { emptyDocument } from '../content/revision/reuse.ts'
import { type Tree, findPageByPath } from '../content/revision/tree.ts'
import type { BaseContext, SiteVisitor } from '../kernel/context.ts'
import { pathOnSite, seesPages } from '../publishing/pages.ts'
import { Viewpoint } from '../publishing/visibility.ts'
import { renderDocument } from '../render/document.ts'
import { markup } from '../render/html.ts'
import type { Setting } from '../render/setting.ts'
import type { PageLink, PageShell, SidebarItem } from '../render/shell.ts'
import { english } from '../render/texts.ts'
import { findChangeRequest } from '../resources/change-requests/reads.ts'
import { prepared } from '../resources/content/body.ts'
import { Sight } from '../resources/content/sight.ts'
import { getContent } from '../resources/revisions/revisions.ts'
import { landingPageOf } from '../resources/site-structure/addresses.ts'
import { findLiveSpace } from '../resources/spaces/reads.ts'
import { type Place, addressIn } from '../resources/urls/locate.ts'
import { type NavigationItem, readNavigation, readNeighbours } from './navigation.ts'
import { References, type SiteView } from './references.ts'

/** What is shown at a place: a page, nothing, or something at another address. */
export type Shown =
  | { kind: 'page'; shell: Omit<PageShell, 'stylesheet'> }
  | { kind: 'redirect'; to: string }
  | undefined

/** Reads what a visitor sees at a place. Who lets somebody preview a site shows them no more than they see themselves. */
export async function readSitePage(context: BaseContext, found: Place): Promise<Shown> {
  const visitor = await visitorIn(context.db, found.arrived.visitor, found.space.spaceId ?? '')
  if (!seesOnSite(found.site, found.structure, found.space, visitor)) return undefined
  return readFor(context, { ...found, viewpoint: Viewpoint.of(visitor) }, visitor)
}

async function readFor(context: BaseContext, place: Place, visitor: SiteVisitor): Promise<Shown> {
  const { site, space: item, rest, viewpoint, structure, siteBase } = place
  const view: SiteView = {
    context,
    structure,
    viewpoint,
    base: siteBase,
    openSpace: (id) => openSpace(context, place, id),
  }
  const tree = await openSpace(context, place, item.spaceId ?? '')
  const lineage = tree && (await findLineage(tree, place))
  if (
    !tree ||
    !lineage ||
    !seesPages(
      viewpoint,
      lineage.map(({ page }) => page),
      tree.root.variables,
    )
  )
    return undefined

  const { entry, page } = lineage.at(-1) as Lineage[number]
  const path = lineage.map((step) => step.entry.slug)
  const landing = await landingPageOf(tree, item)
  const addressOf = (id: string, steps: readonly string[]) => addressIn(place, item, id === landing ? [] : steps)
  // Addresses of former times, in another case, or of groups lead to what is there now.
  if (entry.type !== 'document') return firstBelow(tree, place, page, path, addressOf)
  const canonical = addressOf(entry.id, path)
  if (canonical !== addressIn(place, item, rest)) return { kind: 'redirect', to: canonical }

  const stored =
    page.document === undefined ? emptyDocument : (await readObject(tree.objects, 'document', page.document)).document
  const sight = Sight.of({ visitor }, tree)
  const query = { evaluated: true, dereferenced: true } as const
  const document = withAnchors(await prepared(tree, stored, query, { pageVariables: page.variables, sight }), slugOf)
  const references = await References.of(view, { item, tree, pageId: entry.id }, document)
  const open = new Set(lineage.map((step) => step.entry.id))
  const navigation = await readNavigation(tree, viewpoint, open)
  const neighbours = await readNeighbours(tree, viewpoint, navigation, entry.id)
  const linkOf = (one: NavigationItem | undefined): PageLink | undefined =>
    one && { title: one.page.title, href: addressOf(one.entry.id, one.path.split('/')) }
  const sidebarOf = (items: readonly NavigationItem[]): SidebarItem[] =>
    items.map((one) => ({
      title: one.page.linkTitle ?? one.page.title,
      href: hrefOf(one, addressOf),
      isCurrent: one.entry.id === entry.id,
      isGroup: one.entry.type === 'group',
      isExternal: one.entry.type === 'link',
      children: sidebarOf(one.children),
    }))
  return {
    kind: 'page',
    shell: {
      language: 'en',
      siteTitle: site.title,
      homeHref: siteBase,
      title: page.title,
      description: page.description,
      canonicalUrl: canonical,
      isIndexed: site.visibility === 'public' && page.noRobotsIndex !== true && page.noIndex !== true,
      crumbs: lineage.slice(0, -1).map((step, index) => ({
        title: step.page.title,
        href: step.entry.type === 'document' ? addressOf(step.entry.id, path.slice(0, index + 1)) : '',
      })),
      sections: sectionsOf(place),
      sidebar: sidebarOf(navigation),
      outline: outlineOf(document),
      content: renderDocument(document, settingOf(references, tree)),
      previous: linkOf(neighbours.previous),
      next: linkOf(neighbours.next),
      updatedAt: page.updatedAt,
    },
  }
}

/** The content of a space on the site: as it is now, or as a change request or revision has it that is previewed. */
async function openSpace(context: BaseContext, place: Place, id: string): Promise<Tree | undefined> {
  const key = { organization_id: place.site.organization_id, id }
  const space = await findLiveSpace(context.db, key)
  const { previewBy } = place.arrived.visitor
  const isElsewhere = id !== place.space.spaceId
  // Links tell those who preview a site nothing of spaces that its maker could not open.
  if (!space || (isElsewhere && previewBy !== undefined && !(await findSpace(context.db, previewBy, id))))
    return undefined
  const { changeRequest, revision } = isElsewhere ? {} : place
  const proposed = changeRequest === undefined ? undefined : await findChangeRequest(context.db, key, changeRequest)
  return (await getContent(context, space, proposed?.revision_id ?? revision ?? space.revision_id)).tree
}

async function findLineage(tree: Tree, { space: item, rest }: Place): Promise<Lineage | undefined> {
  const id =
    rest.length === 0 ? await landingPageOf(tree, item) : (await findPageByPath(tree, rest.join('/')))?.entry.id
  return id === undefined ? undefined : (await readLineages(tree, [id])).get(id)
}

/** The first page that is read below one that is not itself. */
async function firstBelow(
  tree: Tree,
  { viewpoint }: Place,
  page: PageObject,
  path: readonly string[],
  addressOf: (id: string, steps: readonly string[]) => string,
): Promise<Shown> {
  const within = { objects: tree.objects, root: { ...tree.root, pages: page.pages } }
  const first = (await readNavigation(within, viewpoint, new Set())).find(({ entry }) => entry.type === 'document')
  return first && { kind: 'redirect', to: addressOf(first.entry.id, [...path, ...first.path.split('/')]) }
}

function hrefOf({ entry, page, path }: NavigationItem, addressOf: (id: string, steps: readonly string[]) => string) {
  if (entry.type === 'document') return addressOf(entry.id, path.split('/'))
  return entry.type === 'link' && page.target?.kind === 'url' && /^https?:/.test(page.target.url)
    ? page.target.url
    : undefined
}

function sectionsOf({ structure, viewpoint, siteBase, section }: Place) {
  return structure.sections
    .filter((item) => structure.isVisible(item, viewpoint))
    .map((item) => ({
      title: item.title,
      href: siteBase + pathOnSite(structure, item),
      isCurrent: item.id === section?.id,
    }))
}

/** What documents are shown with. */
function settingOf(references: References, { root: { tags } }: Tree): Setting {
  let count = 0
  return {
    texts: english,
    linkTo: (ref) => references.linkTo(ref),
    file: (ref) => references.file(ref),
    tag: (slug) => (Object.hasOwn(tags, slug) ? tags[slug] : undefined),
    highlighted: () => undefined,
    math: (formula, isBlock) =>
      isBlock ? markup`<pre><code>${formula}</code></pre>` : markup`<code>${formula}</code>`,
    icon: () => markup``,
    opensExternalIn: 'self',
    newId: (prefix) => `${prefix}-${++count}`,
  }
}
