import { z } from 'zod'
import { operation } from './operation.ts'
import { Id, QueryBoolean } from './shared.ts'

export const PdfLink = z
  .object({ url: z.url().describe('Signed URL of the PDF, valid for one hour') })
  .meta({ id: 'PdfLink' })
export type PdfLink = z.infer<typeof PdfLink>

export const PdfQuery = z.object({
  page: Id.optional().describe('ID of a page; without it, the PDF contains all pages'),
  only: QueryBoolean.default(true).describe('`false` adds the pages below `page`'),
})
export type PdfQuery = z.infer<typeof PdfQuery>

const description =
  'The PDF is created in the background. A request to its URL waits up to 25 seconds; if the PDF is not ready by then, the reply is 202 with the progress and `Retry-After`.'

export const pdf = {
  getSpacePdf: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/pdf',
    summary: 'Get a PDF of a space',
    description,
    access: 'space:visit',
    scope: 'space:read',
    query: PdfQuery,
    reply: PdfLink,
  }),
  getChangeRequestPdf: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/pdf',
    summary: 'Get a PDF of a change request',
    description,
    access: 'space:view',
    scope: 'space:read',
    query: PdfQuery,
    reply: PdfLink,
  }),
}
