import type { ApiOperation, MediaTypeContent, OperationParameter } from '../model.ts'
import { type SchemaPurpose, isFieldUsed, readSchema } from '../schema.ts'
import type { RequiredScheme } from '../security.ts'
import { isSpecObject } from '../spec.ts'
import { boundValue } from './bound-value.ts'
import { createExample, findResourceName } from './example.ts'
import { isXml, printXml } from './xml.ts'

/** A text with secrets, which samples read from environment variables. */
export type Template = readonly (string | Secret)[]

export interface Secret {
  /** Name of the environment variable. */
  variable: string
}

/** A request that code samples show. */
export interface SampleRequest {
  operation: ApiOperation
  /** In upper case, letters only. */
  method: string
  url: Template
  /** Without `Content-Type` if the client sets it. */
  headers: readonly { name: string; value: Template }[]
  /** Required query parameters. */
  query: readonly { name: string; value: string }[]
  body: SampleBody | undefined
}

/** Properties of a request that printers of code samples use. */
export type PrintedRequest = Pick<SampleRequest, 'method' | 'url' | 'headers' | 'body'>

export type SampleBody =
  | { kind: 'json'; mediaType: string; value: unknown }
  | { kind: 'form'; mediaType: string; fields: readonly { name: string; value: string }[] }
  | { kind: 'multipart'; mediaType: string; fields: readonly MultipartField[] }
  | { kind: 'file'; mediaType: string; fileName: string }
  | { kind: 'text'; mediaType: string; text: string }

export interface MultipartField {
  name: string
  value: string
  /** Whether the value is the name of a file whose content is sent. */
  isFile: boolean
}

/** Formats a value as indented JSON. */
export const formatJson = (value: unknown): string => JSON.stringify(boundValue(value), null, 2) ?? ''

/** Formats the value of a parameter: text without quotes. */
export const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, 2000).toWellFormed() : formatCompact(value)

const formatCompact = (value: unknown): string => JSON.stringify(boundValue(value)) ?? ''

/** Host of URLs for documents that do not name a server. */
const defaultOrigin = 'https://api.example.com'

/** Returns the request that code samples of an operation show. */
export function createSampleRequest(operation: ApiOperation): SampleRequest {
  const { parameters, body, method } = operation
  const required = (location: OperationParameter['location']) =>
    parameters.filter((one) => one.location === location && one.isRequired)
  const query = required('query').flatMap((one) => toQueryPairs(one, createParameterExample(operation, one)))
  const [requirement = []] = operation.security
  const content = body && preferJson(body.contents)
  const sampleBody = content && createBody(operation, content, body.isRequired)
  return {
    operation,
    method: method.replace(/[^A-Z]/g, ''),
    url: createUrl(operation, query, requirement),
    headers: [
      ...requirement.flatMap((scheme) => createSecurityHeader(scheme)),
      ...required('header')
        .filter(({ name }) => !/^(authorization|accept|content-type)$/i.test(name))
        .map((one) => ({ name: one.name, value: [formatValue(createParameterExample(operation, one))] })),
      ...createCookieHeader(operation, required('cookie'), requirement),
      ...(sampleBody && sampleBody.kind !== 'multipart'
        ? [{ name: 'Content-Type', value: [sampleBody.mediaType] }]
        : []),
    ],
    query,
    body: sampleBody,
  }
}

/** Returns the example of a parameter, else one generated from its schema. */
function createParameterExample({ spec }: ApiOperation, { example, schema, name }: OperationParameter): unknown {
  return boundValue(example === undefined ? createExample(spec, schema, 'request', name) : example)
}

/** The operation of an example; schemas have no path. */
export type ExampleOwner = Pick<ApiOperation, 'spec'> & Partial<Pick<ApiOperation, 'path'>>

/** Returns an example of a body: the first one in the document, else one generated from the schema. */
export function createContentExample(
  { spec, path }: ExampleOwner,
  { examples, schema }: MediaTypeContent,
  purpose: SchemaPurpose,
): unknown {
  const [example] = examples
  const name = findResourceName(path ?? '')
  return boundValue(example === undefined ? createExample(spec, schema, purpose, name) : example.value)
}

/** Formats an example of a body: text unchanged, XML, or JSON. */
export function formatContent(
  { spec, path }: ExampleOwner,
  { mediaType, schema }: MediaTypeContent,
  value: unknown,
): { text: string; syntax: string } {
  if (typeof value === 'string' && !isJson(mediaType))
    return { text: value, syntax: /\b(xml|html|yaml|csv|graphql)\b/i.exec(mediaType)?.[1]?.toLowerCase() ?? 'text' }
  if (isXml(mediaType)) {
    const rootName = readSchema(spec, schema).name ?? findResourceName(path ?? '') ?? 'root'
    return { text: printXml(value, rootName), syntax: 'xml' }
  }
  return { text: formatJson(value), syntax: 'json' }
}

export const preferJson = (contents: readonly MediaTypeContent[]): MediaTypeContent | undefined =>
  contents.find(({ mediaType }) => isJson(mediaType)) ?? contents[0]

export const isJson = (mediaType: string): boolean =>
  /\bjson\b/i.test(mediaType) && !/seq|jsonl|ndjson/i.test(mediaType)

function createUrl(
  operation: ApiOperation,
  query: SampleRequest['query'],
  requirement: readonly RequiredScheme[],
): Template {
  const base = operation.servers[0]?.url ?? ''
  const origin = /^[a-z][a-z+.-]*:\/\//i.test(base)
    ? base
    : `${defaultOrigin}${base === '' || base.startsWith('/') ? '' : '/'}${base}`
  const examples = new Map(
    operation.parameters
      .filter(({ location }) => location === 'path')
      .map((one) => [one.name, encode(formatValue(createParameterExample(operation, one)))]),
  )
  const path = operation.path
    .slice(0, 2000)
    .split(/(\{[^{}]*\})/)
    .map((part) => (part.startsWith('{') ? (examples.get(part.slice(1, -1)) ?? part) : encodePath(part)))
    .join('')
  const pairs = query.map(({ name, value }) => `${encode(name)}=${encode(value)}`)
  const url = encodePath(origin) + path + (pairs.length > 0 ? `?${pairs.join('&')}` : '')
  const keys = requirement.flatMap(({ scheme }) =>
    scheme?.type === 'apiKey' && scheme.location === 'query' ? [scheme.parameterName] : [],
  )
  return keys.reduce<Template>(
    (template, name, index) => [
      ...template,
      `${pairs.length === 0 && index === 0 ? '?' : '&'}${encode(name)}=`,
      { variable: 'API_KEY' },
    ],
    [url],
  )
}

/** Encodes characters that are not allowed in a URL and keeps the rest. */
const encodePath = (text: string): string =>
  text.toWellFormed().replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%{}]+/g, (part) => encodeURIComponent(part))

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

function toQueryPairs({ name, isExploded }: OperationParameter, value: unknown): { name: string; value: string }[] {
  if (Array.isArray(value)) {
    const items = value.map((item) => formatValue(item))
    return isExploded ? items.map((item) => ({ name, value: item })) : [{ name, value: items.join(',') }]
  }
  if (isSpecObject(value))
    return Object.entries(value).map(([key, one]) => ({ name: `${name}[${key}]`, value: formatValue(one) }))
  return [{ name, value: formatValue(value) }]
}

function createSecurityHeader({ scheme }: RequiredScheme): { name: string; value: Template }[] {
  switch (scheme?.type) {
    case 'apiKey':
      return scheme.location === 'header' ? [{ name: scheme.parameterName, value: [{ variable: 'API_KEY' }] }] : []
    case 'http': {
      if (scheme.scheme === 'basic') return [authorization('Basic', 'CREDENTIALS')]
      const name = scheme.scheme === 'bearer' ? 'Bearer' : scheme.scheme
      return [authorization(name, 'TOKEN')]
    }
    case 'oauth2':
    case 'openIdConnect':
    case undefined:
      return [authorization('Bearer', 'TOKEN')]
    case 'mutualTLS':
      return []
  }
}

const authorization = (scheme: string, variable: string): { name: string; value: Template } => ({
  name: 'Authorization',
  value: [`${scheme} `, { variable }],
})

function createCookieHeader(
  operation: ApiOperation,
  cookies: readonly OperationParameter[],
  requirement: readonly RequiredScheme[],
): { name: string; value: Template }[] {
  const parts: Template[] = [
    ...requirement.flatMap(({ scheme }) =>
      scheme?.type === 'apiKey' && scheme.location === 'cookie'
        ? [[`${scheme.parameterName}=`, { variable: 'API_KEY' }]]
        : [],
    ),
    ...cookies.map((one) => [`${one.name}=${encode(formatValue(createParameterExample(operation, one)))}`]),
  ]
  if (parts.length === 0) return []
  return [{ name: 'Cookie', value: parts.flatMap((part, index) => (index === 0 ? part : ['; ', ...part])) }]
}

function createBody(operation: ApiOperation, content: MediaTypeContent, isRequired: boolean): SampleBody | undefined {
  const { mediaType } = content
  const value = createContentExample(operation, content, 'request')
  if (!isRequired && isEmpty(value)) return undefined
  if (/^multipart\//i.test(mediaType))
    return { kind: 'multipart', mediaType, fields: createMultipartFields(operation, content, value) }
  if (/^application\/x-www-form-urlencoded/i.test(mediaType)) {
    const fields = Object.entries(isSpecObject(value) ? value : {})
    return { kind: 'form', mediaType, fields: fields.map(([name, one]) => ({ name, value: formatValue(one) })) }
  }
  if (isJson(mediaType) || mediaType === '*/*')
    return { kind: 'json', mediaType: mediaType === '*/*' ? 'application/json' : mediaType, value: value ?? {} }
  if (isXml(mediaType) && isSpecObject(value))
    return { kind: 'text', mediaType, text: formatContent(operation, content, value).text }
  if (
    typeof value === 'string' &&
    value !== '<binary>' &&
    /^text\/|[+/]xml|ya?ml|jsonl|ndjson|graphql/i.test(mediaType)
  )
    return { kind: 'text', mediaType, text: value }
  return { kind: 'file', mediaType, fileName: `file${fileExtension(mediaType)}` }
}

function createMultipartFields({ spec }: ApiOperation, { schema }: MediaTypeContent, value: unknown): MultipartField[] {
  const given = isSpecObject(value) ? value : {}
  return readSchema(spec, schema).properties.flatMap(({ name, schema: node, isRequired }) => {
    const property = readSchema(spec, node)
    if (!isFieldUsed(property, 'request') || !(isRequired || Object.hasOwn(given, name))) return []
    const item = property.types[0] === 'array' ? readSchema(spec, property.items) : property
    const isFile = item.format === 'binary' || (item.types.length === 0 && item.properties.length === 0)
    return [{ name, value: isFile ? 'file.bin' : formatValue(given[name]), isFile }]
  })
}

const fileExtension = (mediaType: string): string => {
  const subtype = /\/(?:x-)?([a-z0-9]+)$/i.exec(mediaType)?.[1]?.toLowerCase()
  return subtype === undefined || subtype === 'stream' ? '.bin' : `.${subtype === 'jpeg' ? 'jpg' : subtype}`
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
