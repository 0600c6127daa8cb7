import type { ApiOperation, MediaTypeContent, OperationParameter } from '../model.ts'
import { boundValue } from '../samples/bound-value.ts'
import { createExample } from '../samples/example.ts'
import { createContentExample, formatContent, formatValue, isJson } from '../samples/request.ts'
import { isXml } from '../samples/xml.ts'
import { type NormalizedSchema, isFieldUsed, readSchema } from '../schema.ts'
import type { RequiredScheme } from '../security.ts'
import { getOwn, isSpecObject } from '../spec.ts'
import type {
  TryItBody,
  TryItCredential,
  TryItField,
  TryItFieldKind,
  TryItForm,
  TryItLocation,
  TryItParameter,
  TryItSecurity,
} from './form.ts'

/** Maximum number of characters of a form as JSON; operations with a longer one have no try-it panel. */
const maxFormLength = 60_000

const maxFields = 200
const maxValues = 100
const maxValueLength = 200

/** Returns the form of an operation; undefined if its document hides it or there is no server to send a request to. */
export function createTryItForm(operation: ApiOperation): TryItForm | undefined {
  const { kind, method, path, security, parameters } = operation
  // Browsers refuse to send TRACE.
  if (kind === 'webhook' || method === 'TRACE' || isTryItHidden(operation)) return undefined
  const servers = operation.servers
    .filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url))
    .map(({ template, variables }) => ({
      template,
      variables: variables.map((one) => ({ name: one.name, default: one.default, values: one.values })),
    }))
  if (servers.length === 0) return undefined
  const form: TryItForm = {
    method,
    path,
    servers,
    security: createSecurity(security),
    parameters: parameters.slice(0, maxFields).flatMap((one) => toParameter(operation, one)),
    bodies: (operation.body?.contents ?? []).map((content) =>
      createBody(operation, content, operation.body?.isRequired === true),
    ),
  }
  return JSON.stringify(form).length > maxFormLength ? undefined : form
}

/** Whether `x-hideTryItPanel` of the operation or of the document hides the panel. */
const isTryItHidden = ({ source, spec }: ApiOperation): boolean => readFlag('x-hideTryItPanel', source, spec.root)

/** Whether `x-enable-proxy` of the operation or of the document allows requests through the server of the site. */
export const isProxyEnabled = ({ source, spec }: ApiOperation): boolean => readFlag('x-enable-proxy', source, spec.root)

/** Returns the first value of an extension that is a boolean. */
const readFlag = (name: string, ...levels: readonly ApiOperation['source'][]): boolean =>
  levels.map((level) => getOwn(level, name)).find((value) => typeof value === 'boolean') === true

function createSecurity(requirements: ApiOperation['security']): TryItSecurity[] {
  const alternatives = requirements.map((requirement) => requirement.flatMap(toCredential))
  return alternatives.some((one) => one.length > 0) ? alternatives : []
}

function toCredential({ name, scheme }: RequiredScheme): TryItCredential[] {
  switch (scheme?.type) {
    case 'apiKey': {
      const { location, parameterName } = scheme
      const isAllowed = location === 'query' || (location === 'header' ? isHeaderName : isToken)(parameterName)
      return isAllowed ? [{ kind: 'apiKey', name, location, parameterName }] : []
    }
    case 'http':
      if (scheme.scheme === 'basic') return [{ kind: 'basic', name }]
      if (!isToken(scheme.scheme)) return []
      return [{ kind: 'token', name, prefix: scheme.scheme === 'bearer' ? 'Bearer' : scheme.scheme }]
    case 'oauth2':
    case 'openIdConnect':
    case undefined:
      return [{ kind: 'token', name, prefix: 'Bearer' }]
    case 'mutualTLS':
      return []
  }
}

/** Whether a text can be the name of a header or cookie. */
const isToken = (name: string): boolean => /^[!#$%&'*+.^_`|~\w-]{1,200}$/.test(name)

/** Headers that the client sets, or that would change how servers treat the connection or the address of the client. */
const reservedHeaders =
  /^(?:accept-encoding|connection|content-length|cookie2?|expect|forwarded|host|keep-alive|proxy-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*|x-real-ip)$/i

const isHeaderName = (name: string): boolean => isToken(name) && !reservedHeaders.test(name)

function toParameter(operation: ApiOperation, parameter: OperationParameter): TryItParameter[] {
  const { name, location, isRequired, isExploded, schema, example } = parameter
  if (location === 'other') return []
  // OpenAPI ignores these, because they are described elsewhere in the document.
  if (location === 'header' && (!isHeaderName(name) || /^(?:accept|authorization|content-type)$/i.test(name))) return []
  if (location === 'cookie' && !isToken(name)) return []
  const field = createField(operation, { name, isRequired, schema, example })
  return [{ ...field, location: location satisfies TryItLocation, isExploded }]
}

interface FieldSource {
  name: string
  isRequired: boolean
  schema: unknown
  example: unknown
}

const formatted = (value: unknown): string => formatFieldValue(boundValue(value)).slice(0, 10 * maxValueLength)

function createField({ spec }: ApiOperation, { name, isRequired, schema: node, example }: FieldSource): TryItField {
  const schema = readSchema(spec, node)
  const item = schema.types[0] === 'array' ? readSchema(spec, schema.items) : schema
  const kind = item.format === 'binary' ? 'file' : toFieldKind(schema)
  const given = example ?? schema.examples[0] ?? schema.default
  const values =
    kind === 'text' || kind === 'number'
      ? schema.values?.list.slice(0, maxValues).map(({ value }) => formatValue(value).slice(0, maxValueLength))
      : undefined
  const placeholder = given ?? createExample(spec, node, 'request', name)
  return {
    name,
    kind,
    type: describeType(schema, item),
    isRequired,
    ...(values && { values }),
    // Generated values are only examples: a request with one of them would fail.
    ...(isRequired && given !== undefined && kind !== 'file' && { value: formatted(given) }),
    ...(placeholder !== undefined && kind !== 'file' && { placeholder: formatted(placeholder) }),
  }
}

const toFieldKind = ({ types, properties }: NormalizedSchema): TryItFieldKind => {
  switch (types[0]) {
    case 'integer':
    case 'number':
      return types.length === 1 ? 'number' : 'text'
    case 'boolean':
      return types.length === 1 ? 'boolean' : 'text'
    case 'array':
      return 'list'
    case 'object':
      return 'object'
    default:
      return types.length === 0 && properties.length > 0 ? 'object' : 'text'
  }
}

function describeType(schema: NormalizedSchema, item: NormalizedSchema): string {
  const types = schema.types.join(' | ') || (schema.properties.length > 0 ? 'object' : '')
  const type = schema === item || item.types.length === 0 ? types : `${types}<${item.types.join(' | ')}>`
  return (item.format === undefined ? type : `${type} (${item.format})`).slice(0, 100)
}

const formatFieldValue = (value: unknown): string =>
  Array.isArray(value) ? value.map((item) => formatValue(item)).join(',') : formatValue(value)

function createBody(operation: ApiOperation, content: MediaTypeContent, isRequired: boolean): TryItBody {
  const { schema } = content
  const mediaType = content.mediaType.slice(0, maxValueLength)
  const example = createContentExample(operation, content, 'request')
  const isMultipart = /^multipart\//i.test(mediaType)
  if (isMultipart || /^application\/x-www-form-urlencoded/i.test(mediaType)) {
    const given = isSpecObject(example) ? example : {}
    const fields = readSchema(operation.spec, schema)
      .properties.slice(0, maxFields)
      .filter(({ schema: node }) => isFieldUsed(readSchema(operation.spec, node), 'request'))
      .map((one) => createField(operation, { ...one, example: getOwn(given, one.name) }))
    return { kind: isMultipart ? 'multipart' : 'form', mediaType, isRequired, fields }
  }
  const isAnything = mediaType === '*/*'
  if (isAnything || isJson(mediaType) || isXml(mediaType)) {
    const text = example === undefined ? '' : formatContent(operation, content, example).text
    return { kind: 'text', mediaType: isAnything ? 'application/json' : mediaType, isRequired, text }
  }
  if (
    /^text\/|ya?ml|jsonl|ndjson|json-seq|graphql/i.test(mediaType) ||
    (typeof example === 'string' && example !== '<binary>')
  )
    return { kind: 'text', mediaType, isRequired, text: typeof example === 'string' ? example : '' }
  return { kind: 'file', mediaType, isRequired }
}
