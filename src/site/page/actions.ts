import { assistants } from '../../render/assistants.ts'
import { fillPlaceholders } from '../../render/texts.ts'
import type { PageAction } from '../../render/shell/parts.ts'
import { isTypesetterInstalled } from '../../typesetting/typesetter.ts'
import { toMarkdownUrl } from '../machines/markdown.ts'
import { pdfUrlOf } from '../machines/pdf.ts'
import type { PageFrame } from '../page-frame.ts'
import type { SitePage } from '../view.ts'

/** Returns the URL of a page's Markdown. */
function markdownHref({ space }: Pick<PageFrame, 'space'>, { address }: Pick<SitePage, 'address'>): string {
  return toMarkdownUrl(space.site.href(address))
}

/** Returns the actions of a page. */
export function createPageActions(frame: PageFrame, sitePage: SitePage): PageAction[] {
  const { space, settings, site } = frame
  const { texts, icon } = site
  const { items } = settings.customization.pageActions
  const markdown = markdownHref(frame, sitePage)
  const mcp = `${space.site.session.siteBase}~mcp`
  const copy: PageAction = {
    kind: 'copy',
    title: texts.copyPage,
    hint: texts.copyPageHint,
    href: markdown,
    icon: icon('copy'),
  }
  const view: PageAction = {
    kind: 'markdown',
    title: texts.viewAsMarkdown,
    hint: texts.viewAsMarkdownHint,
    href: markdown,
    icon: icon('markdown'),
  }
  const assistantActions = assistants.map(({ name, icon: iconName, urlPrefix }): PageAction => {
    const question = fillPlaceholders(texts.assistantPrompt, new URL(markdown, space.site.session.siteBase).toString())
    return {
      kind: 'assistant',
      title: fillPlaceholders(texts.openIn, name),
      hint: fillPlaceholders(texts.openInHint, name),
      href: urlPrefix + encodeURIComponent(question),
      icon: icon(iconName),
    }
  })
  const connect: PageAction = {
    kind: 'mcp',
    title: texts.connectMcp,
    hint: texts.connectMcpHint,
    href: mcp,
    icon: icon('plug'),
  }
  const exportPdf: PageAction = {
    kind: 'pdf',
    title: texts.exportPdf,
    hint: texts.exportPdfHint,
    href: space.site.href(pdfUrlOf(space, sitePage)),
    icon: icon('file-pdf'),
  }
  // External assistants can read only public sites.
  const isPublic = space.site.session.site.visibility === 'public'
  const actionsByItem: Partial<Record<(typeof items)[number], PageAction[]>> = {
    markdown: [copy, view],
    'external-ai': isPublic ? assistantActions : [],
    // Previews have no MCP server; MCP clients read the published content.
    mcp: space.previewPath.length > 0 ? [] : [connect],
    // PDFs contain the published content.
    pdf: space.previewPath.length === 0 && isTypesetterInstalled() ? [exportPdf] : [],
  }
  return items.flatMap((item) => actionsByItem[item] ?? [])
}
