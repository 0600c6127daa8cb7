import { outlineOf } from '../content/document/outline.ts'
import type { ContentRef } from '../content/document/nodes.ts'
import { referencesIn } from '../content/document/references.ts'
import { codesIn } from '../render/codes.ts'
import { renderDocument, renderTag } from '../render/document.ts'
import type { Html } from '../render/html.ts'
import { renderMath } from '../render/math.ts'
import type { Setting } from '../render/setting.ts'
import type { PageLayout, PageShell, SidebarEntry, SidebarItem, SiteShell } from '../render/shell/parts.ts'
import { formatDate } from '../render/texts/locales.ts'
import { pageActions } from './actions.ts'
import { assets } from './assets.ts'
import { markOf, readChoices, readShell } from './chrome.ts'
import { editLinkOf } from './edit-link.ts'
import { headOf } from './head.ts'
import type { Highlighter } from './highlight.ts'
import { type Look, lookOf } from './look.ts'
import { type NavigationEntry, type NavigationItem, readNavigation, readNeighbours } from './navigation.ts'
import { markChanges, previewOf } from './previews.ts'
import { References } from './references.ts'
import { type Settings, settingsOf } from './settings.ts'
import type { PlacedPage, SpaceView } from './view.ts'

/** How long a page waits for its code to be coloured, in milliseconds; what comes later is there for the next reader. */
const colouringBudget = 400

/** A page with everything around it. */
export interface ReadPage {
  site: SiteShell
  page: PageShell
  look: Look
  /** Whether it will look the same when it is asked for again. */
  isComplete: boolean
}

/** The space that somebody is in, with what stands around its pages. */
export interface Surroundings {
  space: SpaceView
  settings: Settings
  look: Look
  site: SiteShell
}

/** What stands around the pages of a space; `path` is where the reader is, so that other variants open at the same page. */
export async function readSurroundings(space: SpaceView, path: readonly string[] = []): Promise<Surroundings> {
  const settings = await settingsOf(space.site.context, space.site.entered.site, space.item)
  const look = await lookOf(space, settings)
  const [shell, choices] = [await readShell(space, settings, look), await readChoices(space, path)]
  return { space, settings, look, site: { ...shell, ...choices } }
}

/** Reads a page as a visitor sees it. */
export async function readPage(
  space: SpaceView,
  placed: PlacedPage,
  { highlighter }: { highlighter: Highlighter },
): Promise<ReadPage> {
  const { entry, page, lineage } = placed
  const path = lineage.map((step) => step.entry.slug)
  const surroundings = await readSurroundings(space, path)
  const { site, settings, look } = surroundings
  const { all } = settings
  const stored = await space.readDocument(page)
  const marked = await markChanges(space, placed, stored, site.texts)
  const { document } = marked
  const covers = [page.cover?.ref, page.cover?.refDark].filter((ref) => ref !== undefined)
  const refs: ContentRef[] = [...referencesIn(document).map(({ ref }) => ref), ...covers]
  const references = await References.of(space, refs, entry.id)
  const colours = await highlighter.colour(codesIn(document), colouringBudget)
  const needs: Needs = { math: false, mermaid: false }
  const setting = settingOf(surroundings, references, colours.highlighted, needs)
  const content = renderDocument(document, setting)
  const layout = layoutOf(page.layout, settings)
  const open = lineage.map((step) => step.entry.id)
  const navigation = await readNavigation(space, open)
  const neighbours = all.pagination.enabled ? await readNeighbours(space, navigation, entry.id) : undefined
  const outline = outlineOf(document)
  const cover = page.cover && references.file(page.cover.ref ?? { kind: 'file', file: '' })
  const coverDark = page.cover?.refDark && references.file(page.cover.refDark)
  const linkOf = (one: NavigationItem | undefined) =>
    one && { title: one.page.title, href: space.site.href(space.addressOf(one.entry.id, one.path)) }
  return {
    site,
    look,
    isComplete: colours.isComplete && !space.site.isAside,
    page: {
      id: entry.id,
      head: await headOf(surroundings, placed, { cover, document }),
      title: page.title,
      icon: markOf(page, site.icon),
      description: page.description,
      cover: cover &&
        page.cover && {
          light: cover.url,
          dark: coverDark?.url,
          size: page.layout?.coverSize ?? 'full',
          y: page.cover.yPos,
          height: page.cover.height,
        },
      layout,
      crumbs: lineage.slice(0, -1).map((step, index) => ({
        title: step.page.title,
        href:
          step.entry.type === 'document'
            ? space.site.href(space.addressOf(step.entry.id, path.slice(0, index + 1)))
            : undefined,
      })),
      sidebar: sidebarOf(surroundings, navigation, entry.id),
      outline,
      content,
      tags: (page.tags ?? []).flatMap(({ tag }) => {
        const shown = setting.tag(tag)
        return shown ? [renderTag(shown, setting)] : []
      }),
      previous: linkOf(neighbours?.previous),
      next: linkOf(neighbours?.next),
      updated: { at: page.updatedAt, text: formatDate(page.updatedAt, all.internationalization.locale) },
      edit: all.git.showEditLink ? await editLinkOf(surroundings, placed) : undefined,
      actions: pageActions(surroundings, placed),
      hasFeedback: all.feedback.enabled,
      preview: await previewOf(surroundings, placed, marked.summary),
      needs: needsOf(look, needs),
    },
  }
}

/** What the content of a page turned out to need while it was rendered. */
interface Needs {
  math: boolean
  mermaid: boolean
}

/** Styles and scripts that the content of a page asks for. */
function needsOf({ script }: Look, { math, mermaid }: Needs): PageShell['needs'] {
  const base = script.slice(0, -assets.script.name.length)
  return {
    styles: math ? [base + assets.katex.name] : [],
    scripts: mermaid ? [base + assets.drawMermaid.name] : [],
  }
}

/** A part is there unless the page says otherwise, except those that most pages do without. */
function layoutOf(layout: PlacedPage['page']['layout'], { all }: Settings): PageLayout {
  const has = (part: Exclude<keyof PageLayout, 'isWide'>) => layout?.[part] !== false
  return {
    title: has('title'),
    description: has('description'),
    tableOfContents: has('tableOfContents'),
    outline: has('outline'),
    pagination: has('pagination') && all.pagination.enabled,
    metadata: has('metadata'),
    actions: has('actions'),
    cover: has('cover'),
    tags: has('tags'),
    isWide: layout?.width === 'wide',
  }
}

/** Where a branch of the navigation is sent alone. */
export const branchHref = ({ site, item }: SpaceView, pageId: string): string =>
  `${site.href(site.entered.siteBase)}~navigation/${item.id}/${pageId}`

/** The navigation as it is shown. */
export function sidebarOf(
  { space, site }: Surroundings,
  entries: readonly NavigationEntry[],
  currentId: string,
): SidebarEntry[] {
  const listOf = (list: readonly NavigationEntry[], parentId: string): SidebarEntry[] =>
    list.map((one) => {
      if ('count' in one) return { kind: 'gap', count: one.count, href: branchHref(space, parentId) }
      const { entry, page, path, hasMore, children } = one
      const kind = entry.type === 'group' ? 'group' : entry.type === 'link' ? 'link' : 'page'
      const item: SidebarItem = {
        kind,
        title: page.linkTitle ?? page.title,
        href: hrefOf(space, entry.id, path, page.target, kind),
        icon: markOf(page, site.icon),
        isCurrent: entry.id === currentId,
        branchHref: hasMore ? branchHref(space, entry.id) : undefined,
        children: listOf(children, entry.id),
      }
      return item
    })
  return listOf(entries, '-')
}

function hrefOf(
  space: SpaceView,
  id: string,
  path: readonly string[],
  target: ContentRef | undefined,
  kind: SidebarItem['kind'],
): string | undefined {
  if (kind === 'page') return space.site.href(space.addressOf(id, path))
  if (kind === 'group' || !target) return undefined
  if (target.kind === 'url') return /^(https?|mailto|tel):/i.test(target.url) ? target.url : undefined
  // What is meant is looked up only for those who follow it.
  return space.site.href(space.addressAt(path))
}

/** What documents are shown with. */
function settingOf(
  { settings, site, space, look }: Surroundings,
  references: References,
  highlighted: Setting['highlighted'],
  needs: Needs,
): Setting {
  let count = 0
  let pictures = 0
  const { tags } = space.tree.root
  const { locale } = settings.all.internationalization
  return {
    texts: site.texts,
    linkTo: (ref) => references.linkTo(ref),
    file: (ref) => references.file(ref),
    isFirstPicture: () => pictures++ === 0,
    tag: (slug) => (Object.hasOwn(tags, slug) ? tags[slug] : undefined),
    highlighted,
    icon: (name): Html => site.icon(name),
    date: (text, format) => formatDate(text, locale, format),
    opensExternalIn: settings.all.externalLinks.target,
    math(formula, isBlock) {
      needs.math = true
      return renderMath(formula, isBlock)
    },
    mermaidScript() {
      needs.mermaid = true
      return look.script.slice(0, -assets.script.name.length) + assets.mermaid.name
    },
    newId: (prefix) => `${prefix}-${++count}`,
  }
}
