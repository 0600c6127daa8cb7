import { type PrintedRequest, type SampleBody, type Template, formatJson } from './request.ts'

/** Returns a curl command. */
export function printCurl({ method, url, headers, body }: PrintedRequest): string {
  const address = quoteTemplate(url)
  // Curl expands brackets and braces in URLs.
  const glob = /[[\]{}]/.test(address) ? '--globoff ' : ''
  const lines = [
    `curl ${glob}${printMethod(method, body !== undefined)}${address}`,
    ...headers.map(({ name, value }) => `-H ${quoteTemplate([`${name}: `, ...value])}`),
    ...(body ? printBody(body) : []),
  ]
  return lines.join(' \\\n  ')
}

/** `-X HEAD` would wait for a body. */
function printMethod(method: string, hasBody: boolean): string {
  if (method === 'GET' && !hasBody) return ''
  return method === 'HEAD' ? '--head ' : `-X ${method} `
}

function printBody(body: SampleBody): string[] {
  switch (body.kind) {
    case 'json':
      return [`-d ${quoteForShell(formatJson(body.value))}`]
    case 'form':
      return body.fields.map(({ name, value }) => `--data-urlencode ${quoteForShell(`${name}=${value}`)}`)
    case 'multipart':
      return body.fields.map(({ name, value, isFile }) =>
        isFile ? `-F ${quoteForShell(`${name}=@${value}`)}` : `--form-string ${quoteForShell(`${name}=${value}`)}`,
      )
    case 'file':
      return [`--data-binary ${quoteForShell(`@${body.fileName}`)}`]
    case 'text':
      return [`--data-raw ${quoteForShell(body.text)}`]
  }
}

/** Quotes a text for a shell; secrets are shell variables in double quotes. */
function quoteTemplate(template: Template): string {
  const texts = template.filter((part) => typeof part === 'string')
  const isPlain = texts.every((part) => /^[\w :./?&=%,@+;()~[\]{}#*-]*$/.test(part))
  if (texts.length === template.length && !isPlain) return quoteForShell(texts.join(''))
  if (isPlain) return `"${template.map((part) => (typeof part === 'string' ? part : `$${part.variable}`)).join('')}"`
  return template.map((part) => (typeof part === 'string' ? quoteForShell(part) : `"$${part.variable}"`)).join('')
}

/** Quotes a text for a shell. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
