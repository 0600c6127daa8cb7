import { encodeForm } from './encode-form.ts'
import { type LiteralSyntax, joinTemplate, printLiteral } from './literals.ts'
import type { PrintedRequest, SampleBody, Template } from './request.ts'

/** Quotes a text without interpolation. */
const quote = (text: string): string => JSON.stringify(text).replaceAll('#', '\\#')

const literals: LiteralSyntax = {
  text: quote,
  null: 'nil',
  true: 'true',
  false: 'false',
  list: ['[', ']'],
  map: ['{', '}'],
  key: (name) => `${quote(name)} => `,
}

/** Classes of requests, such as `Net::HTTP::Post`. */
const requestClasses: Readonly<Record<string, string>> = {
  GET: 'Get',
  POST: 'Post',
  PUT: 'Put',
  PATCH: 'Patch',
  DELETE: 'Delete',
  HEAD: 'Head',
  OPTIONS: 'Options',
  TRACE: 'Trace',
}

/** Returns Ruby with `net/http`. */
export function printRuby({ method, url, headers, body }: PrintedRequest): string {
  const requestClass = Object.hasOwn(requestClasses, method) ? requestClasses[method] : undefined
  const lines = [
    'require "net/http"',
    ...(body?.kind === 'json' ? ['require "json"'] : []),
    '',
    `uri = URI(${printTemplate(url)})`,
    requestClass === undefined
      ? `request = Net::HTTPGenericRequest.new(${quote(method)}, true, true, uri)`
      : `request = Net::HTTP::${requestClass}.new(uri)`,
    ...headers.map(({ name, value }) => `request[${quote(name)}] = ${printTemplate(value)}`),
    ...(body ? [printBody(body)] : []),
    '',
    'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") do |http|',
    '  http.request(request)',
    'end',
    'puts response.code, response.body',
  ]
  return lines.join('\n')
}

function printBody(body: SampleBody): string {
  switch (body.kind) {
    case 'json':
      return `request.body = JSON.generate(${printLiteral(body.value, literals)})`
    case 'form':
      return `request.body = ${quote(encodeForm(body.fields))}`
    case 'multipart': {
      const parts = body.fields.map(
        ({ name, value, isFile }) => `  [${quote(name)}, ${isFile ? `File.open(${quote(value)})` : quote(value)}],\n`,
      )
      return `request.set_form([\n${parts.join('')}], "multipart/form-data")`
    }
    case 'file':
      return `request.body = File.binread(${quote(body.fileName)})`
    case 'text':
      return `request.body = ${quote(body.text)}`
  }
}

const printTemplate = (template: Template): string =>
  joinTemplate(template, quote, (name) => `ENV.fetch("${name}")`, '+')
