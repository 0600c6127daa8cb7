import { z } from 'zod'
import { ContentRef } from './document.ts'
import { Count, Id, Timestamp, limitedRecord } from './shared.ts'

/** Maximum number of named references of a template. */
export const maxTemplateRefs = 100

const RefName = z.string().min(1).max(100)

/** A template to apply, in the body of a request. */
export const TemplateUse = z
  .object({
    id: Id.describe('ID of a built-in template, or of a template of the organization'),
    params: z
      .object({
        contentRefs: limitedRecord(RefName, ContentRef, maxTemplateRefs)
          .optional()
          .describe('Targets of the references that the template lists in `contentRefs`, by name'),
      })
      .optional(),
  })
  .meta({ id: 'ApplySpaceTemplate' })
export type TemplateUse = z.infer<typeof TemplateUse>

export const TemplateRef = z
  .object({
    name: RefName,
    description: z.string().max(500).exactOptional(),
    ref: ContentRef.describe('Reference in the content of the template that is replaced'),
  })
  .meta({ id: 'TemplateContentRef' })
export type TemplateRef = z.infer<typeof TemplateRef>

export const Template = z
  .object({
    object: z.literal('template'),
    id: Id,
    title: z.string(),
    subtitle: z.string().describe('One sentence about the purpose; may be empty'),
    emoji: z.string().optional(),
    features: z.array(z.string()).describe('Short descriptions of the contents of the template'),
    pages: Count.describe('Number of pages'),
    contentRefs: z.array(TemplateRef).describe('References that can be replaced when the template is applied'),
    builtIn: z.boolean().describe('Whether the template is part of the server rather than of an organization'),
    createdAt: Timestamp.optional().describe('Absent for built-in templates'),
    createdBy: Id.optional().describe('ID of the user; absent for built-in templates and deleted users'),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'Template' })
export type Template = z.infer<typeof Template>
