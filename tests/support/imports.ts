import type { ImportRun, ImportSource, ImportTarget } from '../../src/contract/imports.ts'
import type { RevisionPage } from '../../src/contract/revision.ts'
import { type Admin, type Person, waitUntil } from './server.ts'

/** Allows a server to access the machine that it runs on. */
export const withLoopback = { OCTAVO_ALLOW_PRIVATE_NETWORK: '1' }

/** Returns a typical web page: a navigation, an article and a footer. */
export function webPage(title: string, content: string, navigation = ''): string {
  return `<!doctype html><html><head><title>${title}</title></head><body>
    <nav>${navigation}</nav>
    <main><article><h1>${title}</h1>${content}</article></main>
    <footer>Made by somebody</footer></body></html>`
}

/** Import as seen by the caller who started it. */
export interface StartedImport {
  id: string
  params: { organizationId: string; importRunId: string }
  get: () => Promise<ImportRun>
  /** Returns the run when it has ended. */
  waitForEnd: () => Promise<ImportRun>
}

export async function startImport(
  { api, organizationId }: Pick<Admin, 'api' | 'organizationId'>,
  source: ImportSource,
  target: ImportTarget,
): Promise<StartedImport> {
  const { id } = await api.startImportRun({ params: { organizationId }, body: { source, target } })
  const params = { organizationId, importRunId: id }
  const get = () => api.getImportRun({ params })
  return {
    id,
    params,
    get,
    waitForEnd: () =>
      waitUntil(async () => {
        const run = await get()
        return !['pending', 'in-progress'].includes(run.status) && run
      }, 'the import has ended'),
  }
}

/** Formats the titles of pages, with children in parentheses after their parent. */
export function formatOutline(pages: readonly RevisionPage[]): string {
  return pages
    .map((page) => {
      const below = 'pages' in page ? formatOutline(page.pages) : ''
      return below === '' ? page.title : `${page.title} (${below})`
    })
    .join(', ')
}

export async function readLiveOutline({ api }: Pick<Person, 'api'>, spaceId: string): Promise<string> {
  return formatOutline((await api.listPages({ params: { spaceId } })).pages)
}

/** Returns the Markdown of the published page at a path, with stable references by id. */
export async function readMarkdownAt({ api }: Pick<Person, 'api'>, spaceId: string, pagePath: string): Promise<string> {
  const page = await api.getPageByPath({
    params: { spaceId, pagePath },
    query: { format: 'markdown', 'format.markdown.refs': 'stable' },
  })
  return 'markdown' in page ? (page.markdown ?? '') : ''
}
