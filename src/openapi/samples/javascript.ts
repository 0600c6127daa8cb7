import { type LiteralSyntax, printLiteral, quoteDouble, quoteSingle } from './literals.ts'
import type { PrintedRequest, SampleBody, Template } from './request.ts'

export const javascriptLiterals: LiteralSyntax = {
  text: quoteSingle,
  null: 'null',
  true: 'true',
  false: 'false',
  list: ['[', ']'],
  map: ['{', '}'],
  key: (name) => `${/^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quoteSingle(name)}: `,
}

/** Returns JavaScript with `fetch`. */
export function printJavascript({ method, url, headers, body }: PrintedRequest): string {
  const lines: string[] = []
  const options: string[] = []
  if (method !== 'GET') options.push(`method: ${quoteSingle(method)},`)
  if (headers.length > 0) {
    const entries = headers.map(({ name, value }) => `    ${javascriptLiterals.key(name)}${printTemplate(value)},`)
    options.push(`headers: {\n${entries.join('\n')}\n  },`)
  }
  if (body) options.push(`body: ${printBody(body, lines)},`)
  const call =
    options.length === 0
      ? `const response = await fetch(${printTemplate(url)})`
      : `const response = await fetch(${printTemplate(url)}, {\n${options.map((option) => `  ${option}`).join('\n')}\n})`
  return [...lines, call, 'console.log(response.status, await response.text())'].join('\n')
}

/** Returns the expression of a body; adds the statements that it needs to `lines`. */
function printBody(body: SampleBody, lines: string[]): string {
  switch (body.kind) {
    case 'json':
      return `JSON.stringify(${printLiteral(body.value, javascriptLiterals, '  ')})`
    case 'form': {
      const pairs = body.fields.map(({ name, value }) => [name, value])
      return `new URLSearchParams(${printLiteral(pairs, javascriptLiterals, '  ')})`
    }
    case 'multipart':
      if (body.fields.some(({ isFile }) => isFile)) lines.push("import { openAsBlob } from 'node:fs'", '')
      lines.push('const form = new FormData()')
      for (const { name, value, isFile } of body.fields)
        lines.push(
          `form.append(${quoteSingle(name)}, ${isFile ? `await openAsBlob(${quoteSingle(value)}), ${quoteSingle(value)}` : quoteSingle(value)})`,
        )
      lines.push('')
      return 'form'
    case 'file':
      lines.push("import { readFile } from 'node:fs/promises'", '')
      return `await readFile(${quoteSingle(body.fileName)})`
    case 'text':
      return quoteDouble(body.text)
  }
}

function printTemplate(template: Template): string {
  const [only] = template
  if (template.length === 1 && typeof only === 'string') return quoteSingle(only)
  if (template.length === 1 && typeof only === 'object') return `process.env.${only.variable}`
  const parts = template.map((part) =>
    typeof part === 'string' ? part.replace(/[\\`]|\$(?=\{)/g, '\\$&') : `\${process.env.${part.variable}}`,
  )
  return `\`${parts.join('')}\``
}
