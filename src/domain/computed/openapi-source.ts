import { z } from 'zod'
import type { ComputedSource } from '../../content/document/nodes.ts'
import type { StoredOutline } from '../../openapi/former-paths.ts'
import type { GeneratedContent, PageGrouping, SpecRef } from '../../openapi/generate-pages.ts'

/** The data of a specification from which pages are generated. */
export interface OutlinedSpec extends StoredOutline {
  isPublic: boolean
  /** Time when it was added. */
  createdAt: string
}

/** The specifications of an organization, by slug or ID. */
export interface SpecOutlines {
  find(slugOrId: string): Promise<OutlinedSpec | undefined>
  /** Returns a text that changes when the specification changes; undefined if it does not exist. */
  identify(slugOrId: string): Promise<string | undefined>
  /** Returns the slugs or IDs that were looked up. */
  names(): string[]
}

/** A source of type `builtin:openapi`. */
export interface OpenApiSource {
  ref: SpecRef
  grouping: PageGrouping
  hasModels: boolean
  hasDownloadLink: boolean
  /** Content that is added to one page; undefined if pages are generated. */
  content: GeneratedContent | undefined
}

export const openApiSourceType = 'builtin:openapi'

const Content = z.union([
  z.object({ doc: z.literal('models') }),
  z.object({ doc: z.enum(['info', 'operations', 'tag']), page: z.string() }),
  z.object({ doc: z.literal('operation'), page: z.string(), method: z.string() }),
])

const Source = z.object({
  type: z.literal(openApiSourceType),
  props: z.object({
    models: z.boolean().catch(false),
    downloadLink: z.boolean().catch(false),
    grouping: z.enum(['by-tag', 'by-operation']).catch('by-tag'),
  }),
  dependencies: z.object({
    spec: z.object({ ref: z.object({ kind: z.literal('openapi'), spec: z.string().min(1) }) }),
  }),
})

/** Parses a source of type `builtin:openapi`; returns undefined for other and invalid sources. */
export function parseOpenApiSource(source: ComputedSource): OpenApiSource | undefined {
  const { data } = Source.safeParse(source)
  if (!data) return undefined
  const { models, downloadLink, grouping } = data.props
  const content = 'doc' in source.props ? Content.safeParse(source.props).data : undefined
  if ('doc' in source.props && !content) return undefined
  return { ref: data.dependencies.spec.ref, grouping, hasModels: models, hasDownloadLink: downloadLink, content }
}
