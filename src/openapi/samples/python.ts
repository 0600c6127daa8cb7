import { type LiteralSyntax, printLiteral, quoteDouble } from './literals.ts'
import type { PrintedRequest, SampleBody, Template } from './request.ts'

const literals: LiteralSyntax = {
  text: quoteDouble,
  null: 'None',
  true: 'True',
  false: 'False',
  list: ['[', ']'],
  map: ['{', '}'],
  key: (name) => `${quoteDouble(name)}: `,
}

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])

/** Returns Python with `requests`. */
export function printPython({ method, url, headers, body }: PrintedRequest): string {
  const isMethod = methods.has(method)
  const options = [printTemplate(url)]
  if (!isMethod) options.unshift(quoteDouble(method))
  // The library sets the type of JSON bodies.
  const shown = headers.filter(({ name, value }) => !(name === 'Content-Type' && value[0] === 'application/json'))
  if (shown.length > 0) {
    const entries = shown.map(({ name, value }) => `        ${quoteDouble(name)}: ${printTemplate(value)},\n`)
    options.push(`headers={\n${entries.join('')}    }`)
  }
  if (body) options.push(...printBody(body))
  const usesSecrets = [url, ...shown.map(({ value }) => value)].flat().some((part) => typeof part !== 'string')
  return `${usesSecrets ? 'import os\n' : ''}import requests

response = requests.${isMethod ? method.toLowerCase() : 'request'}(
${options.map((option) => `    ${option},`).join('\n')}
)
print(response.status_code, response.text)`
}

function printBody(body: SampleBody): string[] {
  switch (body.kind) {
    case 'json':
      return [`json=${printLiteral(body.value, literals, '    ', '    ')}`]
    case 'form':
      return [`data=${printLiteral(toMap(body.fields), literals, '    ', '    ')}`]
    case 'multipart': {
      // Fields without a file name are sent as plain values.
      const entries = body.fields.map(({ name, value, isFile }) =>
        isFile
          ? `        ${quoteDouble(name)}: open(${quoteDouble(value)}, "rb"),\n`
          : `        ${quoteDouble(name)}: (None, ${quoteDouble(value)}),\n`,
      )
      return [`files={\n${entries.join('')}    }`]
    }
    case 'file':
      return [`data=open(${quoteDouble(body.fileName)}, "rb")`]
    case 'text':
      return [`data=${quoteDouble(body.text)}.encode()`]
  }
}

const toMap = (fields: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]))

function printTemplate(template: Template): string {
  const [only] = template
  if (template.every((part) => typeof part === 'string')) return quoteDouble(template.join(''))
  if (template.length === 1 && typeof only === 'object') return `os.environ["${only.variable}"]`
  const parts = template.map((part) =>
    typeof part === 'string'
      ? JSON.stringify(part).slice(1, -1).replace(/[{}]/g, '$&$&')
      : `{os.environ['${part.variable}']}`,
  )
  return `f"${parts.join('')}"`
}
