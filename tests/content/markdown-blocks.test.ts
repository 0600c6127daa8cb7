import { describe, expect, test } from 'vitest'
import type { Block, InlineNode, Mark } from '../../src/content/document/nodes.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'

const options = { references: verbatimReferences, isExpression: (source: string) => !source.includes('data.get') }
const parse = (source: string) => parsePage(source, options)
const print = (blocks: readonly Block[]) =>
  printPage({ document: { object: 'document', data: { schemaVersion: 1 }, nodes: blocks } }, verbatimReferences)

/** Returns a document as a short text for assertions: `hint(paragraph("a" bold("b")))`. */
function picture(nodes: readonly (Block | InlineNode)[]): string {
  return nodes.map(pictureOf).join(' ')
}

function pictureOf(node: Block | InlineNode): string {
  if (node.object === 'text') {
    return node.leaves
      .map(({ text, marks }) => marks.reduceRight((inner, mark) => `${nameOf(mark)}(${inner})`, JSON.stringify(text)))
      .join(' ')
  }
  const inside = [
    ...('data' in node && node.data && Object.keys(node.data).length > 0 && node.type !== 'table'
      ? [JSON.stringify(node.data)]
      : []),
    ...('nodes' in node ? [picture(node.nodes)] : []),
    ...('fragments' in node
      ? (node.fragments ?? []).map((fragment) => `${fragment.type ?? 'cell'}(${picture(fragment.nodes)})`)
      : []),
  ].filter((part) => part !== '')
  return `${node.type}(${inside.join(' ')})`
}

const nameOf = (mark: Mark) => (mark.type === 'color' ? `color${JSON.stringify(mark.data)}` : mark.type)

/** Markdown in normal form, which is parsed as `expected` and printed unchanged. */
const normal: [name: string, markdown: string, expected: string][] = [
  ['paragraph', 'One line', 'paragraph("One line")'],
  ['hard break', 'One\\\ntwo', 'paragraph("One\\ntwo")'],
  ['marks', '**b** _i_ ~~s~~ `c`', 'paragraph(bold("b") " " italic("i") " " strikethrough("s") " " code("c"))'],
  ['nested marks', '**a _b_ c**', 'paragraph(bold("a ") bold(italic("b")) bold(" c"))'],
  [
    'html marks',
    '<kbd>K</kbd> x<sup>2</sup> y<sub>1</sub>',
    'paragraph(keyboard("K") " x" superscript("2") " y" subscript("1"))',
  ],
  [
    'colour',
    '<mark style="color:red;background-color:blue;">x</mark>',
    'paragraph(color{"text":"red","background":"blue"}("x"))',
  ],
  ['link', '[text](https://example.com)', 'paragraph(link({"ref":{"kind":"url","url":"https://example.com"}} "text"))'],
  ['link to a path with spaces', '[a](<b c.md>)', 'paragraph(link({"ref":{"kind":"url","url":"b c.md"}} "a"))'],
  ['stable reference', '[a](/pages/p1#x)', 'paragraph(link({"ref":{"kind":"anchor","anchor":"x","page":"p1"}} "a"))'],
  ['mention', '[page.md](dir/page.md "mention")', 'paragraph(mention({"ref":{"kind":"url","url":"dir/page.md"}}))'],
  [
    'button',
    '<a href="x.md" class="button primary" data-icon="star">Go</a>',
    'paragraph(button({"label":"Go","kind":"primary","icon":"star","ref":{"kind":"url","url":"x.md"}}))',
  ],
  [
    'action',
    '<button type="button" class="button secondary" data-action="ask" data-query="why">Ask</button>',
    'paragraph(button({"label":"Ask","kind":"secondary","action":{"action":"ask","query":"why"}}))',
  ],
  [
    'icon',
    '<i class="fa-star" style="color:$primary;">:star:</i>',
    'paragraph(icon({"icon":"star","color":"$primary"}))',
  ],
  ['emoji', ':tada: at 10:30: sharp', 'paragraph(emoji({"code":"1f389"}) " at 10:30: sharp")'],
  ['inline math', 'a $$x^2$$ costs $5', 'paragraph("a " inline-math({"formula":"x^2"}) " costs $5")'],
  [
    'expression',
    '<code class="expression">space.vars.a_b &#x3C; 3</code>',
    'paragraph(expression({"expression":"space.vars.a_b < 3"}))',
  ],
  [
    'annotation',
    'A word[^1].\n\n[^1]: Body',
    'paragraph("A " annotation("word" annotation-body(paragraph("Body"))) ".")',
  ],
  ['headings', '## A\n\n### B\n\n#### C', 'heading-1("A") heading-2("B") heading-3("C")'],
  ['heading with an id', '## A <a href="#own" id="own"></a>', 'heading-1({"id":"own"} "A")'],
  [
    'aligned',
    '<p align="center">x</p>\n\n<h2 align="center">y</h2>',
    'paragraph({"align":"center"} "x") heading-1({"align":"center"} "y")',
  ],
  [
    'list',
    '* a\n  * b\n* c',
    'list-unordered(list-item(paragraph("a") list-unordered(list-item(paragraph("b")))) list-item(paragraph("c")))',
  ],
  ['ordered list', '3. a\n4. b', 'list-ordered({"start":3} list-item(paragraph("a")) list-item(paragraph("b")))'],
  [
    'tasks',
    '* [ ] a\n* [x] b',
    'list-tasks(list-item({"checked":false} paragraph("a")) list-item({"checked":true} paragraph("b")))',
  ],
  [
    'item of several blocks',
    '1.  a\n\n    ```\n    b\n    ```',
    'list-ordered(list-item(paragraph("a") code(code-line("b"))))',
  ],
  [
    'hint in an item',
    '*   a\n\n    {% hint style="info" %}\n    b\n    {% endhint %}',
    'list-unordered(list-item(paragraph("a") hint({"style":"info"} paragraph("b"))))',
  ],
  ['quote', '> a\n>\n> > b', 'blockquote(paragraph("a") blockquote(paragraph("b")))'],
  ['divider', '***', 'divider()'],
  ['code', '```js\na\n\nb\n```', 'code({"syntax":"js"} code-line("a") code-line() code-line("b"))'],
  ['code in code', '````\n```\na\n```\n````', 'code(code-line("```") code-line("a") code-line("```"))'],
  [
    'code with options',
    '{% code title="t" overflow="wrap" lineNumbers="true" %}\n```js\na\n```\n{% endcode %}',
    'code({"syntax":"js","title":"t","overflow":"wrap","lineNumbers":true} code-line("a"))',
  ],
  [
    'code with a marked line',
    '<pre class="language-js"><code class="lang-js">a\n<strong>b &#x3C; c\n</strong></code></pre>',
    'code({"syntax":"js"} code-line("a") code-line({"highlighted":true} "b < c"))',
  ],
  [
    'hint',
    '{% hint style="warning" icon="bolt" %}\na\n\nb\n{% endhint %}',
    'hint({"style":"warning","icon":"bolt"} paragraph("a") paragraph("b"))',
  ],
  [
    'tabs',
    '{% tabs %}\n{% tab title="A" %}\na\n{% endtab %}\n\n{% tab title="B" icon="star" %}\nb\n{% endtab %}\n{% endtabs %}',
    'tabs(tabs-item({"title":"A"} paragraph("a")) tabs-item({"title":"B","icon":"star"} paragraph("b")))',
  ],
  [
    'stepper',
    '{% stepper %}\n{% step %}\n## A\n\na\n{% endstep %}\n{% endstepper %}',
    'stepper(stepper-step(heading-1("A") paragraph("a")))',
  ],
  [
    'columns',
    '{% columns %}\n{% column width="50%" %}\na\n{% endcolumn %}\n\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}',
    'columns(column({"width":{"unit":"%","value":50}} paragraph("a")) column(paragraph("b")))',
  ],
  [
    'updates',
    '{% updates format="full" %}\n{% update date="2026-01-31" tags="a,b" %}\nx\n{% endupdate %}\n{% endupdates %}',
    'updates({"format":"full"} update({"date":"2026-01-31","tags":[{"kind":"tag","tag":"a"},{"kind":"tag","tag":"b"}]} paragraph("x")))',
  ],
  [
    'condition',
    '{% if visitor.claims.beta === true %}\na\n{% endif %}',
    'if({"expression":"visitor.claims.beta === true"} paragraph("a"))',
  ],
  [
    'prompt',
    '{% prompt description="Do" icon="star" %}\n```\na\n```\n{% endprompt %}',
    'prompt({"description":"Do","icon":"star"} code(code-line("a")))',
  ],
  [
    'expandable',
    '<details open>\n\n<summary>A <strong>b</strong></summary>\n\nc\n\n* d\n\n</details>',
    'expandable({"defaultExpanded":true} expandable-title(paragraph("A " bold("b"))) expandable-body(paragraph("c") list-unordered(list-item(paragraph("d")))))',
  ],
  [
    'content reference',
    '{% content-ref url="a/b.md" %}\n[b.md](a/b.md)\n{% endcontent-ref %}',
    'content-ref({"ref":{"kind":"url","url":"a/b.md"}})',
  ],
  ['embed', '{% embed url="https://example.com/v" %}', 'embed({"url":"https://example.com/v"})'],
  [
    'embed with a caption',
    '{% embed url="https://example.com/v" %}\nLook\n{% endembed %}',
    'embed({"url":"https://example.com/v"} caption(paragraph("Look")))',
  ],
  ['file', '{% file src="a.pdf" %}', 'file({"ref":{"kind":"url","url":"a.pdf"}})'],
  [
    'include',
    '{% include "../.gitbook/includes/x.md" %}',
    'reusable-content({"ref":{"kind":"url","url":"../.gitbook/includes/x.md"}})',
  ],
  [
    'figure',
    '<figure><img src="a b.png" alt="x" width="375"><figcaption><p>Look</p></figcaption></figure>',
    'images(image({"ref":{"kind":"url","url":"a b.png"},"alt":"x","width":375} cell(paragraph("Look"))))',
  ],
  [
    'gallery',
    '<div align="left" data-with-frame="true"><figure><img src="a" alt=""><figcaption></figcaption></figure> <figure><picture><source srcset="d" media="(prefers-color-scheme: dark)"><img src="b" alt=""></picture><figcaption></figcaption></figure></div>',
    'images({"align":"left","withFrame":true} image({"ref":{"kind":"url","url":"a"}}) image({"ref":{"kind":"url","url":"b"},"refDark":{"kind":"url","url":"d"}}))',
  ],
  [
    'inline image',
    'a <img src="b.svg" alt="" data-size="line"> c',
    'paragraph("a " inline-image({"ref":{"kind":"url","url":"b.svg"},"size":"line"}) " c")',
  ],
  [
    'code with a line break',
    '<code>a&#x0A;&#x24;&#x24;</code>$$x$$ <code>b&#x0A;&#x60;</code> `` ` `` <code>c&#x0A;&#x5C;</code>',
    'paragraph(code("a\\n$$") inline-math({"formula":"x"}) " " code("b\\n`") " " code("`") " " code("c\\n\\\\"))',
  ],
  [
    'paragraph with only an image',
    'a\n\n<img src="b.svg" alt="c" data-size="">\n\n> * <img src="d.png" alt="" data-size="original">',
    'paragraph("a") paragraph(inline-image({"ref":{"kind":"url","url":"b.svg"},"alt":"c"})) blockquote(list-unordered(list-item(paragraph(inline-image({"ref":{"kind":"url","url":"d.png"},"size":"original"})))))',
  ],
  [
    'aligned paragraph with only an image',
    '<p align="center"><img src="a.png" alt="" data-size=""></p>',
    'paragraph({"align":"center"} inline-image({"ref":{"kind":"url","url":"a.png"}}))',
  ],
  [
    'tag in a quote at the start of an item',
    '*   > {% hint style="info" %}\n    > a\n    > {% endhint %}\n\n* b',
    'list-unordered(list-item(blockquote(hint({"style":"info"} paragraph("a")))) list-item(paragraph("b")))',
  ],
  [
    'tag in quotes and items',
    '> 1.  > 1.  {% hint style="info" %}\n>     >     a\n>     >     {% endhint %}\n>\n> 2.  > {% if x %}\n>     > b\n>     > {% endif %}',
    'blockquote(list-ordered(list-item(blockquote(list-ordered(list-item(hint({"style":"info"} paragraph("a")))))) list-item(blockquote(if({"expression":"x"} paragraph("b"))))))',
  ],
  [
    'task that starts with a comment',
    '* [ ] <!-- a -->b\n* [x] c<br><!-- d -->e\n  * f',
    'list-tasks(list-item({"checked":false} paragraph(html({"html":"<!-- a -->"}) "b")) list-item({"checked":true} paragraph("c\\n" html({"html":"<!-- d -->"}) "e") list-unordered(list-item(paragraph("f")))))',
  ],
  [
    'list after a paragraph that starts with a comment',
    '* <p><!-- a -->b</p>\n\n  * c\n* d',
    'list-unordered(list-item(paragraph(html({"html":"<!-- a -->"}) "b") list-unordered(list-item(paragraph("c")))) list-item(paragraph("d")))',
  ],
  ['drawing', '<img src="x.svg" alt="" class="gitbook-drawing">', 'drawing({"ref":{"kind":"url","url":"x.svg"}})'],
  ['math', '$$\nx = 1\n$$', 'math({"formula":"x = 1"})'],
  [
    'operation',
    '{% openapi-operation spec="pets" path="/p" method="get" %}\n[OpenAPI pets](/openapi/pets)\n{% endopenapi-operation %}',
    'openapi-operation({"ref":{"kind":"openapi","spec":"pets"},"path":"/p","method":"get"})',
  ],
  [
    'schemas',
    '{% openapi-schemas spec="pets" schemas="A,B" grouped="true" %}\nTitle\n{% endopenapi-schemas %}',
    'openapi-schemas({"ref":{"kind":"openapi","spec":"pets"},"schemas":["A","B"],"grouped":true,"title":"Title"})',
  ],
  [
    'integration',
    '{% @github-files/block url="https://x" lines="1" %}',
    'integration({"integration":"github-files","block":"block","props":{"lines":"1"},"url":"https://x"})',
  ],
]

describe('normal form', () => {
  test.each(normal)('parses and prints: %s', (_, markdown, expected) => {
    const { document } = parse(`${markdown}\n`)
    expect(picture(document.nodes)).toBe(expected)
    const printed = print(document.nodes)
    // The attributes of integrations may be printed in another order.
    if (!markdown.includes('{% @')) expect(printed).toBe(`${markdown}\n`)
    expect(parse(printed).document).toEqual(document)
  })
})

describe('other forms', () => {
  test.each<[name: string, markdown: string, printed: string]>([
    ['other bullets', '- a\n+ b', '* a\n\n- b'],
    ['other emphasis', '*a* __b__', '_a_ **b**'],
    ['other dividers', '---\n\n___', '***\n\n***'],
    ['two spaces at the end of a line', 'a  \nb', 'a\\\nb'],
    ['soft line ends', 'a\nb', 'a b'],
    ['deep headings', '##### a', '#### a'],
    ['a second title', '# T\n\n# a', '# T\n\n## a'],
    [
      'empty lines inside tags',
      '{% hint style="info" %}\n\na\n\n{% endhint %}',
      '{% hint style="info" %}\na\n{% endhint %}',
    ],
    ['an unknown hint style', '{% hint style="tip" %}\na\n{% endhint %}', '{% hint style="info" %}\na\n{% endhint %}'],
    [
      'a page reference of old',
      '{% page-ref page="a.md" %}',
      '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}',
    ],
    ['a diagram of old', '{% @mermaid/diagram content="graph TD\n  a" %}', '```mermaid\ngraph TD\n  a\n```'],
    [
      'a caption of old',
      '{% embed url="https://x" caption="Look" %}',
      '{% embed url="https://x" %}\nLook\n{% endembed %}',
    ],
    [
      'an address in angle brackets',
      '{% embed url="<https://x.example/a>" %}',
      '{% embed url="https://x.example/a" %}',
    ],
    [
      'a file in angle brackets',
      '{% file src="<../wet ropes.pdf>" %}\nRopes\n{% endfile %}',
      '{% file src="../wet ropes.pdf" %}\nRopes\n{% endfile %}',
    ],
    [
      'a specification in angle brackets',
      '{% openapi src="<https://x.example/a.yaml>" path="/a" method="get" %}\n[a](a)\n{% endopenapi %}',
      '{% openapi src="https://x.example/a.yaml" path="/a" method="get" %}\n[https://x.example/a.yaml](https://x.example/a.yaml)\n{% endopenapi %}',
    ],
    [
      'an image alone',
      '![x](a.png "Look")',
      '<figure><img src="a.png" alt="x"><figcaption><p>Look</p></figcaption></figure>',
    ],
    [
      'a hint that was flattened to an element in a list',
      '* a\n\n  <div data-gb-custom-block data-tag="hint" data-style=\'warning\'>\n\n  **b**\n\n  </div>',
      '*   a\n\n    {% hint style="warning" %}\n    **b**\n    {% endhint %}',
    ],
    [
      'a hint and lists in HTML',
      '<div data-gb-custom-block data-tag="hint"><ul><li>a</li><li><b>b</b></li></ul><hr></div>',
      '{% hint style="info" %}\n* a\n* **b**\n\n***\n{% endhint %}',
    ],
    ['reference links', '[a][b]\n\n[b]: https://x', '[a](https://x)'],
    [
      'a tag right behind HTML',
      '{% step %}\n<figure><img src="a" alt=""><figcaption></figcaption></figure>\n{% endstep %}',
      '{% step %}\n<figure><img src="a" alt=""><figcaption></figcaption></figure>\n{% endstep %}',
    ],
  ])('prints %s in normal form', (_, markdown, printed) => {
    const page = parse(`${markdown}\n`)
    expect(printPage(page, verbatimReferences)).toBe(`${printed}\n`)
    expect(printPage(parse(`${printed}\n`), verbatimReferences)).toBe(`${printed}\n`)
  })
})

describe('unknown syntax', () => {
  test.each([
    ['a tag in a sentence', 'Write {% hint style="info" %} or {% frobnicate x="1" %}'],
    ['a tag that is not closed', '{% hint style="info" %}\n\ntext'],
    ['a closing tag alone', 'text\n\n{% endhint %}'],
    ['a condition of another language', '{% if data.get(\'x\') == "WiFi" %}\n\na\n\n{% endif %}'],
    ['angle brackets', 'Set <YOUR_KEY> and <name>'],
    ['an undefined footnote', 'a[^9]'],
    ['an unknown emoji', 'a :nonsense-name: b'],
    ['a closing placeholder', 'a </name> b'],
  ])('keeps %s as text', (_, markdown) => {
    const { document } = parse(markdown)
    const texts = document.nodes.map((block) => ('nodes' in block ? (block.nodes as InlineNode[]) : []))
    const text = texts
      .map((nodes) =>
        nodes.map((node) => (node.object === 'text' ? node.leaves.map((leaf) => leaf.text).join('') : '?')).join(''),
      )
      .join('\n\n')
    expect(text).toBe(markdown)
    expect(parse(print(document.nodes)).document).toEqual(document)
  })

  test('does not parse tags inside code and comments', () => {
    const { document } = parse('```\n{% hint %}\n```\n\n`{% tab %}`\n\n<!--\n{% hint style="info" %}\n-->')
    expect(document.nodes.map((node) => node.type)).toEqual(['code', 'paragraph', 'paragraph'])
  })
})

test('separates the front matter and the title from the document', () => {
  const source = '---\ndescription: x\nfoo: [a]\n---\n\n# The _title_\n\nText\n'
  const page = parse(source)
  expect([page.frontMatter, page.title]).toEqual(['description: x\nfoo: [a]', 'The title'])
  expect(page.locatedBlocks.map(({ start, end }) => source.slice(start, end))).toEqual(['Text'])
})

describe('parses hostile input in bounded time', () => {
  test.each([
    ['quotes', `${'>'.repeat(10_000)} a`],
    ['brackets', '['.repeat(50_000)],
    ['emphasis', `${'*'.repeat(5000)}a${'*'.repeat(5000)}`],
    ['unclosed tags', '{% hint style="info" %}\n'.repeat(5000)],
    ['closed tags that mean nothing', `${'{% code %}\n'.repeat(60)}${'{% endcode %}\n'.repeat(60)}`],
    ['nested tags', `${'{% hint style="info" %}\n'.repeat(3000)}${'{% endhint %}\n'.repeat(3000)}`],
    ['open elements', '<mark style="color:red;">'.repeat(3000)],
    ['attributes', `<a ${'x '.repeat(20_000)}`],
    ['comments', `<table>${'<!--'.repeat(50_000)}`],
    ['pictures', `<p>${'<picture>'.repeat(200)}${'<img src="a">'.repeat(5000)}${'</picture>'.repeat(200)}</p>`],
    ['lists', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth * 2)}* a`).join('\n')],
    ['quotes in a tag', `{% hint style="${'\\"'.repeat(20_000)}`],
    [
      'footnotes of footnotes',
      Array.from({ length: 1000 }, (_, index) => `[^${index}]: a[^${index + 1}]`).join('\n\n'),
    ],
  ])('%s', (_, source) => {
    const { document } = parse(source)
    expect(document.object).toBe('document')
  })
})
