import { z } from 'zod'
import { operation } from './kit.ts'

export const UploadKind = z.enum(['customization_font', 'import_file', 'organization_file'])
export type UploadKind = z.infer<typeof UploadKind>

export const Upload = z
  .object({
    object: z.literal('storage-signed-url'),
    url: z.string().describe('Takes the bytes with PUT'),
    key: z.string().describe('Names the upload in later requests'),
  })
  .meta({ id: 'Upload' })
export type Upload = z.infer<typeof Upload>

export const files = {
  generateStorageUploadURL: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/storage/upload',
    summary: 'Get an address to upload a file to',
    description: 'The `key` of the finished upload stands for the file in later requests, such as `insert_files`.',
    access: 'organization:view',
    scope: 'space:write',
    body: z.object({
      file: z.object({
        name: z.string().min(1).max(256),
        type: z.string().min(1).max(255).describe('Its media type'),
        size: z.int().min(0).describe('In bytes'),
      }),
      kind: UploadKind,
    }),
    status: 201,
    reply: Upload,
  }),
}
