import { z } from 'zod'
import { readSiteTitle } from '../machines/llms.ts'
import { McpError, rpcErrorCodes, parseParams } from './errors.ts'
import { findPageByUrl, listPages } from './pages.ts'
import { mcpTools } from './tools.ts'
import { toMarkdownUrl, printPageMarkdown } from '../machines/markdown.ts'
import type { SiteView } from '../view.ts'

/** Supported protocol versions, newest first; the methods of this server are the same in all of them. */
export const protocolVersions: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]

type Method = (view: SiteView, params: unknown) => Promise<unknown>

/** Handlers by MCP method. */
export const mcpMethods: Readonly<Record<string, Method>> = {
  async initialize(view, params) {
    const { protocolVersion } = parseParams(Initialize, params)
    const title = await readSiteTitle(view, view.listedItems[0])
    return {
      protocolVersion: protocolVersions.includes(protocolVersion) ? protocolVersion : protocolVersions[0],
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'octavo', title, version: '1' },
      instructions: `The documentation "${title}" at ${view.session.siteBase}. Search it, then read the pages in the results; pages are Markdown.`,
    }
  },

  ping: async () => ({}),

  'tools/list': async () => ({ tools: mcpTools.map(({ definition }) => definition) }),

  async 'tools/call'(view, params) {
    const { name, arguments: given } = parseParams(CallTool, params)
    const tool = mcpTools.find(({ definition }) => definition.name === name)
    if (!tool) throw new McpError(rpcErrorCodes.params, `Unknown tool ${name.slice(0, 100)}`)
    return tool.call(view, given)
  },

  async 'resources/list'(view, params) {
    const { cursor } = parseParams(ListResources, params)
    const { pages, nextCursor } = await listPages(view, { cursor })
    return {
      resources: pages.map(({ title, address, description }) => ({
        uri: toMarkdownUrl(address),
        name: title,
        title,
        mimeType: 'text/markdown',
        ...(description !== undefined && { description }),
      })),
      ...(nextCursor !== undefined && { nextCursor }),
    }
  },

  'resources/templates/list': async () => ({ resourceTemplates: [] }),

  async 'resources/read'(view, params) {
    const { uri } = parseParams(ReadResource, params)
    const found = await findPageByUrl(view, uri)
    if (!found) throw new McpError(rpcErrorCodes.noResource, 'Page not found')
    return {
      contents: [{ uri, mimeType: 'text/markdown', text: await printPageMarkdown(found.space, found.sitePage) }],
    }
  },
}

const Initialize = z.object({ protocolVersion: z.string() })
const CallTool = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) })
const ListResources = z.object({ cursor: z.string().max(500).optional() })
const ReadResource = z.object({ uri: z.string().max(4000) })
