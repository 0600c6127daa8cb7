import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ContentChange } from '../../src/contract/content-changes.ts'
import type { RevisionFile } from '../../src/contract/revision.ts'
import type { Person } from './server.ts'

/** File as it can be sent in a list of changes. */
export type NewFile = { name: string } & Record<string, unknown>

export const inlineFile = (name: string, bytes: Uint8Array | string, contentType = 'text/plain'): NewFile => ({
  name,
  contentType,
  base64: Buffer.from(bytes).toString('base64'),
})

/** Maximum number of files that one change may insert. */
const maxFilesPerChange = 20

const insertFiles = (files: NewFile[]) => ({ operation: 'insert_files', files }) as unknown as ContentChange

/** Adds files to the published content of a space. */
export async function addFiles(
  { api }: Pick<Person, 'api'>,
  spaceId: string,
  ...files: NewFile[]
): Promise<RevisionFile[]> {
  const reply = await api.updateSpaceContent({ params: { spaceId }, body: { changes: [insertFiles(files)] } })
  return reply.insertedFiles ?? []
}

/** Adds files to a change request. */
export async function proposeFiles(
  { api }: Pick<Person, 'api'>,
  params: { spaceId: string; changeRequestId: string },
  ...files: NewFile[]
): Promise<RevisionFile[]> {
  const portions = Math.ceil(files.length / maxFilesPerChange)
  const body = {
    changes: Array.from({ length: portions }, (_, index) =>
      insertFiles(files.slice(index * maxFilesPerChange, (index + 1) * maxFilesPerChange)),
    ),
  }
  const reply = await api.updateChangeRequestContent({ params, query: { compat: 'false' }, body })
  return 'insertedFiles' in reply ? (reply.insertedFiles ?? []) : []
}

/** Requests an upload URL. */
export function startUpload(
  { api }: Pick<Person, 'api'>,
  organizationId: string,
  file: { name: string; type?: string; size?: number },
) {
  const { name, type = 'application/octet-stream', size = 1 } = file
  const body = { file: { name, type, size }, kind: 'organization_file' as const }
  return api.generateStorageUploadURL({ params: { organizationId }, body })
}

/** Uploads bytes; returns the key of the upload. */
export async function upload(
  person: Pick<Person, 'api'>,
  organizationId: string,
  name: string,
  bytes: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { url, key } = await startUpload(person, organizationId, { name, size: bytes.length })
  const reply = await fetch(url, { method: 'PUT', body: bytes })
  if (!reply.ok) throw new Error(`The upload was answered with ${reply.status}: ${await reply.text()}`)
  return key
}

export async function fetchText(url: string): Promise<string> {
  const reply = await fetch(url)
  return reply.ok ? reply.text() : `status ${reply.status}`
}

export interface HostedFile {
  type: string
  bytes: Uint8Array | string
  /** Declared number of bytes, if it differs from the actual one. */
  size?: number
}

/** Starts a server with files until the test ends; other paths return 404. */
export async function fileHostForTest(
  files: Record<string, HostedFile>,
): Promise<{ url: string; /** Requested paths. */ requestedPaths: string[] }> {
  const requestedPaths: string[] = []
  const server = createServer((request, reply) => {
    requestedPaths.push(request.url ?? '')
    const file = files[request.url ?? '']
    if (!file) return reply.writeHead(404).end('nothing here')
    const length = file.size ?? Buffer.byteLength(file.bytes)
    reply.writeHead(200, { 'content-type': file.type, 'content-length': length })
    if (file.size === undefined) reply.end(file.bytes)
    else reply.flushHeaders()
  })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requestedPaths }
}
