import { encodeForm } from './encode-form.ts'
import { joinTemplate, quoteDouble } from './literals.ts'
import { type PrintedRequest, type SampleBody, type Template, formatJson } from './request.ts'

/** Boundary of multipart bodies, which the HTTP client of Java does not create. */
const boundary = 'boundary'

/** Returns Java with `java.net.http.HttpClient`. */
export function printJava({ method, url, headers, body }: PrintedRequest): string {
  const publisher = body ? printBody(body) : 'HttpRequest.BodyPublishers.noBody()'
  const fields = [
    ...headers.map(({ name, value }) => ({ name, value: printTemplate(value) })),
    ...(body?.kind === 'multipart'
      ? [{ name: 'Content-Type', value: quoteDouble(`multipart/form-data; boundary=${boundary}`) }]
      : []),
  ]
  const isGet = method === 'GET' && !body
  const needsFiles = body?.kind === 'file'
  return `import java.net.URI;
import java.net.http.*;
${needsFiles ? 'import java.nio.file.Path;\n' : ''}
HttpRequest request = HttpRequest.newBuilder()
    .uri(URI.create(${printTemplate(url)}))
${fields.map(({ name, value }) => `    .header(${quoteDouble(name)}, ${value})\n`).join('')}    ${isGet ? '.GET()' : `.method(${quoteDouble(method)}, ${publisher})`}
    .build();
HttpResponse<String> response = HttpClient.newHttpClient()
    .send(request, HttpResponse.BodyHandlers.ofString());
System.out.println(response.statusCode() + " " + response.body());`
}

function printBody(body: SampleBody): string {
  switch (body.kind) {
    case 'json':
      return ofString(formatJson(body.value))
    case 'form':
      return ofString(encodeForm(body.fields))
    case 'multipart': {
      const parts = body.fields.map(({ name, value, isFile }) => {
        const disposition = `Content-Disposition: form-data; name="${name}"${isFile ? `; filename="${value}"` : ''}`
        return `--${boundary}\r\n${disposition}\r\n\r\n${isFile ? '(content of the file)' : value}\r\n`
      })
      return ofString(`${parts.join('')}--${boundary}--\r\n`)
    }
    case 'file':
      return `HttpRequest.BodyPublishers.ofFile(Path.of(${quoteDouble(body.fileName)}))`
    case 'text':
      return ofString(body.text)
  }
}

const ofString = (text: string): string => `HttpRequest.BodyPublishers.ofString(${quoteText(text)})`

/** Quotes a text of several lines as a text block. */
function quoteText(text: string): string {
  if (!text.includes('\n') || text.includes('\r')) return quoteDouble(text)
  // Trailing spaces of the lines of a text block are removed unless they are escaped.
  const lines = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/ $/gm, '\\s').split('\n')
  return `"""\n${lines.map((line) => `        ${line}`).join('\n')}"""`
}

const printTemplate = (template: Template): string =>
  joinTemplate(template, quoteDouble, (name) => `System.getenv("${name}")`, '+')
