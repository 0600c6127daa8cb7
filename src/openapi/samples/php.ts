import { encodeForm } from './encode-form.ts'
import { type LiteralSyntax, joinTemplate, printLiteral } from './literals.ts'
import type { PrintedRequest, SampleBody, Template } from './request.ts'

/** Quotes a text; only the quote and the backslash are special. */
const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

const literals: LiteralSyntax = {
  text: quote,
  null: 'null',
  true: 'true',
  false: 'false',
  list: ['[', ']'],
  map: ['[', ']'],
  emptyMap: 'new stdClass()',
  key: (name) => `${quote(name)} => `,
}

/** Returns PHP with the curl extension. */
export function printPhp({ method, url, headers, body }: PrintedRequest): string {
  const headerLines = headers.map(({ name, value }) => `        ${printTemplate([`${name}: `, ...value])},\n`)
  const options = [
    'CURLOPT_RETURNTRANSFER => true,',
    ...(method === 'GET' && !body ? [] : [`CURLOPT_CUSTOMREQUEST => ${quote(method)},`]),
    ...(headerLines.length > 0 ? [`CURLOPT_HTTPHEADER => [\n${headerLines.join('')}    ],`] : []),
    ...(body ? [`CURLOPT_POSTFIELDS => ${printBody(body)},`] : []),
  ]
  return `<?php
$curl = curl_init(${printTemplate(url)});
curl_setopt_array($curl, [
${options.map((option) => `    ${option}`).join('\n')}
]);
$response = curl_exec($curl);
echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $response;`
}

function printBody(body: SampleBody): string {
  switch (body.kind) {
    case 'json':
      return `json_encode(${printLiteral(body.value, literals, '    ', '    ')})`
    case 'form':
      return quote(encodeForm(body.fields))
    case 'multipart': {
      const entries = body.fields.map(
        ({ name, value, isFile }) =>
          `        ${quote(name)} => ${isFile ? `new CURLFile(${quote(value)})` : quote(value)},\n`,
      )
      return `[\n${entries.join('')}    ]`
    }
    case 'file':
      return `file_get_contents(${quote(body.fileName)})`
    case 'text':
      return quote(body.text)
  }
}

const printTemplate = (template: Template): string => joinTemplate(template, quote, (name) => `getenv('${name}')`, '.')
