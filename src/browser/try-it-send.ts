import { type BuiltRequest, joinSecrets, toFetchBody } from '../openapi/try-it/build-request.ts'
import type { TryItForm, TryItValues } from '../openapi/try-it/form.ts'
import type { TryItResponse } from './try-it-result.ts'

/** Endpoint of the site that sends requests to the API. */
export interface TryItProxy {
  url: string
  page: string
  spec: string
}

/** Error whose message can be shown. */
export class RefusedError extends Error {}

/** Maximum number of bytes of a body that are read. */
const maxBytes = 10_000_000

/** Sends a request from the browser to the API. */
export async function sendDirectly(request: BuiltRequest, signal: AbortSignal): Promise<TryItResponse> {
  const startTime = performance.now()
  const response = await fetch(joinSecrets(request.url), {
    method: request.method,
    headers: request.headers.map(({ name, value }): [string, string] => [name, joinSecrets(value)]),
    ...(request.body && { body: toFetchBody(request.body) }),
    // Cookies of the API are sent only if the operation requires one.
    credentials: request.cookies.length > 0 ? 'include' : 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    signal,
  })
  const { bytes, isTruncated } = await readBytes(response)
  const { status, statusText } = response
  return {
    status,
    statusText,
    headers: [...response.headers],
    bytes,
    isTruncated,
    milliseconds: performance.now() - startTime,
  }
}

async function readBytes({ body }: Response): Promise<{ bytes: Uint8Array<ArrayBuffer>; isTruncated: boolean }> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = body?.getReader()
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    chunks.push(read.value)
    size += read.value.length
    if (size > maxBytes) break
  }
  const isTruncated = size > maxBytes
  if (isTruncated) await reader?.cancel()
  return { bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()).subarray(0, maxBytes), isTruncated }
}

interface ProxiedResponse {
  status: number
  headers: [string, string][]
  /** Base64. */
  body: string
  isTruncated: boolean
  milliseconds: number
}

/** Lets the server of the site send a request to the API. */
export async function sendThroughProxy(
  { url, page, spec }: TryItProxy,
  { method, path }: TryItForm,
  values: TryItValues,
  signal: AbortSignal,
): Promise<TryItResponse> {
  const files = await Promise.all(
    Object.entries(values.files).map(async ([name, list]) => [name, await Promise.all(list.map(encodeFile))] as const),
  )
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ page, spec, method, path, values: { ...values, files: Object.fromEntries(files) } }),
    signal,
  })
  const content = (await reply.json()) as ProxiedResponse & { error?: { message?: string } }
  if (!reply.ok) throw new RefusedError(content.error?.message ?? `${reply.status}`)
  const bytes = Uint8Array.from(atob(content.body), (character) => character.charCodeAt(0))
  return { ...content, statusText: '', bytes }
}

async function encodeFile(file: Blob): Promise<{ name: string; type: string; data: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return { name: file instanceof File ? file.name : '', type: file.type, data: btoa(text) }
}
