import type { SampleBody, SampleRequest } from '../samples/request.ts'
import type { BuiltBody, BuiltRequest } from './build-request.ts'

/** Returns the request that a curl command shows; secrets are environment variables. */
export function toCurlRequest({
  method,
  url,
  headers,
  cookies,
  body,
}: BuiltRequest): Pick<SampleRequest, 'method' | 'url' | 'headers' | 'body'> {
  const cookie = cookies.flatMap(({ name, value }, index) => [`${index > 0 ? '; ' : ''}${name}=`, ...value])
  return {
    method,
    url,
    headers: cookie.length > 0 ? [...headers, { name: 'Cookie', value: cookie }] : headers,
    body: body && toSampleBody(body),
  }
}

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
