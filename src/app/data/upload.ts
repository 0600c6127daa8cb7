import type { RevisionFile } from '../../contract/revision.ts'
import { ApiError, request } from '../api.ts'
import { toOwnOrigin } from '../base-path.ts'
import { defineTexts } from '../texts.ts'

const texts = defineTexts('upload', {
  tooLarge: 'It is larger than 100 MB.',
})

/** Maximum size of an uploaded file in bytes; the server has the same limit. */
const maxFileSize = 100 * 1024 * 1024

/** Uploads a file and returns the key of the upload, which content changes refer to. */
export async function uploadFile(
  organizationId: string,
  file: File,
  report: (progress: number) => void = () => undefined,
): Promise<string> {
  if (file.size > maxFileSize) throw new Error(texts.tooLarge)
  const { url, key } = await request('POST /orgs/{organizationId}/storage/upload', {
    params: { organizationId },
    body: {
      kind: 'organization_file',
      file: { name: nameOfFile(file), type: file.type || 'application/octet-stream', size: file.size },
    },
  })
  await putFile(url, file, report)
  return key
}

/** Pictures from the clipboard have no name. */
export const nameOfFile = ({ name }: File): string => name || 'image.png'

/** Uploads the bytes of a file. `fetch` does not report the progress of a request. */
const putFile = (url: string, file: File, report: (progress: number) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const transfer = new XMLHttpRequest()
    transfer.open('PUT', toOwnOrigin(url))
    // Otherwise Firefox parses the empty reply as XML and reports an error.
    transfer.responseType = 'text'
    transfer.upload.addEventListener('progress', ({ loaded, total }) => report(total > 0 ? loaded / total : 0))
    transfer.addEventListener('load', () =>
      transfer.status < 300 ? resolve() : reject(new ApiError(transfer.status, transfer.statusText)),
    )
    transfer.addEventListener('error', () => reject(new ApiError(0, 'The server cannot be reached')))
    transfer.send(file)
  })

/** Returns the Markdown that shows a file of the space. */
export function toFileMarkdown({ id, name, contentType }: Pick<RevisionFile, 'id' | 'name' | 'contentType'>): string {
  const alt = name.replace(/\.\w+$/, '').replace(/[[\]\\]/g, ' ')
  return contentType.startsWith('image/') ? `![${alt}](/files/${id})` : `{% file src="/files/${id}" %}`
}
