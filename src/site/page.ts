import { outlineOf } from '../content/document/outline.ts'
import type { ContentRef } from '../content/document/nodes.ts'
import { referencesIn } from '../content/document/references.ts'
import { breather } from '../kernel/breath.ts'
import { withMark } from '../render/changes.ts'
import { codesIn } from '../render/codes.ts'
import { renderPortions, renderTag } from '../render/document.ts'
import { type Html, markup } from '../render/html.ts'
import { formulaSetter } from '../render/math.ts'
import type { Setting } from '../render/setting.ts'
import type { PageLayout, PagePlace, PageShell, SiteShell } from '../render/shell/parts.ts'
import { formatDate, formatNumber } from '../render/texts/locales.ts'
import { askAssistants, pageActions } from './actions.ts'
import { assets } from './assets.ts'
import { markOf } from './chrome.ts'
import { editLinkOf } from './edit-link.ts'
import { feedAddress } from './feed.ts'
import { headOf } from './head.ts'
import type { Highlighter } from './highlight.ts'
import type { Look } from './look.ts'
import { type NavigationItem, readNavigation, readNeighbours } from './navigation.ts'
import { markChanges, newPagesAmong, previewOf } from './previews.ts'
import { References } from './references.ts'
import type { Settings } from './settings.ts'
import { sidebarOf } from './sidebar.ts'
import { type Surroundings, readSurroundings } from './surroundings.ts'
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

/** Reads a page as a visitor sees it. */
export async function readPage(
  space: SpaceView,
  placed: PlacedPage,
  { highlighter }: { highlighter: Highlighter },
): Promise<ReadPage> {
  const breathe = breather()
  const { entry, page, lineage } = placed
  const path = lineage.map((step) => step.entry.slug)
  const surroundings = await readSurroundings(space, path)
  const { site, settings, look } = surroundings
  const { all } = settings
  const stored = await space.readDocument(page)
  const marked = await markChanges(space, placed, stored, site.texts)
  const { document } = marked
  await breathe()
  const covers = [page.cover?.ref, page.cover?.refDark].filter((ref) => ref !== undefined)
  const refs: ContentRef[] = [...referencesIn(document).map(({ ref }) => ref), ...covers]
  const references = await References.of(space, refs, entry.id)
  await breathe()
  const colours = await highlighter.colour(codesIn(document), colouringBudget)
  const needs: Needs = { math: false, mermaid: false }
  const setting = {
    ...settingOf(surroundings, references, colours.highlighted, needs),
    changes: marked.changes,
    feedHref: space.site.href(feedAddress(placed.address)),
  }
  const portions: Html[] = []
  for (const portion of renderPortions(document, setting)) {
    portions.push(portion)
    await breathe()
  }
  const content = withMark(marked.isNew ? 'added' : undefined, markup`${portions}`, site.texts)
  await breathe()
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
    isComplete: colours.isComplete && !space.site.isAside && !references.hasPeople,
    page: {
      id: entry.id,
      place: placeOf(surroundings),
      head: await headOf(surroundings, placed, { cover, document: stored }),
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
      sidebar: sidebarOf(surroundings, navigation, entry.id, await newPagesAmong(space, navigation)),
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

function placeOf({ space, settings }: Surroundings): PagePlace {
  const { item, site, revisionId } = space
  return {
    siteSection: site.entered.structure.chainOf(item).find(({ kind }) => kind === 'section')?.id,
    siteSpace: item.id,
    space: item.spaceId ?? '',
    revision: revisionId,
    remembers: settings.all.insights.trackingCookie,
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

/** What documents are shown with. */
function settingOf(
  { settings, site, space, look }: Surroundings,
  references: References,
  highlighted: Setting['highlighted'],
  needs: Needs,
): Setting {
  let count = 0
  let pictures = 0
  const setFormula = formulaSetter()
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
    number: (value) => formatNumber(value, locale),
    searchFor: (query) => `${site.searchHref}?q=${encodeURIComponent(query)}`,
    assistants: askAssistants,
    opensExternalIn: settings.all.externalLinks.target,
    math(formula, isBlock) {
      needs.math = true
      return setFormula(formula, isBlock)
    },
    mermaidScript() {
      needs.mermaid = true
      return look.script.slice(0, -assets.script.name.length) + assets.mermaid.name
    },
    // No title becomes an id like this.
    newId: (prefix) => `${prefix}~${++count}`,
  }
}
