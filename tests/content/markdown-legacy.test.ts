import { describe, expect, test } from 'vitest'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'

// Legacy and rare constructs are parsed by their meaning and printed in the current form.

const options = { references: verbatimReferences, isExpression: () => true }
const parse = (source: string) => parsePage(source, options)

const swagger = `Before

{% swagger method="get" path="/pets/:id" baseUrl="https://api.example.com" summary="Get a pet" %}
{% swagger-description %}
Gets **one** pet.
{% endswagger-description %}

{% swagger-parameter in="path" name="id" type="string" required="true" %}
The id
{% endswagger-parameter %}

{% swagger-parameter in="query" name="full" type="boolean" %}
{% endswagger-parameter %}

{% swagger-response status="200: OK" description="Found" %}
\`\`\`javascript
{ "id": 1 }
\`\`\`
{% endswagger-response %}

{% swagger-response status="404: Not Found" description="" %}
{% endswagger-response %}
{% endswagger %}

After
`

const swaggerToday = `Before

### Get a pet

\`\`\`http
GET https://api.example.com/pets/:id
\`\`\`

Gets **one** pet.

**Path parameters**

| Name | Type   | Required | Description |
| ---- | ------ | -------- | ----------- |
| \`id\` | string | Yes      | The id      |

**Query parameters**

| Name   | Type    | Required | Description |
| ------ | ------- | -------- | ----------- |
| \`full\` | boolean |          |             |

**200: OK** Found

\`\`\`javascript
{ "id": 1 }
\`\`\`

**404: Not Found**

After
`

const apiMethod = `{% api-method method="post" host="https://api.example.com" path="/v1/cakes" %}
{% api-method-summary %}
Make a cake
{% endapi-method-summary %}

{% api-method-description %}
Free cakes.
{% endapi-method-description %}

{% api-method-spec %}
{% api-method-request %}
{% api-method-headers %}
{% api-method-parameter name="Authorization" type="string" required=true %}
A token

* of a user
* of a robot

\`\`\`
Bearer x
\`\`\`
{% endapi-method-parameter %}
{% endapi-method-headers %}

{% api-method-body-parameters %}
{% api-method-parameter name="size" type="integer" required=false %}
In cm
{% endapi-method-parameter %}
{% endapi-method-body-parameters %}
{% endapi-method-request %}

{% api-method-response %}
{% api-method-response-example httpCode=200 %}
{% api-method-response-example-description %}
Made.
{% endapi-method-response-example-description %}

\`\`\`
{}
\`\`\`
{% endapi-method-response-example %}
{% endapi-method-response %}
{% endapi-method-spec %}
{% endapi-method %}
`

const apiMethodToday = `### Make a cake

\`\`\`http
POST https://api.example.com/v1/cakes
\`\`\`

Free cakes.

**Headers**

| Name            | Type   | Required | Description                                                  |
| --------------- | ------ | -------- | ------------------------------------------------------------ |
| \`Authorization\` | string | Yes      | <p>A token</p><ul><li>of a user</li><li>of a robot</li></ul> |

\`\`\`
Bearer x
\`\`\`

**Request body**

| Name   | Type    | Required | Description |
| ------ | ------- | -------- | ----------- |
| \`size\` | integer |          | In cm       |

**200** Made.

\`\`\`
{}
\`\`\`
`

describe('hand-written API methods', () => {
  test.each([
    ['swagger', swagger, swaggerToday],
    ['api-method', apiMethod, apiMethodToday],
  ])('%s becomes a heading, code and tables', (_, source, today) => {
    const page = parse(source)
    expect(printPage(page, verbatimReferences)).toBe(today)
    expect(parse(today).document).toEqual(page.document)
  })

  test('keep their source until they are edited', () => {
    const page = parse(swagger)
    expect(splicePage(swagger, page, options)).toBe(swagger)
    const { nodes } = page.document
    const without = (index: number) => ({ ...page, document: { ...page.document, nodes: nodes.toSpliced(index, 1) } })
    expect(splicePage(swagger, without(0), options)).toBe(swagger.replace('Before\n\n', ''))
    expect(splicePage(swagger, without(1), options)).toBe(swaggerToday.replace('### Get a pet\n\n', ''))
  })

  test('an edited word of a parameter changes only its line', () => {
    const page = parse(swagger)
    const document = JSON.parse(JSON.stringify(page.document).replace('The id', 'Its number')) as typeof page.document
    expect(splicePage(swagger, { ...page, document }, options)).toBe(swagger.replace('The id', 'Its number'))
  })

  test('parts outside a method are kept as text', () => {
    const source = '{% swagger-response status="200" %}\na\n{% endswagger-response %}\n'
    const { document } = parse(source)
    expect(document.nodes.map(({ type }) => type)).toEqual(['paragraph', 'paragraph', 'paragraph'])
    expect(parse(printPage({ document }, verbatimReferences)).document).toEqual(document)
  })
})

describe('rare constructs', () => {
  test.each([
    [
      'columns of numbers, checks and choices',
      '<table><thead><tr><th>Name</th><th data-type="number">Size</th><th data-type="checkbox">Done</th><th data-type="select">State<select><option value="a" label="Open" color="blue"></option><option value="b" label="Closed" color="red"></option></select></th></tr></thead><tbody><tr><td>One</td><td>3.5</td><td>true</td><td><span data-option="a">Open</span></td></tr></tbody></table>',
      { c2: 3.5, c3: true, c4: ['a'] },
    ],
    [
      'aligned columns',
      '<table><thead><tr><th width="120.5" align="right" valign="top">A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
      {},
    ],
    [
      'covers of cards',
      '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-cover data-type="image">Cover</th></tr></thead><tbody><tr><td>One</td><td data-object-fit="contain"><a href="a.png">a.png</a></td></tr></tbody></table>',
      { c2: { ref: { kind: 'url', url: 'a.png' }, objectFit: 'contain' } },
    ],
  ])('%s are parsed the same after printing', (_, markdown, values) => {
    const [table] = parse(`${markdown}\n`).document.nodes
    if (table?.type !== 'table') throw new Error('It is no table')
    expect(table.data.records['r1']?.values).toMatchObject(values)
    const printed = printPage(parse(`${markdown}\n`), verbatimReferences)
    expect(parse(printed).document).toEqual(parse(`${markdown}\n`).document)
    expect(printPage(parse(printed), verbatimReferences)).toBe(printed)
  })

  test.each([
    [
      'code with options and a footnote',
      '<pre class="language-js" data-title="a.js" data-overflow="wrap" data-line-numbers data-full-width="true"><code class="lang-js">let <a data-footnote-ref href="#user-content-fn-1">x</a> = 1\n</code></pre>\n\n[^1]: The name\n',
    ],
    ['a footnote around several words', 'See [these **two**](#user-content-fn-1)[^1].\n\n[^1]: Body\n\n    Goes on\n'],
    [
      'a mention in a table',
      '<table data-header-hidden><thead><tr><th>A</th></tr></thead><tbody><tr><td><a data-mention href="dir/page.md">page.md</a></td></tr></tbody></table>\n',
    ],
    ['a mention of the folder above', '[..](../ "mention")\n'],
    ['several formulas', '$$\na = b\n$$\n\nWith $$c$$ inside\n'],
    ['characters without width and decomposed letters', 'a\u200bb c\u200cd e\u0301 f\u00a0g\n'],
  ])('prints %s unchanged', (_, markdown) => {
    expect(printPage(parse(markdown), verbatimReferences)).toBe(markdown)
  })

  test('two references to one footnote are printed with one footnote', () => {
    expect(printPage(parse('a[^x] b[^x]\n\n[^x]: Body\n'), verbatimReferences)).toBe('a[^1] b[^1]\n\n[^1]: Body\n')
  })

  test('CRLF line endings are parsed like LF', () => {
    const unix =
      '# T\n\nSoft\ntext\\\nbreak\n\n```js\na\n\nb\n```\n\n{% hint style="info" %}\nHint\n{% endhint %}\n\n| a |\n| - |\n| b |\n'
    const { title, document } = parse(unix.replaceAll('\n', '\r\n'))
    expect({ title, document }).toEqual({ title: parse(unix).title, document: parse(unix).document })
  })
})
