import { createDocument, leaf, paragraph } from '../../src/content/document/build.ts'
import { type Block, type ButtonInline, type Document, colorNames } from '../../src/content/document/nodes.ts'
import { walkBlocks as blocksIn } from '../../src/content/document/walk.ts'
import { blockOfEachType } from './blocks.ts'
import { parseDocument } from './edited-documents.ts'

/** Ids of the targets that a page with every block refers to. */
export interface ReferenceTargets {
  page: string
  light: string
  dark: string
  document: string
  user: string
  reusableContent: string
}

export const placeholderTargets: ReferenceTargets = {
  page: 'page1',
  light: 'light1',
  dark: 'dark1',
  document: 'document1',
  user: 'user1',
  reusableContent: 'reused1',
}

/** Creates a document with every kind of block, inline and mark in all variants. */
export function documentWithEveryBlock(places: ReferenceTargets): Document {
  const { nodes } = parseDocument(markdown(places))
  const written = createDocument([...nodes, ...blocksWithoutMarkdown(places)])
  return createDocument([...written.nodes, ...examplesOfMissingTypes(written)])
}

/** Returns examples of the block types that a document does not contain, without those that are inside other examples. */
function examplesOfMissingTypes(document: Document): Block[] {
  const types = new Set(Array.from(blocksIn(document), ({ type }) => type))
  const examples = Object.values(blockOfEachType).filter(({ type }) => !types.has(type))
  const inside = new Set(examples.flatMap((example) => [...blocksIn(createDocument([example]))].slice(1)))
  return examples.filter((example) => !inside.has(example))
}

const coloured = colorNames
  .filter((name) => name !== 'default')
  .map(
    (name) =>
      `<mark style="color:${name};">${name.replace('$', '')}</mark> and <mark style="background-color:${name};">behind it</mark>`,
  )
  .join(', ')

const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

const markdown = ({ page, light, dark, document, user, reusableContent }: ReferenceTargets) => `# Everything

## Text

A paragraph with **bold**, _italic_, ~~struck~~, \`code\`, H<sub>2</sub>O, x<sup>2</sup> and <kbd>Ctrl</kbd> + <kbd>K</kbd>, a [link to a page](/pages/${page}), a [link elsewhere](https://example.com/docs), a [broken link](/pages/absent), a [link with \`code\` and **bold**](https://example.com/code) and a [place below](#tables).
A line after a break\\
and another one. Emoji :tada: and an icon <i class="fa-rocket">:rocket:</i> in text, in colour <i class="fa-heart" style="color:$danger;">:heart:</i>, a formula $$e^{i\\pi} = -1$$ and a picture <img src="/files/${light}" alt="A picture in a line" data-size="line"> in a line, and one that is gone <img src="/files/absent" alt="Gone" data-size="line">.

A mention of [page](/pages/${page} "mention"), of [somebody](/users/${user} "mention") and of [what is gone](/pages/absent "mention"). A word with a note[^1] and another[^2], and an expression: <code class="expression">space.vars.version</code>.

<a id="small-print"></a>With <u>underlined</u>, <small>small</small> and <ins>inserted</ins> words. <!-- A comment that nobody sees. -->

${coloured}.

${long} ${'abcdefghij'.repeat(16)} https://example.com/${'path/'.repeat(30)}

<p align="center">In the middle</p>

<p align="right">At the end</p>

هذا نص عربي يُقرأ من اليمين إلى اليسار مع كلمة English في وسطه.

זה טקסט בעברית.

## A heading with \`code\` and a [link](/pages/${page})

### A second level

#### A third level

Text below it.

<h3 align="center">In the middle</h3>

## Lists

* One
* Two, which is long enough that it is broken into several lines on a phone and perhaps also on a screen that is not so wide
  * Two and a half
    * Deeper
      * Deepest
* Three

3. Third
4. Fourth
   1. Inner first
   2. Inner second
5.  Fifth with blocks

    A second paragraph.

    \`\`\`js
    const inside = 'a list'
    \`\`\`

    {% hint style="info" %}
    A hint in a list.
    {% endhint %}

* [x] Done
* [ ] To do, with **bold**
  * [x] Done inside
  * [ ] To do inside

## Quotes and dividers

> A quote with several paragraphs.
>
> The second of them with \`code\`.
>
> > A quote in it.

***

## Hints

${['info', 'success', 'warning', 'danger'].map((style) => `{% hint style="${style}" %}\nA hint of the kind **${style}** with a [link](/pages/${page}) and \`code\`.\n{% endhint %}`).join('\n\n')}

{% hint style="success" icon="rocket" %}
### A hint with a title

And text, a list:

* one
* two

\`\`\`sh
npm install
\`\`\`

{% hint style="danger" %}
A hint in a hint.
{% endhint %}
{% endhint %}

## Tabs

{% tabs %}
{% tab title="npm" icon="cube" %}
\`\`\`sh
npm install octavo
\`\`\`
{% endtab %}

{% tab title="yarn" %}
First.

{% tabs %}
{% tab title="Inner one" %}
Inside the first.
{% endtab %}

{% tab title="Inner two" %}
Inside the second.
{% endtab %}
{% endtabs %}
{% endtab %}

{% tab title="A tab with a rather long name" %}
Text.
{% endtab %}

{% tab title="Another tab with a long name" %}
Text.
{% endtab %}

{% tab title="And yet another one" %}
Text.
{% endtab %}
{% endtabs %}

## Steps

{% stepper %}
{% step %}
### Install it

\`\`\`sh
npm install octavo
\`\`\`
{% endstep %}

{% step icon="rocket" %}
### Start it

With text below, and a list:

* one
* two
{% endstep %}

{% step %}
A step without a heading.
{% endstep %}
{% endstepper %}

## Expandables

<details>

<summary>Is it <strong>closed</strong>?</summary>

Yes, until it is opened.

</details>

<details open>

<summary>Is it open?</summary>

It is, and holds another:

<details>

<summary>Inside</summary>

Deep.

</details>

</details>

## Code

\`\`\`ts
function greet(name: string): string {
  return \`Hello, \${name}!\`
}
\`\`\`

{% code title="src/long.ts" lineNumbers="true" overflow="wrap" expandable="true" %}
\`\`\`ts
${Array.from({ length: 14 }, (_, index) => `const value${index} = 'a line that is long enough to be wrapped somewhere, number ${index}'`).join('\n')}
\`\`\`
{% endcode %}

<pre class="language-js" data-title="annotated.js"><code class="lang-js">const a = <a data-footnote-ref href="#user-content-fn-1">1</a>
<strong>const b = 2
</strong></code></pre>

\`\`\`mermaid
graph LR; A-->B
\`\`\`

$$
\\int_0^\\infty e^{-x^2} dx = \\frac{\\sqrt{\\pi}}{2}
$$

## Pictures and files

<figure><img src="/files/${light}" alt="A wide picture"><figcaption><p>With a <strong>caption</strong></p></figcaption></figure>

<div data-with-frame="true"><figure><picture><source srcset="/files/${dark}" media="(prefers-color-scheme: dark)"><img src="/files/${light}" alt="For both modes" width="300"></picture><figcaption></figcaption></figure></div>

<div align="right"><figure><img src="/files/${light}" alt="At the right" width="200"><figcaption><p>Right</p></figcaption></figure></div>

<div data-full-width="true"><figure><img src="/files/${light}" alt="One"><figcaption></figcaption></figure> <figure><img src="/files/${dark}" alt="Two"><figcaption><p>Two</p></figcaption></figure></div>

<figure><img src="/files/absent" alt="A picture that is gone"><figcaption></figcaption></figure>

<img src="/files/${light}" alt="" class="gitbook-drawing">

{% file src="/files/${document}" %}
A file with a caption.
{% endfile %}

{% file src="/files/absent" %}

{% embed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ" %}

{% embed url="https://example.com/somewhere/else?with=query" %}
Something elsewhere.
{% endembed %}

## Links to pages

{% content-ref url="/pages/${page}" %}
[page](/pages/${page})
{% endcontent-ref %}

{% content-ref url="https://example.com/docs" %}
[docs](https://example.com/docs)
{% endcontent-ref %}

{% content-ref url="/pages/absent" %}
[absent](/pages/absent)
{% endcontent-ref %}

## Buttons

<a href="/pages/${page}" class="button primary" data-icon="rocket">Get started</a> <a href="https://example.com" class="button secondary">Elsewhere</a> <a class="button primary">Leads nowhere</a> <button type="button" class="button secondary" data-action="ask" data-query="What is it?" data-icon="sparkles">Ask</button> <button type="button" class="button secondary" data-action="search" data-query="api" data-icon="search">Search</button>

## Tables

| Method | Path | What it does | Since |
| ------ | :--: | ------------ | ----: |
| \`GET\` | \`/spaces\` | Lists spaces with all that they hold, which takes a while to say and so is longer than the others | 1.0 |
| \`POST\` | \`/spaces\` | Creates one<br>in two lines | 1.1 |
| \`DELETE\` | \`/spaces/{id}\` | | 2.0 |

<table data-search="true" data-full-width="true"><thead><tr><th width="160">Name</th><th data-type="number">Count</th><th data-type="checkbox">Done</th><th data-type="rating" data-max="5">Stars</th><th>State<select multiple><option value="o" label="Open" color="red"></option><option value="c" label="Closed" color="green"></option></select></th><th data-type="content-ref">Page</th><th data-type="files">Files</th><th data-type="image">Picture</th><th data-type="users">People</th></tr></thead><tbody><tr><td>First</td><td>12345.5</td><td>true</td><td>4</td><td><span data-option="o">Open</span><span data-option="c">Closed</span></td><td><a href="/pages/${page}">page</a></td><td><a href="/files/${document}">file</a></td><td><a href="/files/${light}">picture</a></td><td><a href="https://app.gitbook.com/u/${user}">user</a></td></tr><tr><td>Second</td><td>-7</td><td>false</td><td>0</td><td></td><td><a href="/pages/absent">gone</a></td><td><a href="/files/absent">gone</a></td><td><a href="/files/absent">gone</a></td><td><a href="https://app.gitbook.com/u/absent">gone</a></td></tr></tbody></table>

<table data-header-hidden><thead><tr><th>Key</th><th>Value</th></tr></thead><tbody><tr><td rowspan="2">Merged</td><td>one</td></tr><tr><td></td><td>two</td></tr><tr><td colspan="2">Over both</td></tr></tbody></table>

<table data-header-sticky><thead><tr><th width="90" align="center">Small</th><th valign="middle">With blocks</th></tr></thead><tbody><tr><td>a</td><td><p>Two paragraphs</p><ul><li>and</li><li>a list</li></ul><pre class="language-js"><code class="lang-js">code()</code></pre></td></tr></tbody></table>

<table><thead><tr><th>Empty</th></tr></thead><tbody></tbody></table>

## Cards

<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image"></th><th data-hidden data-card-cover-dark data-type="image"></th></tr></thead><tbody><tr><td><strong>Quick start</strong></td><td>From nothing to a page in a minute.</td><td><a href="/pages/${page}">page</a></td><td><a href="/files/${light}">light</a></td><td><a href="/files/${dark}">dark</a></td></tr><tr><td><h4><i class="fa-book">:book:</i> Guides</h4></td><td>With a <a href="https://example.com">link of its own</a>.</td><td><a href="https://example.com/guides">guides</a></td><td data-object-fit="contain"><a href="/files/${light}">light</a></td><td></td></tr><tr><td><strong>No link</strong></td><td>And no cover.</td><td></td><td></td><td></td></tr></tbody></table>

<table data-view="cards" data-card-size="large"><thead><tr><th></th><th>About</th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><i class="fa-bolt" style="color:$primary;">:bolt:</i> <strong>Fast</strong></td><td>Pages come in no time.</td><td><a href="/pages/${page}">page</a></td></tr><tr><td><i class="fa-lock">:lock:</i> <strong>Yours</strong></td><td>On your own server.</td><td><a href="/pages/${page}">page</a></td></tr></tbody></table>

## Columns

{% columns %}
{% column width="33.33333333333333%" valign="middle" %}
### A narrow column

Text beside a picture.
{% endcolumn %}

{% column width="66.66666666666667%" %}
<figure><img src="/files/${light}" alt="In a column"><figcaption></figcaption></figure>
{% endcolumn %}
{% endcolumns %}

{% columns %}
{% column %}
One of three.
{% endcolumn %}

{% column valign="bottom" %}
Two of three.
{% endcolumn %}

{% column %}
Three of three.

{% hint style="warning" %}
With a hint.
{% endhint %}
{% endcolumn %}
{% endcolumns %}

## Changes

{% updates format="full" %}
{% update date="2026-01-31" tags="new,api" %}
### Something new

With text and a picture.

<figure><img src="/files/${light}" alt="What is new"><figcaption></figcaption></figure>
{% endupdate %}

{% update date="2026-01-02" tags="fix,plain,unknown" %}
### Something repaired

* one
* two
{% endupdate %}
{% endupdates %}

{% updates format="short" %}
{% update date="2025-12-24" %}
In short.
{% endupdate %}
{% endupdates %}

{% updates format="numeric" %}
{% update date="2025-11-01" tags="new" %}
By numbers.
{% endupdate %}
{% endupdates %}

## Prompts

{% prompt description="Write tests for my project" icon="flask" openInAIProviders="true" defaultExpanded="full" %}
\`\`\`
Read the code and write tests for it.
\`\`\`
{% endprompt %}

{% prompt description="Shown in part" defaultExpanded="partial" %}
\`\`\`
${Array.from({ length: 8 }, (_, index) => `Line ${index}`).join('\n')}
\`\`\`
{% endprompt %}

{% prompt description="Closed at first" defaultExpanded="hidden" %}
\`\`\`
Do something.
\`\`\`
{% endprompt %}

## What others show

{% include "/reusable-content/${reusableContent}" %}

{% if visitor.claims.isBeta %}
For some readers only.
{% endif %}

{% @figma/embed url="https://www.figma.com/file/abc" %}

{% @acme/chart id="7" %}

{% openapi src="https://example.com/openapi.json" path="/pets" method="get" %}
[openapi](https://example.com/openapi.json)
{% endopenapi %}

{% openapi-operation spec="petstore" path="/pets/{id}" method="delete" %}
[OpenAPI petstore](/openapi/petstore)
{% endopenapi-operation %}

{% openapi-schemas spec="petstore" schemas="Pet,Owner" grouped="true" %}
Models
{% endopenapi-schemas %}

{% openapi-webhook spec="petstore" name="pet.created" method="post" %}
[OpenAPI petstore](/openapi/petstore)
{% endopenapi-webhook %}

[^1]: A note with **bold** and a [link](https://example.com).

[^2]: A note with

    several paragraphs.
`

/** Returns blocks that cannot be written in Markdown. */
function blocksWithoutMarkdown({ page }: ReferenceTargets): Block[] {
  const button = (size: 'small' | 'medium' | 'large', kind: 'primary' | 'secondary'): ButtonInline => ({
    object: 'inline',
    type: 'button',
    isVoid: true,
    data: { label: `A ${size} one`, kind, size, icon: 'star', ref: { kind: 'page', page } },
  })
  const space = { object: 'text' as const, leaves: [leaf(' ')] }
  const sizes = (['small', 'medium', 'large'] as const).flatMap((size) => [
    button(size, 'primary'),
    space,
    button(size, 'secondary'),
    space,
  ])
  return [paragraph(sizes), stickyTable()]
}

const named = (row: string, column: string) => `${row}${column}`

function stickyTable(): Block {
  const columns = Array.from({ length: 9 }, (_, index) => `c${index}`)
  const rows = ['r0', 'r1', 'r2']
  return {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: {
      view: {
        type: 'grid',
        columns: [...columns, 'undefined'],
        hideHeader: false,
        stickyFirstColumn: true,
        stickyHeader: true,
      },
      definition: Object.fromEntries(columns.map((id) => [id, { id, title: `Column ${id}`, type: 'text' as const }])),
      records: Object.fromEntries(
        rows.map((row) => [
          row,
          { orderIndex: row, values: Object.fromEntries(columns.map((column) => [column, named(row, column)])) },
        ]),
      ),
    },
    fragments: rows.flatMap((row) =>
      columns.map((column) => ({
        object: 'fragment' as const,
        fragment: named(row, column),
        nodes: [paragraph([{ object: 'text', leaves: [leaf(`What is in ${named(row, column)}`)] }])],
      })),
    ),
  }
}
