import { createCodeBlock } from '../../content/markdown/make-blocks.ts'
import { createDocument } from '../../content/document/build.ts'
import type { Urls } from '../../kernel/context.ts'
import { Cache } from '../../kernel/cache.ts'
import { estimateHeapSize } from '../../kernel/heap-size.ts'
import type { SiteReply } from '../../kernel/site-http.ts'
import { renderDocument } from '../../render/document.ts'
import { type Html, markup, nothing } from '../../render/html.ts'
import { createPlainContext } from '../../render/plain-context.ts'
import { createMarkdownRenderer } from '../../render/openapi/markdown.ts'
import type { OpenApiContext } from '../../render/openapi/openapi-context.ts'
import type { RenderContext } from '../../render/render-context.ts'
import { renderPage } from '../../render/shell/page.ts'
import type { PageLayout, SiteShell } from '../../render/shell/parts.ts'
import { type ReferencePage, ReferencePages } from './api-pages.ts'
import { assets } from '../assets.ts'
import { createNotes, createSamples } from './api-samples.ts'
import type { Highlighter, CodeWithSyntax } from '../../highlight/highlight.ts'
import { serverBasePath, serverPagePolicy, createServerShell } from './server-shell.ts'
import { htmlReply } from '../reply.ts'
import { TryItPage } from '../try-it.ts'

/** Path of the reference relative to the server. */
export const referencePath = 'docs/api'

/** Maximum time to wait for syntax highlighting, in milliseconds. */
const highlightTimeout = 400

const layout: PageLayout = {
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: false,
  actions: false,
  cover: false,
  tags: false,
  isWide: false,
}

interface Services {
  urls: Pick<Urls, 'plain'>
  /** Returns the OpenAPI document. */
  document: () => unknown
  highlighter: Highlighter
}

/** Serves the API reference, generated from the OpenAPI document on the first request. */
export class ApiReference {
  readonly #services: Services
  readonly #cache = new Cache<SiteReply>('api reference', ({ body }) => 2.5 * estimateHeapSize(body))
  #pages: ReferencePages | undefined

  constructor(services: Services) {
    this.#services = services
  }

  /** Serves a page by its path relative to the reference; undefined if it does not exist. */
  async serve(path: string): Promise<SiteReply | undefined> {
    const cached = this.#cache.get(path)
    if (cached) return cached
    const { urls, document } = this.#services
    const base = serverBasePath(urls) + referencePath
    this.#pages ??= new ReferencePages(document(), base)
    const page = this.#pages.find(path)
    if (!page) return undefined
    const { html, connectOrigins, isComplete } = await this.#render(this.#pages, page, base)
    const reply = htmlReply(html.text, { ...serverPagePolicy, connectOrigins })
    if (isComplete) this.#cache.set(path, reply)
    return reply
  }

  async #render(
    pages: ReferencePages,
    page: ReferencePage,
    base: string,
  ): Promise<{ html: Html; connectOrigins: readonly string[]; isComplete: boolean }> {
    const { urls, highlighter } = this.#services
    const site = await createServerShell(urls, [
      { title: 'API reference', href: base },
      { title: 'openapi.json', href: `${serverBasePath(urls)}openapi.json` },
    ])
    // Rendered twice: first to collect the code blocks, then with highlighted code.
    const codes: CodeWithSyntax[] = []
    const collectCode = (code: string, syntax: string | undefined) => void codes.push({ code, syntax })
    page.content(createOpenApiContext(pages, createDocumentRenderContext(site, collectCode)))
    const { highlighted, isComplete } = await highlighter.highlight(codes, highlightTimeout)
    const tryIt = new TryItPage(`${site.base}~assets/`)
    const content = page.content({
      ...createOpenApiContext(pages, createDocumentRenderContext(site, highlighted)),
      tryIt: tryIt.supportFor(referencePath),
    })
    const { title, description, crumbs, outline } = page
    const canonicalUrl = urls.plain(`/${referencePath}${page.path === '' ? '' : `/${page.path}`}`)
    const html = renderPage(site, {
      head: { title, description, canonicalUrl, isIndexed: false, extraElements: nothing },
      id: page.path,
      tracking: undefined,
      title,
      icon: undefined,
      description,
      cover: undefined,
      layout: { ...layout, outline: !page.isOperation, isWide: page.isOperation },
      crumbs,
      sidebar: pages.sidebar(page.path),
      outline,
      content: markup`<div class="reference">${content}</div>`,
      tags: [],
      ...pages.neighbours(page.path),
      updated: undefined,
      edit: undefined,
      actions: [],
      hasFeedback: false,
      preview: undefined,
      needs: { styles: [`${site.base}~assets/${assets.openApiStyles.name}`], scripts: [] },
    })
    return { html, connectOrigins: tryIt.origins, isComplete }
  }
}

function createOpenApiContext(pages: ReferencePages, renderContext: RenderContext): OpenApiContext {
  return {
    texts: renderContext.texts.openApi,
    renderMarkdown: createMarkdownRenderer(renderContext),
    renderCode: (text, syntax) => renderDocument(createDocument([createCodeBlock(text, { syntax })]), renderContext),
    schemaHref: (name) => pages.schemaHref(name),
    samples: createSamples,
    notes: createNotes,
    newId: (prefix) => renderContext.newId(prefix),
    idPrefix: '',
    headingLevel: 2,
  }
}

/** Returns a rendering context for descriptions and code. */
function createDocumentRenderContext(site: SiteShell, highlighted: RenderContext['highlighted']): RenderContext {
  return { ...createPlainContext(site.texts), highlighted, icon: (name) => site.icon(name) }
}
