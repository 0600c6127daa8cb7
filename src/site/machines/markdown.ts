import { documentOf, leaf, paragraph } from '../../content/document/build.ts'
import type { Block, ContentRef, InlineNode } from '../../content/document/nodes.ts'
import { referencesIn } from '../../content/document/references.ts'
import { mapNodes } from '../../content/document/walk.ts'
import { joinPortions, printPortions } from '../../content/markdown/print.ts'
import { verbatim } from '../../content/markdown/references.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { absolute, canonicalOf } from '../page/canonical.ts'
import { References } from '../references.ts'
import { textReply } from '../reply.ts'
import { type PageOutput, handlingOf } from '../visit.ts'
import type { PlacedPage, SpaceView } from '../view.ts'

/** Returns the URL of a page's Markdown. The first page of a space has no name to append `.md` to. */
export function markdownAddress(address: string): string {
  const [, path = '', anchor = ''] = /^([^#]*)(.*)$/.exec(address) ?? []
  return `${path}${path.endsWith('/') ? 'index.md' : '.md'}${anchor}`
}

/** Prints a page as self-contained Markdown: links point to the Markdown of other pages. */
export async function markdownOf(space: SpaceView, { entry, page }: PlacedPage): Promise<string> {
  const yieldIfDue = createYielder()
  const document = await space.readDocument(page)
  await yieldIfDue()
  const refs = referencesIn(document).map(({ ref }) => ref)
  await space.anchorsOf({ entry, page }, document)
  const references = await References.of(space, refs, entry.id)
  const address = (ref: ContentRef): string | undefined => {
    if (ref.kind === 'file') return references.file(ref)?.url
    const href = references.linkTo(ref)?.href
    if (href === undefined || href.startsWith('#') || ref.kind === 'url') return href
    return markdownAddress(absolute(space.site, href))
  }
  const link = (ref: ContentRef): InlineNode[] => {
    const target = references.linkTo(ref)
    if (!target) return []
    const name = text(target.title)
    return address(ref) === undefined ? [name] : [{ object: 'inline', type: 'link', data: { ref }, nodes: [name] }]
  }
  const inline = (node: InlineNode): InlineNode | readonly InlineNode[] => {
    if (node.object === 'text') return node
    if (node.type === 'html') return []
    if (node.type === 'mention') return link(node.data.ref)
    // Links without a target for this visitor are replaced with their text.
    if (node.type === 'link' && address(node.data.ref) === undefined) return node.nodes
    if (node.type !== 'button' || !node.data.ref || address(node.data.ref) !== undefined) return node
    return text(node.data.label)
  }
  const block = (one: Block): Block | readonly Block[] => {
    if (one.type !== 'content-ref') return one
    const shown = link(one.data.ref)
    return shown.length === 0 ? [] : paragraph(shown)
  }
  const lead = page.description ? [paragraph([text(page.description)])] : []
  const nodes = [...lead, ...mapNodes(document.nodes, block, inline)]
  const write = (ref: ContentRef) => address(ref) ?? ''
  await yieldIfDue()
  const printed: string[] = []
  for (const portion of printPortions({ title: page.title, document: documentOf(nodes) }, { ...verbatim, write })) {
    printed.push(portion)
    await yieldIfDue()
  }
  return joinPortions(printed)
}

const text = (value: string): InlineNode => ({ object: 'text', leaves: [leaf(value)] })

/** Serves the Markdown of a page. */
export const serveMarkdown: PageOutput = async ({ view }, space, placed) => {
  const reply = textReply(await markdownOf(space, placed), 'text/markdown', handlingOf(view, false))
  const link = `<${await canonicalOf(space, placed)}>; rel="canonical"`
  return { ...reply, headers: { ...reply.headers, link }, isCacheable: !view.isAside }
}

/** Whether a client prefers Markdown to HTML. It must name the type, because browsers accept anything. */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !/\btext\/markdown\b/i.test(accept)) return false
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const written = parameters.find((parameter) => /^q\s*=/.test(parameter))
    const quality = written === undefined ? 1 : Number(written.replace(/^q\s*=\s*/, ''))
    return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
  })
  const markdown = ranges.findIndex(({ type }) => type === 'text/markdown')
  const page = ['text/html', 'text/*', '*/*']
    .map((type) => ranges.findIndex((range) => range.type === type))
    .find((index) => index >= 0)
  const wanted = ranges[markdown]?.quality ?? 0
  const other = page === undefined ? 0 : (ranges[page]?.quality ?? 0)
  // With equal quality, the type that is listed first wins.
  return wanted > 0 && (wanted > other || (wanted === other && markdown < (page ?? 0)))
}
