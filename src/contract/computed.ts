import { z } from 'zod'

const PageName = z.string().min(1).max(1000)

const DocumentProps = z.union([
  z.object({ doc: z.literal('models') }).strict(),
  z.object({ doc: z.enum(['info', 'operations', 'tag']), page: PageName }).strict(),
  z
    .object({
      doc: z.literal('operation'),
      page: PageName.describe('Path of the operation, or name of the webhook'),
      method: z.string().max(20).describe('`hook` for a webhook'),
      deprecated: z.boolean().exactOptional(),
    })
    .strict(),
])

const RevisionProps = z
  .object({
    models: z.boolean().exactOptional().describe('Whether to add a page with all schemas'),
    downloadLink: z.boolean().exactOptional().describe('Whether to add a link to the document, if it is public'),
    grouping: z
      .enum(['by-tag', 'by-operation'])
      .exactOptional()
      .describe('Whether there is a page for each tag (the default) or for each operation'),
  })
  .strict()

const sourceFields = {
  type: z.literal('builtin:openapi', { error: 'must be builtin:openapi' }),
  dependencies: z.object({
    spec: z.object({ ref: z.object({ kind: z.literal('openapi'), spec: z.string().min(1).max(100) }) }),
  }),
}

/** Source of the content of one page. */
export const ComputedDocumentInput = z
  .object({ ...sourceFields, props: DocumentProps })
  .meta({ id: 'ComputedDocumentInput' })

/** Source of pages. */
export const ComputedRevisionInput = z
  .object({ ...sourceFields, props: RevisionProps })
  .meta({ id: 'ComputedRevisionInput' })

/** Source from which pages, or the content of one page, are generated. */
export const ComputedInput = z
  .object({ ...sourceFields, props: z.union([DocumentProps, RevisionProps]) })
  .meta({ id: 'ComputedInput' })
export type ComputedInput = z.infer<typeof ComputedInput>

export const ComputationSeed = z.string().min(1).max(100).describe('Seed of the IDs of generated pages')
