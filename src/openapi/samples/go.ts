import { encodeForm } from './encode-form.ts'
import { joinTemplate, quoteDouble } from './literals.ts'
import { type PrintedRequest, type SampleBody, type Template, formatJson } from './request.ts'

/** Returns Go with `net/http`. */
export function printGo({ method, url, headers, body }: PrintedRequest): string {
  const packages = new Set(['fmt', 'io', 'net/http'])
  const { statements, reader, contentType } = body ? printBody(body, packages) : noBody
  const headerLines = headers.map(
    ({ name, value }) => `\treq.Header.Set(${quoteDouble(name)}, ${printTemplate(value, packages)})`,
  )
  if (contentType !== undefined) headerLines.push(`\treq.Header.Set("Content-Type", ${contentType})`)
  const address = printTemplate(url, packages)
  const imports = [...packages].sort().map((name) => `\t"${name}"`)
  return `package main

import (
${imports.join('\n')}
)

func main() {
${[...statements, `\treq, _ := http.NewRequest(${quoteDouble(method)}, ${address}, ${reader})`, ...headerLines].join('\n')}
\tres, err := http.DefaultClient.Do(req)
\tif err != nil {
\t\tpanic(err)
\t}
\tdefer res.Body.Close()
\tdata, _ := io.ReadAll(res.Body)
\tfmt.Println(res.Status, string(data))
}`
}

interface PrintedBody {
  statements: readonly string[]
  reader: string
  /** Expression of a content type that is only available at run time. */
  contentType?: string
}

const noBody: PrintedBody = { statements: [], reader: 'nil' }

function printBody(body: SampleBody, packages: Set<string>): PrintedBody {
  switch (body.kind) {
    case 'json':
    case 'form':
    case 'text': {
      packages.add('strings')
      const text =
        body.kind === 'json' ? formatJson(body.value) : body.kind === 'form' ? encodeForm(body.fields) : body.text
      return { statements: [`\tbody := strings.NewReader(${quoteText(text)})`], reader: 'body' }
    }
    case 'multipart':
      packages.add('bytes').add('mime/multipart')
      if (body.fields.some(({ isFile }) => isFile)) packages.add('os')
      return {
        statements: [
          '\tvar body bytes.Buffer',
          '\tform := multipart.NewWriter(&body)',
          ...body.fields.flatMap(({ name, value, isFile }, index) =>
            isFile
              ? [
                  `\tpart${index}, _ := form.CreateFormFile(${quoteDouble(name)}, ${quoteDouble(value)})`,
                  `\tfile${index}, _ := os.Open(${quoteDouble(value)})`,
                  `\tio.Copy(part${index}, file${index})`,
                ]
              : [`\tform.WriteField(${quoteDouble(name)}, ${quoteDouble(value)})`],
          ),
          '\tform.Close()',
        ],
        reader: '&body',
        contentType: 'form.FormDataContentType()',
      }
    case 'file':
      packages.add('os')
      return { statements: [`\tbody, _ := os.Open(${quoteDouble(body.fileName)})`], reader: 'body' }
  }
}

/** Quotes a text of several lines without escapes, unless it contains the quote. */
const quoteText = (text: string): string =>
  /[`\r\0]/.test(text) || !text.includes('\n') ? quoteDouble(text) : `\`${text}\``

function printTemplate(template: Template, packages: Set<string>): string {
  if (template.some((part) => typeof part !== 'string')) packages.add('os')
  return joinTemplate(template, quoteDouble, (name) => `os.Getenv("${name}")`, '+')
}
