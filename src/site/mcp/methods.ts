import { z } from 'zod'
import { titleOf } from '../machines/llms.ts'
import { McpError, errorCodes, parse } from './errors.ts'
import { findPageAt, listPages } from './pages.ts'
import { tools } from './tools.ts'
import { markdownAddress, markdownOf } from '../machines/markdown.ts'
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
export const methods: Readonly<Record<string, Method>> = {
  async initialize(view, params) {
    const { protocolVersion } = parse(Initialize, params)
    const title = await titleOf(view, view.listedItems[0])
    return {
      protocolVersion: protocolVersions.includes(protocolVersion) ? protocolVersion : protocolVersions[0],
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'octavo', title, version: '1' },
      instructions: `The documentation "${title}" at ${view.session.siteBase}. Search it, then read the pages in the results; pages are Markdown.`,
    }
  },

  ping: async () => ({}),

  'tools/list': async () => ({ tools: tools.map(({ definition }) => definition) }),

  async 'tools/call'(view, params) {
    const { name, arguments: given } = parse(CallTool, params)
    const tool = tools.find(({ definition }) => definition.name === name)
    if (!tool) throw new McpError(errorCodes.params, `Unknown tool ${name.slice(0, 100)}`)
    return tool.call(view, given)
  },

  async 'resources/list'(view, params) {
    const { cursor } = parse(ListResources, params)
    const { pages, nextCursor } = await listPages(view, { cursor })
    return {
      resources: pages.map(({ title, address, description }) => ({
        uri: markdownAddress(address),
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
    const { uri } = parse(ReadResource, params)
    const found = await findPageAt(view, uri)
    if (!found) throw new McpError(errorCodes.noResource, 'Page not found')
    return { contents: [{ uri, mimeType: 'text/markdown', text: await markdownOf(found.space, found.placed) }] }
  },
}

const Initialize = z.object({ protocolVersion: z.string() })
const CallTool = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) })
const ListResources = z.object({ cursor: z.string().max(500).optional() })
const ReadResource = z.object({ uri: z.string().max(4000) })
