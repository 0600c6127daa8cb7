import { encodeForm } from './encode-form.ts'
import { joinTemplate, quoteDouble } from './literals.ts'
import { type PrintedRequest, type SampleBody, type Template, formatJson } from './request.ts'

/** Returns C# with `HttpClient`. */
export function printCsharp({ method, url, headers, body }: PrintedRequest): string {
  const lines = [
    'using System.Net.Http.Headers;',
    ...(body && body.kind !== 'multipart' && body.kind !== 'file' ? ['using System.Text;'] : []),
    '',
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod(${quoteDouble(method)}), ${printTemplate(url)});`,
    ...headers
      .filter(({ name }) => name !== 'Content-Type')
      .map(
        ({ name, value }) => `request.Headers.TryAddWithoutValidation(${quoteDouble(name)}, ${printTemplate(value)});`,
      ),
    ...(body ? printBody(body) : []),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
  ]
  // Only bodies use the namespace of headers.
  return lines.slice(body ? 0 : 2).join('\n')
}

function printBody(body: SampleBody): string[] {
  const setType = `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${quoteDouble(body.mediaType)});`
  const stringContent = (text: string) => [
    `request.Content = new StringContent(${quoteText(text)}, Encoding.UTF8);`,
    setType,
  ]
  switch (body.kind) {
    case 'json':
      return stringContent(formatJson(body.value))
    case 'form':
      return stringContent(encodeForm(body.fields))
    case 'text':
      return stringContent(body.text)
    case 'multipart':
      return [
        'var form = new MultipartFormDataContent();',
        ...body.fields.map(({ name, value, isFile }) =>
          isFile
            ? `form.Add(new StreamContent(File.OpenRead(${quoteDouble(value)})), ${quoteDouble(name)}, ${quoteDouble(value)});`
            : `form.Add(new StringContent(${quoteDouble(value)}), ${quoteDouble(name)});`,
        ),
        'request.Content = form;',
      ]
    case 'file':
      return [`request.Content = new StreamContent(File.OpenRead(${quoteDouble(body.fileName)}));`, setType]
  }
}

/** Quotes a text of several lines as a verbatim string. */
const quoteText = (text: string): string =>
  text.includes('\n') && !text.includes('"""') && !text.includes('\r') ? `"""\n${text}\n"""` : quoteDouble(text)

const printTemplate = (template: Template): string =>
  joinTemplate(template, quoteDouble, (name) => `Environment.GetEnvironmentVariable("${name}")`, '+')
