import { createDocument, leaf, paragraph } from '../../content/document/build.ts'
import type { Block, ContentRef, InlineNode } from '../../content/document/nodes.ts'
import { collectReferences } from '../../content/document/references.ts'
import { mapNodes } from '../../content/document/walk.ts'
import { joinPageParts, printPageParts } from '../../content/markdown/print.ts'
import { verbatimReferences } from '../../content/markdown/references.ts'
import { convertOpenApiBlocks } from '../../domain/openapi/convert-blocks.ts'
import { addEmbedTitles } from '../../domain/embeds/embed-titles.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import type { OpenApiLabels } from '../../openapi/labels.ts'
import { getTexts } from '../../render/texts/locales.ts'
import { toAbsoluteSiteUrl, resolveCanonicalUrl } from '../page/canonical.ts'
import { ResolvedReferences } from '../../resources/rendered/references.ts'
import { textReply } from '../reply.ts'
import { localeOf, readEffectiveSettings } from '../settings.ts'
import { type PageOutputHandler, replyPolicyOf } from '../visit.ts'
import type { SitePage, SpaceView } from '../view.ts'

/** Returns the URL of a page's Markdown. The first page of a space has no name to append `.md` to. */
export function toMarkdownUrl(address: string): string {
  const [, path = '', anchor = ''] = /^([^#]*)(.*)$/.exec(address) ?? []
  return `${path}${path.endsWith('/') ? 'index.md' : '.md'}${anchor}`
}

/** Prints a page as self-contained Markdown: links point to the Markdown of other pages. */
export async function printPageMarkdown(space: SpaceView, { entry, page }: SitePage): Promise<string> {
  const yieldIfDue = createYielder()
  const original = await space.readDocument(page)
  await yieldIfDue()
  await space.readAnchors({ entry, page }, original)
  const document = await convertOpenApiBlocks(original, (specs) => space.loadSpecs(specs), await readLabels(space))
  const refs = collectReferences(document).map(({ ref }) => ref)
  const references = await ResolvedReferences.resolve(space, refs, entry.id)
  const urlOf = (ref: ContentRef): string | undefined => {
    if (ref.kind === 'file') return references.file(ref)?.url
    const href = references.linkTo(ref)?.href
    if (href === undefined || href.startsWith('#') || ref.kind === 'url') return href
    return toMarkdownUrl(toAbsoluteSiteUrl(space.site, href))
  }
  const toLink = (ref: ContentRef): InlineNode[] => {
    const target = references.linkTo(ref)
    if (!target) return []
    const name = text(target.title)
    return urlOf(ref) === undefined ? [name] : [{ object: 'inline', type: 'link', data: { ref }, nodes: [name] }]
  }
  const inline = (node: InlineNode): InlineNode | readonly InlineNode[] => {
    if (node.object === 'text') return node
    if (node.type === 'html') return []
    if (node.type === 'mention') return toLink(node.data.ref)
    // Links without a target for this visitor are replaced with their text.
    if (node.type === 'link' && urlOf(node.data.ref) === undefined) return node.nodes
    if (node.type !== 'button' || !node.data.ref || urlOf(node.data.ref) !== undefined) return node
    return text(node.data.label)
  }
  const block = (one: Block): Block | readonly Block[] => {
    if (one.type !== 'content-ref') return one
    const shown = toLink(one.data.ref)
    return shown.length === 0 ? [] : paragraph(shown)
  }
  const lead = page.description ? [paragraph([text(page.description)])] : []
  const { context, session } = space.site
  const [titled = document] = await addEmbedTitles(context.db, session.site.organization_id, [document])
  const nodes = [...lead, ...mapNodes(titled.nodes, block, inline)]
  const print = (ref: ContentRef) => urlOf(ref) ?? ''
  await yieldIfDue()
  const printed: string[] = []
  for (const portion of printPageParts(
    { title: page.title, document: createDocument(nodes) },
    { ...verbatimReferences, print },
  )) {
    printed.push(portion)
    await yieldIfDue()
  }
  return joinPageParts(printed)
}

/** Returns the texts of operations in the language of the space. */
async function readLabels({ site: { context, session }, item }: SpaceView): Promise<OpenApiLabels> {
  const settings = await readEffectiveSettings(context, session, item)
  return getTexts(localeOf(item, settings)).openApi
}

const text = (value: string): InlineNode => ({ object: 'text', leaves: [leaf(value)] })

/** Serves the Markdown of a page. */
export const serveMarkdown: PageOutputHandler = async ({ view }, space, sitePage) => {
  const reply = textReply(await printPageMarkdown(space, sitePage), 'text/markdown', replyPolicyOf(view, false))
  const link = `<${await resolveCanonicalUrl(space, sitePage)}>; rel="canonical"`
  return { ...reply, headers: { ...reply.headers, link }, isCacheable: !view.isPreview }
}

/** Whether a client prefers Markdown to HTML. It must name the type, because browsers accept anything. */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !/\btext\/markdown\b/i.test(accept)) return false
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const qualityParameter = parameters.find((parameter) => /^q\s*=/.test(parameter))
    const quality = qualityParameter === undefined ? 1 : Number(qualityParameter.replace(/^q\s*=\s*/, ''))
    return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
  })
  const markdownIndex = ranges.findIndex(({ type }) => type === 'text/markdown')
  const pageIndex = ['text/html', 'text/*', '*/*']
    .map((type) => ranges.findIndex((range) => range.type === type))
    .find((index) => index >= 0)
  const markdownQuality = ranges[markdownIndex]?.quality ?? 0
  const pageQuality = pageIndex === undefined ? 0 : (ranges[pageIndex]?.quality ?? 0)
  // With equal quality, the type that is listed first wins.
  return (
    markdownQuality > 0 &&
    (markdownQuality > pageQuality || (markdownQuality === pageQuality && markdownIndex < (pageIndex ?? 0)))
  )
}
