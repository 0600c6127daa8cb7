import { boundValue } from '../samples/bound-value.ts'
import { type PrintedRequest, type SampleBody, isJson } from '../samples/request.ts'
import type { BuiltBody, BuiltRequest } from './build-request.ts'

/** Returns the request that code samples show; secrets are environment variables. */
export function toSampleRequest({ method, url, headers, cookies, body }: BuiltRequest): PrintedRequest {
  const cookie = cookies.flatMap(({ name, value }, index) => [`${index > 0 ? '; ' : ''}${name}=`, ...value])
  return {
    method,
    url,
    headers: cookie.length > 0 ? [...headers, { name: 'Cookie', value: cookie }] : headers,
    body: body && toSampleBody(body),
  }
}

/** Returns a request whose body of JSON is a value, which languages print as a literal, if this sends exactly the same JSON. */
export function withJsonValue(request: PrintedRequest): PrintedRequest {
  const { body } = request
  if (body?.kind !== 'text' || !isJson(body.mediaType)) return request
  try {
    const value: unknown = JSON.parse(body.text)
    const isExact =
      JSON.stringify(value) === removeSpaces(body.text) && JSON.stringify(boundValue(value)) === JSON.stringify(value)
    return isExact ? { ...request, body: { kind: 'json', mediaType: body.mediaType, value } } : request
  } catch {
    return request
  }
}

/** Removes white space outside of texts. */
const removeSpaces = (json: string): string =>
  json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text: string | undefined) => text ?? '')

function toSampleBody(body: BuiltBody): SampleBody {
  switch (body.kind) {
    case 'text':
    case 'form':
      return body
    case 'multipart':
      return {
        ...body,
        fields: body.fields.map(({ name, value }) =>
          typeof value === 'string' ? { name, value, isFile: false } : { name, value: fileName(value), isFile: true },
        ),
      }
    case 'file':
      return { kind: 'file', mediaType: body.mediaType, fileName: fileName(body.file) }
  }
}

const fileName = (file: Blob): string => ('name' in file && typeof file.name === 'string' ? file.name : 'file.bin')
