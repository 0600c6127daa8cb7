import { z } from 'zod'
import { navigationTitleOf } from '../../content/revision/objects.ts'
import { searchSitePages } from '../../resources/site-search/search-site-pages.ts'
import { withSections } from '../../search/matching-sections.ts'
import { parseParams } from './errors.ts'
import { findPageByUrl, listPages } from './pages.ts'
import { printPageMarkdown } from '../machines/markdown.ts'
import { resolveSearchResults } from '../search/search.ts'
import { toReadContext } from '../space-for-path.ts'
import type { SiteView } from '../view.ts'

interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: object
  isError?: boolean
}

interface Tool {
  definition: { name: string } & Record<string, unknown>
  call: (view: SiteView, given: unknown) => Promise<ToolResult>
}

interface ToolOptions<Input extends z.ZodType> {
  name: string
  title: string
  description: string
  input: Input
  output?: z.ZodType
  call: (view: SiteView, input: z.output<Input>) => Promise<ToolResult>
}

function defineTool<Input extends z.ZodType>({
  name,
  title,
  description,
  input,
  output,
  call,
}: ToolOptions<Input>): Tool {
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: toJsonSchema(input),
      ...(output && { outputSchema: toJsonSchema(output) }),
      annotations: { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    call: (view, given) => call(view, parseParams(input, given)),
  }
}

function toJsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}

const defaultLimit = 10

const searchOutput = z.object({
  pages: z.array(
    z.object({
      title: z.string(),
      address: z.string(),
      description: z.string().optional(),
      sections: z.array(z.object({ title: z.string(), address: z.string(), text: z.string() })),
    }),
  ),
})

/** MCP tools of a site. */
const ownTools: readonly Tool[] = [
  defineTool({
    name: 'search',
    title: 'Search the documentation',
    description: 'Finds pages by words. Returns their titles, URLs and the sections that contain the words.',
    input: z.object({
      query: z.string().trim().min(1).max(512).describe('Words to search for; a question works too'),
      limit: z.int().min(1).max(50).default(defaultLimit).describe('Maximum number of pages to return'),
    }),
    output: searchOutput,
    call: async (view, { query, limit }) => structuredResult({ pages: await searchPages(view, query, limit) }),
  }),
  defineTool({
    name: 'read_page',
    title: 'Read a page',
    description: 'Returns the content of a page as Markdown.',
    input: z.object({
      page: z.string().min(1).max(4000).describe('URL of the page, or its path relative to the site'),
    }),
    call: (view, { page }) => readPageMarkdown(view, page),
  }),
  defineTool({
    name: 'list_pages',
    title: 'List the pages',
    description: 'Returns the pages in the order of the navigation, with titles, URLs and descriptions; 100 at a time.',
    input: z.object({
      path: z.string().max(4000).optional().describe('URL or path of a section or page; returns only the pages in it'),
      cursor: z.string().max(500).optional().describe('`nextCursor` of the previous result'),
    }),
    output: z.object({
      pages: z.array(z.object({ title: z.string(), address: z.string(), description: z.string().optional() })),
      nextCursor: z.string().optional(),
    }),
    async call(view, { path, cursor }) {
      const { pages, nextCursor } = await listPages(view, { within: path, cursor })
      return structuredResult({ pages, ...(nextCursor !== undefined && { nextCursor }) })
    },
  }),
]

/**
 * The same tools with the names and parameters of GitBook's server. They are listed, because clients offer only listed tools to
 * an assistant and allowlists contain these names.
 */
const gitbookTools: readonly Tool[] = [
  defineTool({
    name: 'searchDocumentation',
    title: 'Search the documentation',
    description: 'Same as `search`.',
    input: z.object({ query: z.string().trim().min(1).max(512).describe('Words to search for; a question works too') }),
    output: searchOutput,
    call: async (view, { query }) => structuredResult({ pages: await searchPages(view, query, defaultLimit) }),
  }),
  defineTool({
    name: 'getPage',
    title: 'Read a page',
    description: 'Same as `read_page`.',
    input: z.object({ url: z.string().min(1).max(4000).describe('URL of the page') }),
    call: (view, { url }) => readPageMarkdown(view, url),
  }),
]

export const mcpTools: readonly Tool[] = [...ownTools, ...gitbookTools]

async function readPageMarkdown(view: SiteView, address: string): Promise<ToolResult> {
  const found = await findPageByUrl(view, address)
  if (!found) return { ...textResult('Page not found. Search for it, or list the pages.'), isError: true }
  return textResult(await printPageMarkdown(found.space, found.sitePage))
}

const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

const structuredResult = (value: object): ToolResult => ({
  ...textResult(JSON.stringify(value)),
  structuredContent: value,
})

async function searchPages(view: SiteView, query: string, limit: number): Promise<object[]> {
  const { db } = view.context
  const { site } = view.session
  const { found, items } = await searchSitePages(toReadContext(view), { query, scope: { mode: 'all' } })
  const results = await resolveSearchResults(view, found.slice(0, limit), items)
  const pages = results.map((result) => result.found)
  const pagesWithSections = await withSections(db, site.organization_id, pages)
  return results.map(({ placed: { page, address } }, index) => ({
    title: navigationTitleOf(page),
    address,
    ...(page.description && { description: page.description }),
    sections: (pagesWithSections[index]?.sections ?? []).map(({ anchor, heading, snippet }) => ({
      title: anchor === null ? navigationTitleOf(page) : heading,
      address: anchor === null ? address : `${address}#${encodeURIComponent(anchor)}`,
      text: snippet.text,
    })),
  }))
}
