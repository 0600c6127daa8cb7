import {
  type TryItBody,
  type TryItCredential,
  type TryItField,
  type TryItForm,
  type TryItSecret,
  type TryItServer,
  type TryItValues,
  parameterKey,
} from './form.ts'

/** A text with secrets, which code samples show as environment variables. */
export type SecretText = readonly (string | { variable: string; value: string })[]

/** The request that the values of a form describe. */
export interface BuiltRequest {
  method: string
  url: SecretText
  headers: readonly { name: string; value: SecretText }[]
  /** Separate from the headers, because scripts of pages cannot set them. */
  cookies: readonly { name: string; value: SecretText }[]
  body: BuiltBody | undefined
}

export type BuiltBody =
  | { kind: 'text'; mediaType: string; text: string }
  | { kind: 'form'; mediaType: string; fields: readonly { name: string; value: string }[] }
  | { kind: 'multipart'; mediaType: string; fields: readonly { name: string; value: string | Blob }[] }
  | { kind: 'file'; mediaType: string; file: Blob }

/** Error about a value that cannot be sent. */
export class InvalidValueError extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.name = 'InvalidValueError'
    this.field = field
  }
}

export const joinSecrets = (text: SecretText): string =>
  text.map((part) => (typeof part === 'string' ? part : part.value)).join('')

/** Returns the request for values of a form; throws an `InvalidValueError` if a value cannot be sent. */
export function buildRequest(form: TryItForm, values: TryItValues): BuiltRequest {
  const credentials = (form.security[values.security] ?? []).flatMap((credential) => {
    const entered = getOwn(values.credentials, credential.name)
    return entered && entered.secret + (entered.username ?? '') !== '' ? [toNamedSecret(credential, entered)] : []
  })
  const placed = (location: 'header' | 'query' | 'cookie') =>
    credentials.filter((one) => one.location === location).map(({ name, value }) => ({ name, value }))
  const body = hasBody(form) ? buildBody(form.bodies[values.body], values) : undefined
  const entered = (location: 'header' | 'cookie') =>
    form.parameters
      .filter((one) => one.location === location)
      .map((one) => ({ name: one.name, value: getOwn(values.parameters, parameterKey(one)) ?? '' }))
      .filter(({ value }) => value !== '')
  const headers = [
    ...placed('header'),
    ...entered('header').map(({ name, value }) => ({ name, value: [value] })),
    ...(body && body.kind !== 'multipart' ? [{ name: 'Content-Type', value: [body.mediaType] }] : []),
  ]
  for (const { name, value } of headers)
    if (!isHeaderValue(joinSecrets(value)))
      throw new InvalidValueError(name, `The value of ${name} contains characters that a header cannot contain`)
  return {
    method: form.method,
    url: buildUrl(form, values, placed('query')),
    headers,
    cookies: [
      ...placed('cookie').map(({ name, value }) => ({ name, value: value.map(encodeSecret) })),
      ...entered('cookie').map(({ name, value }) => ({ name, value: [encodeURIComponent(value)] })),
    ],
    body,
  }
}

/** Whether requests of a form have a body: browsers refuse to send one with GET and HEAD. */
export const hasBody = ({ method, bodies }: TryItForm): boolean =>
  bodies.length > 0 && method !== 'GET' && method !== 'HEAD'

/** Returns the URL of a server with the entered variables, without a trailing slash. */
export const buildServerUrl = ({ template, variables }: TryItServer, entered: TryItValues['variables']): string =>
  template
    .replace(/\{([^{}]*)\}/g, (whole, name: string) => {
      const variable = variables.find((one) => one.name === name)
      return variable ? getOwn(entered, name) || variable.default : whole
    })
    .replace(/\/+$/, '')

/** Returns the body as `fetch` accepts it. */
export function toFetchBody(body: BuiltBody): string | FormData | Blob {
  switch (body.kind) {
    case 'text':
      return body.text
    case 'form':
      return new URLSearchParams(body.fields.map(({ name, value }): [string, string] => [name, value])).toString()
    case 'multipart': {
      const form = new FormData()
      for (const { name, value } of body.fields) form.append(name, value)
      return form
    }
    case 'file':
      return body.file
  }
}

// Without control characters, so that a value cannot add another header.
const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

const getOwn = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

interface NamedSecret {
  location: 'header' | 'query' | 'cookie'
  name: string
  value: SecretText
}

function toNamedSecret(credential: TryItCredential, { secret, username = '' }: TryItSecret): NamedSecret {
  switch (credential.kind) {
    case 'apiKey':
      return {
        location: credential.location,
        name: credential.parameterName,
        value: [{ variable: 'API_KEY', value: secret }],
      }
    case 'token':
      return authorization(credential.prefix, { variable: 'TOKEN', value: secret })
    case 'basic':
      return authorization('Basic', { variable: 'CREDENTIALS', value: encodeBase64(`${username}:${secret}`) })
  }
}

const authorization = (prefix: string, secret: { variable: string; value: string }): NamedSecret => ({
  location: 'header',
  name: 'Authorization',
  value: [`${prefix} `, secret],
})

const encodeBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))

const encodeSecret = (part: SecretText[number]): SecretText[number] =>
  typeof part === 'string' ? part : { ...part, value: encodeURIComponent(part.value) }

function buildUrl(
  form: TryItForm,
  values: TryItValues,
  keys: readonly { name: string; value: SecretText }[],
): SecretText {
  const server = form.servers[values.server]
  if (!server) throw new InvalidValueError('server', 'The server does not exist')
  const path = buildPath(form, values)
  const pairs = form.parameters
    .filter(({ location }) => location === 'query')
    .flatMap((one) => toPairs(one, getOwn(values.parameters, parameterKey(one)) ?? '', one.isExploded))
    .map(({ name, value }) => `${encode(name)}=${encode(value)}`)
  const separators = [path.includes('?') ? '&' : '?', '&']
  const url: (string | { variable: string; value: string })[] = [
    buildServerUrl(server, values.variables) + path + (pairs.length > 0 ? separators[0] + pairs.join('&') : ''),
  ]
  for (const [index, { name, value }] of keys.entries())
    url.push(`${separators[index + pairs.length > 0 ? 1 : 0]}${encode(name)}=`, ...value.map(encodeSecret))
  return url
}

function buildPath(form: TryItForm, values: TryItValues): string {
  const path = form.path
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      if (!part.startsWith('{')) return part.replaceAll('#', '%23')
      const name = part.slice(1, -1)
      return encode(getOwn(values.parameters, parameterKey({ location: 'path', name })) ?? '') || part
    })
    .join('')
  // A browser resolves these segments, so that the request would have another path.
  if (/(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\?]|$)/i.test(path))
    throw new InvalidValueError('path', 'A segment of the path must not be . or ..')
  return path
}

const encode = (text: string): string => {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new InvalidValueError(text, 'A value contains half of a surrogate pair')
  }
}

/** Returns the pairs of a query or form for an entered value; none if it is empty. */
function toPairs({ name, kind }: TryItField, value: string, isExploded: boolean): { name: string; value: string }[] {
  if (value === '') return []
  if (kind === 'list' && isExploded)
    return value
      .split(',')
      .map((item) => ({ name, value: item.trim() }))
      .filter((pair) => pair.value !== '')
  const fields = kind === 'object' ? parseObject(value) : undefined
  if (!fields) return [{ name, value }]
  return Object.entries(fields).map(([key, one]) => ({
    name: `${name}[${key}]`,
    value: typeof one === 'string' ? one : JSON.stringify(one),
  }))
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function buildBody(body: TryItBody | undefined, values: TryItValues): BuiltBody | undefined {
  switch (body?.kind) {
    case undefined:
      return undefined
    case 'text':
      return values.text === '' ? undefined : { kind: 'text', mediaType: body.mediaType, text: values.text }
    case 'file': {
      const [file] = getOwn(values.files, '') ?? []
      return file && { kind: 'file', mediaType: body.mediaType, file }
    }
    case 'form': {
      const fields = body.fields.flatMap((field) => toPairs(field, getOwn(values.fields, field.name) ?? '', true))
      return fields.length > 0 || body.isRequired ? { kind: 'form', mediaType: body.mediaType, fields } : undefined
    }
    case 'multipart': {
      const fields = body.fields.flatMap((field): { name: string; value: string | Blob }[] => {
        if (field.kind === 'file')
          return (getOwn(values.files, field.name) ?? []).map((value) => ({ name: field.name, value }))
        const value = getOwn(values.fields, field.name) ?? ''
        // Objects are sent as JSON in one part.
        return field.kind === 'list' ? toPairs(field, value, true) : value === '' ? [] : [{ name: field.name, value }]
      })
      return fields.length > 0 || body.isRequired ? { kind: 'multipart', mediaType: body.mediaType, fields } : undefined
    }
  }
}
