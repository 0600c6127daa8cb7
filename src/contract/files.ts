import { z } from 'zod'
import { operation } from './operation.ts'

export const UploadKind = z.enum(['customization_font', 'import_file', 'organization_file'])
export type UploadKind = z.infer<typeof UploadKind>

export const Upload = z
  .object({
    object: z.literal('storage-signed-url'),
    url: z.string().describe('Upload the bytes to this URL with PUT'),
    key: z.string().describe('Identifies the upload in later requests'),
  })
  .meta({ id: 'Upload' })
export type Upload = z.infer<typeof Upload>

export const files = {
  generateStorageUploadURL: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/storage/upload',
    summary: 'Create an upload URL',
    description: 'After the upload, later requests such as `insert_files` refer to the file by its `key`.',
    access: 'organization:view',
    scope: 'space:write',
    body: z.object({
      file: z.object({
        name: z.string().min(1).max(256),
        type: z.string().min(1).max(255).describe('Media type of the file'),
        size: z.int().min(0).describe('Size in bytes'),
      }),
      kind: UploadKind,
    }),
    status: 201,
    reply: Upload,
  }),
}
