import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/content/document/nodes.ts'
import { textOfBlocks } from '../../src/content/document/text.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'
import { seededRandom } from '../support/random.ts'
import { withEditedWord } from '../support/word-edits.ts'

// Notations that people write by hand, and those of other documentation tools.

const options = { references: verbatimReferences, isExpression: () => true }
const parse = (source: string) => parsePage(source, options)

/** Returns a block as a short text: its type, the data of hints, tabs and headings, and its texts. */
function shapeOf(block: Block): string {
  const data = 'data' in block ? (block.data as Record<string, unknown> | undefined) : undefined
  const detail = ['style', 'title', 'id'].flatMap((key) =>
    data?.[key] === undefined ? [] : [` ${data[key] as string}`],
  )
  if (block.type === 'table')
    return `table(${block.fragments.map(({ nodes }) => nodes.map(shapeOf).join(', ')).join(' / ')})`
  const isContainer =
    ['hint', 'tabs', 'tabs-item', 'stepper', 'stepper-step', 'blockquote'].includes(block.type) ||
    block.type.startsWith('list-')
  if (isContainer && 'nodes' in block)
    return `${block.type}${detail.join('')}(${(block.nodes as readonly Block[]).map(shapeOf).join(', ')})`
  return `${block.type}${detail.join('')}: ${textOfBlocks([block], ' ').replaceAll('\n', ' ')}`
}
const shape = (source: string) => parse(source).document.nodes.map(shapeOf).join(' | ')

test.each([
  // Tags that share their line with text.
  ['{% hint style="info" %} Ropes are wet. {% endhint %}\n', 'hint info(paragraph: Ropes are wet.)'],
  [
    'Before\n{% hint style="warning" %} Ropes\nare wet. {% endhint %}\nAfter\n',
    'paragraph: Before | hint warning(paragraph: Ropes are wet.) | paragraph: After',
  ],
  [
    '{% hint style="info" %} **Ropes**\n\nThey are wet. {% endhint %}\n',
    'hint info(paragraph: Ropes, paragraph: They are wet.)',
  ],
  [
    '{%hint style="info" %} Ropes:\n* hemp\n{% endhint %}\n',
    'hint info(paragraph: Ropes:, list-unordered(list-item(paragraph: hemp)))',
  ],
  ['{% tabs %} {% tab title="A" %} one {% endtab %} {% endtabs %}\n', 'tabs(tabs-item A(paragraph: one))'],
  // Attributes.
  [`{% hint style='danger' %}\nStop\n{% endhint %}\n`, 'hint danger(paragraph: Stop)'],
  [`{% hint type="warning" %}\nStop\n{% endhint %}\n`, 'hint warning(paragraph: Stop)'],
  [
    `{% tabs %}\n{% tab title='Two words' %}\nx\n{% endtab %}\n{% endtabs %}\n`,
    'tabs(tabs-item Two words(paragraph: x))',
  ],
  // Former tags of code with titles.
  [
    '{% code-tabs %}\n{% code-tabs-item title="src/my\\_file.js" %}\n```js\nx\n```\n{% endcode-tabs-item %}\n{% endcode-tabs %}\n',
    'tabs(tabs-item src/my_file.js(code: x))',
  ],
  ['{% code title="\\[a\\_b\\]" %}\n```js\nx\n```\n{% endcode %}\n', 'code [a_b]: [a_b] x'],
  // A quotation mark is missing.
  ['{% hint style="danger %}\nStop\n{% endhint %}\n\n"Go"\n', 'hint info(paragraph: Stop) | paragraph: "Go"'],
  [
    '{% swagger method="get" path="/a name="x" summary="Ropes" %}\n{% swagger-description %}\nAll\n{% endswagger-description %}\n{% endswagger %}\n',
    'heading-2: Ropes | code: GET /a name= | paragraph: All',
  ],
  // Directives.
  [':::note\nRopes\n:::\n', 'hint info(paragraph: Ropes)'],
  ['::: tip Knots\n\nRopes\n\n:::\n', 'hint success(paragraph: Knots, paragraph: Ropes)'],
  [
    ':::warning[Wet **ropes**]\nSlip\n:::\nAfter\n',
    'hint warning(paragraph: Wet ropes, paragraph: Slip) | paragraph: After',
  ],
  ['::::danger\n:::info\nin\n:::\nout\n::::\n', 'hint danger(hint info(paragraph: in), paragraph: out)'],
  [
    '1. Tie\n\n   :::caution\n   Wet\n   :::\n2. Pull\n',
    'list-ordered(list-item(paragraph: Tie, hint warning(paragraph: Wet)), list-item(paragraph: Pull))',
  ],
  ['::: details Show {open}\nHidden\n:::\n', 'expandable: Show Hidden'],
  [
    '::: code-group\n```js [a.js]\nx\n```\n```ts\ny\n```\n:::\n',
    'tabs(tabs-item a.js(code: x), tabs-item ts(code: y))',
  ],
  // Alerts.
  ['> [!NOTE]\n> Ropes **are** wet.\n', 'hint info(paragraph: Ropes are wet.)'],
  ['> [!caution]\n>\n> * hemp\n', 'hint danger(list-unordered(list-item(paragraph: hemp)))'],
  ['> [!TIP]  \n> Ropes\n', 'hint success(paragraph: Ropes)'],
  // Callouts with titles, which may be folded, and those that start with an emoji.
  [
    '> [!warning] Wet *ropes*\n> slip.\n> > [!my-own|wide] In\n> > x\n',
    'hint warning(paragraph: Wet ropes, paragraph: slip., hint info(paragraph: In, paragraph: x))',
  ],
  ['> [!faq]- Why `x`?\n> Because.\n>\n> * hemp\n', 'expandable: Why x? Because. hemp'],
  ['> [!info]+\n> Open\n', 'expandable: Info Open'],
  [
    '> 📘 Old ropes\n>\n> Wet\n\n> ❗️ Stop\n> Now\n',
    'hint info(paragraph: Old ropes, paragraph: Wet) | hint danger(paragraph: Stop, paragraph: Now)',
  ],
  // Titles in attributes, and those with Markdown.
  [':::info{title="Wet"}\nx\n:::\n', 'hint info(paragraph: Wet, paragraph: x)'],
  [':::tip[Use `a` & [b](c)]{.x}\nx\n:::\n', 'hint success(paragraph: Use a & b, paragraph: x)'],
  [
    ':::{note} Wet\nx\n:::\n\n::: {.callout-tip title="Dry"}\ny\n:::\n\n::: {.tabset}\nz\n:::\n',
    'hint info(paragraph: Wet, paragraph: x) | hint success(paragraph: Dry, paragraph: y) | paragraph: z',
  ],
  ['??? note "Use `a`"\n    x\n\n=== "Use *b*"\n    y\n', 'expandable: Use a x | tabs(tabs-item Use b(paragraph: y))'],
  // Ids of headings.
  ['## Knots {#knots-of-old}\n', 'heading-1 knots-of-old: Knots'],
  ['### Knots `x` { #k.1 data-label="x" }\n', 'heading-2 k.1: Knots x'],
  ['### Knots {: .old #k }\n\n## Ends { data-toc-label="x" }\n', 'heading-2 k: Knots | heading-1: Ends'],
  ['## Knots {% #k .old %}\n\n## Ends {/* #e */}\n', 'heading-1 k: Knots | heading-1 e: Ends'],
  // Attribute lists.
  [
    '[Ropes](a.md){ .button target=_blank }, **wet**{: .x}, `a`{.js} and <https://a.example>{.y}.\n',
    'paragraph: Ropes, wet, a and https://a.example.',
  ],
  ['Wet ropes { .wide }\n\nDry ropes {% .wide %}\n', 'paragraph: Wet ropes | paragraph: Dry ropes'],
  ['{: .note }\nWet\n{: #wet }\n{ .x }\n\n{ .y #z }\n', 'paragraph: Wet | paragraph: '],
  ['* Wet\n* Dry\n{: .list }\n', 'list-unordered(list-item(paragraph: Wet), list-item(paragraph: Dry))'],
  ['| A |\n| - |\n| b |\n{: .table #t }\n\nc\n', 'table(paragraph: b) | paragraph:  | paragraph: c'],
  ['# Ropes\n{: .no_toc }\n\n1. TOC\n{:toc}\n\nWet\n', 'paragraph: Wet'],
  ['![Knot](a.png){: .x }\n', 'images: Knot'],
  // Tags in items, of which the content or the closing tag is not indented.
  [
    '1. Tie\n   {% hint style="info" %}\nWet\n   {% endhint %}\n2. Pull\n',
    'list-ordered(list-item(paragraph: Tie, hint info(paragraph: Wet)), list-item(paragraph: Pull))',
  ],
  [
    '* Tie\n\n  {% hint style="info" %}\n  Wet\n{% endhint %}\n\n* Pull\n',
    'list-unordered(list-item(paragraph: Tie, hint info(paragraph: Wet)), list-item(paragraph: Pull))',
  ],
  [
    '* {% tabs %}\n{% tab title="A" %}\n- one\n  - two\n{% endtab %}\n{% endtabs %}\n',
    'list-unordered(list-item(tabs(tabs-item A(list-unordered(list-item(paragraph: one, list-unordered(list-item(paragraph: two))))))))',
  ],
  // Tags that are indented by nesting, and their content with them.
  [
    '{% tabs %}\n    {% tab title="A" %}\n        Wet\n\n        ```js\n        x\n          y\n        ```\n    {% endtab %}\n\n    {% tab title="B" %}\n  Dry\n    {% endtab %}\n{% endtabs %}\n',
    'tabs(tabs-item A(paragraph: Wet, code: x   y), tabs-item B(paragraph: Dry))',
  ],
  [
    '{% stepper %}\n\t{% step %}\n\t\tTie\n\n\t\t{% hint style="info" %}\n\t\t\tWet\n\t\t{% endhint %}\n\t{% endstep %}\n{% endstepper %}\n',
    'stepper(stepper-step(paragraph: Tie, hint info(paragraph: Wet)))',
  ],
  [
    '* Tie\n\n  {% tabs %}\n      {% tab title="A" %}\n          Wet\n      {% endtab %}\n  {% endtabs %}\n* Pull\n',
    'list-unordered(list-item(paragraph: Tie, tabs(tabs-item A(paragraph: Wet))), list-item(paragraph: Pull))',
  ],
  ['{% hint style="info" %}\n    wet\n{% endhint %}\n', 'hint info(code: wet)'],
  ['    {% tabs %}\n        {% tab title="A" %}\n', 'code: {% tabs %}     {% tab title="A" %}'],
  // Closing tags that a formatter made rows of the table above them.
  [
    '{% columns %}\n{% column %}\n\n| A             |     |\n| ------------- | --- |\n| b             | c   |\n| {% endcolumn %} |     |\n\n{% column %}\nd\n{% endcolumn %}\n{% endcolumns %}\n',
    'columns: A b c d',
  ],
  [
    '1. Tie\n\n   {% hint style="info" %}\n   | A           |\n   | ----------- |\n   | b           |\n   | {% endhint %} |\n2. Pull\n',
    'list-ordered(list-item(paragraph: Tie, hint info(table(paragraph: b))), list-item(paragraph: Pull))',
  ],
  ['| A |\n| - |\n| {% endtab %} |\n', 'table(paragraph: {% endtab %})'],
  ['| A |\n| - |\n| {% tab %} |\n| {% endtab %} |\n', 'table(paragraph: {% tab %} / paragraph: {% endtab %})'],
  // Items that begin with a block, as GitBook exports them.
  [
    '*\n\n    <figure><img src="a.png" alt=""><figcaption></figcaption></figure>\n*\n\n    {% hint style="info" %}\n    Wet\n    {% endhint %}\n* Dry\n',
    'list-unordered(list-item(images: ), list-item(hint info(paragraph: Wet)), list-item(paragraph: Dry))',
  ],
  [
    '1.\n\n    ```js\n    x\n      y\n    ```\n\n\n2.\n\n    Rope\n\n    * hemp\n',
    'list-ordered(list-item(code: x   y), list-item(paragraph: Rope, list-unordered(list-item(paragraph: hemp))))',
  ],
  ['Text\n*\n\n    code\n', 'paragraph: Text * | code: code'],
  ['```\n*\n\n    x\n```\n', 'code: *     x'],
  // HTML that empty lines cut into several blocks.
  [
    '<table>\n<tr>\n<td>\n\n**Hemp**\n\n</td>\n<td>\n\n- wet\n- dry\n\n</td>\n</tr>\n</table>\n',
    'table(paragraph: Hemp / list-unordered(list-item(paragraph: wet), list-item(paragraph: dry)))',
  ],
  [
    '<table>\n  <tr>\n    <td>a</td>\n\n    <td>b\n\n    c</td>\n  </tr>\n</table>\nAfter\n',
    'table(paragraph: a / paragraph: b c) | paragraph: After',
  ],
  ['<table><tr><td>a</td><td>b</td></tr></table>\n', 'table(paragraph: a / paragraph: b)'],
  [
    '<table><tr><td>\n\n**Hemp**\n\n</td><td>\n\n- wet\n\n</td></tr></table>\n',
    'table(paragraph: Hemp / list-unordered(list-item(paragraph: wet)))',
  ],
  ['<table><rope>\n\nText\n', 'paragraph: <table><rope> | paragraph: Text'],
  [
    '<ol>\n<li>one\n\nmore</li>\n\n<li>two</li>\n</ol>\n',
    'list-ordered(list-item(paragraph: one, paragraph: more), list-item(paragraph: two))',
  ],
  ['<blockquote>\n\none\n\n*two*\n\n</blockquote>\n', 'blockquote(paragraph: one, paragraph: two)'],
  ['<div>\n\none</div>\n\ntwo\n', 'paragraph: one | paragraph: two'],
  // Admonitions with indented bodies.
  [
    '!!! note "Wet ropes"\n    They slip.\n\n    * hemp\n\nAfter\n',
    'hint info(paragraph: Wet ropes, paragraph: They slip., list-unordered(list-item(paragraph: hemp))) | paragraph: After',
  ],
  [
    '1) a\n\n!!! danger\n    Stop\n\n2) b\n',
    'list-ordered(list-item(paragraph: a)) | hint danger(paragraph: Stop) | list-ordered(list-item(paragraph: b))',
  ],
  ['!!! tip\n    !!! bug\n        in\n\n    out\n', 'hint success(hint danger(paragraph: in), paragraph: out)'],
  ['???+ question "Why?"\n\n    Because.\n', 'expandable: Why? Because.'],
  ['!!! note "The "old" ropes"\n    Wet\n', 'hint info(paragraph: The "old" ropes, paragraph: Wet)'],
  // Tabs with indented bodies.
  [
    '=== "Hemp"\n\n    ```js\n    x\n    ```\n\n===+ "Wire"\n    One\n\n    * two\n\nAfter\n',
    'tabs(tabs-item Hemp(code: x), tabs-item Wire(paragraph: One, list-unordered(list-item(paragraph: two)))) | paragraph: After',
  ],
  ['=== "A"\n    one\n===! "B"\n    two\n', 'tabs(tabs-item A(paragraph: one)) | tabs(tabs-item B(paragraph: two))'],
  [
    '* Tie\n\n    === "A"\n\n        === "In"\n\n            one\n\n        !!! tip\n            two\n',
    'list-unordered(list-item(paragraph: Tie, tabs(tabs-item A(tabs(tabs-item In(paragraph: one)), hint success(paragraph: two)))))',
  ],
  // Components and shortcodes.
  [
    `import Tabs from '@theme/Tabs'\nimport TabItem from "@theme/TabItem";\n\n<Tabs>\n<TabItem value="a" label="A">\n\nOne\n\n</TabItem>\n<TabItem value="b">\nTwo\n</TabItem>\n</Tabs>\n`,
    'tabs(tabs-item A(paragraph: One), tabs-item b(paragraph: Two))',
  ],
  ['<Note>\nWet *ropes*\n</Note>\n', 'hint info(paragraph: Wet ropes)'],
  // Names of HTML elements may be written in capital letters.
  ['<TABLE>\n<TR><TH>A</TH></TR>\n<TR><TD>x</TD></TR>\n</TABLE>\n', 'table(paragraph: x)'],
  ['<UL>\n<LI>hemp</LI>\n</UL>\n', 'list-unordered(list-item(paragraph: hemp))'],
  ['<Callout type="warning" title={"Wet"}>\nSlip\n</Callout>\n', 'hint warning(paragraph: Wet, paragraph: Slip)'],
  [
    '<Steps>\n<Step title="Tie">\nTwice\n</Step>\n</Steps>\n',
    'stepper(stepper-step(heading-2: Tie, paragraph: Twice))',
  ],
  ['<Accordion title="More">\nRope\n</Accordion>\n', 'expandable: More Rope'],
  ['<Card icon="x">\n## Title\n</Card>\n\n<Map size={3} />\n', 'heading-1: Title'],
  [
    '<Card\n  title="Ropes"\n  href="ropes.md"\n>\n  How to *tie*.\n</Card>\n',
    'paragraph: Ropes | paragraph: How to tie.',
  ],
  ['<Map\n  size={{ a: ">" }}\n  on={() => 1}\n/>\n\nEnd\n', 'paragraph: End'],
  ['<Card\n  title="Ropes"\n  href="ropes.md"\n/>\n', 'paragraph: Ropes'],
  [
    '<Cards>\n  <Card title="A">\n    One\n\n    ```js\n    x\n      y\n    ```\n  </Card>\n  <Note>Two</Note>\n</Cards>\n',
    'paragraph: A | paragraph: One | code: x   y | hint info(paragraph: Two)',
  ],
  ['<Note>Wet *ropes*</Note>\n', 'hint info(paragraph: Wet ropes)'],
  ['<Tabs>\n<Tab title="A">One\ntwo</Tab>\n</Tabs>\n', 'tabs(tabs-item A(paragraph: One two))'],
  ['1. Tie\n\n   <Note>\n     Wet\n   </Note>\n', 'list-ordered(list-item(paragraph: Tie, hint info(paragraph: Wet)))'],
  ['> <Note>Wet</Note>\n', 'blockquote(hint info(paragraph: Wet))'],
  [
    '<aside>\n💡 Wet *ropes*\n\n* hemp\n\n</aside>\n',
    'hint info(paragraph: 💡 Wet ropes, list-unordered(list-item(paragraph: hemp)))',
  ],
  ['* <Note>Wet</Note>\n* b\n', 'list-unordered(list-item(hint info(paragraph: Wet)), list-item(paragraph: b))'],
  ['A <Tip text="x">knot</Tip> and <Icon name="y" /> here\n', 'paragraph: A knot and  here'],
  ['<Tip>A knot</Tip> is here\n', 'paragraph: A knot is here'],
  ['<x-card title="A">\nOne\n</x-card>\n', 'paragraph: A | paragraph: One'],
  ['<ParamField path="id" type="string">\nThe id\n</ParamField>\n', 'paragraph: id string | paragraph: The id'],
  ['{{< note >}}\nWet\n{{< /note >}}\n', 'hint info(paragraph: Wet)'],
  [
    '{{% alert title="Wet" color="warning" %}}\nSlip\n{{% /alert %}}\n',
    'hint warning(paragraph: Wet, paragraph: Slip)',
  ],
  ['{{< figure src="a.png" >}}\n\n{{< box >}}\nin\n{{< /box >}}\n', 'images:  | paragraph: in'],
  [
    'export const a = 1\n\nText\n{: .wide }\n\n{: .note }\n> quoted\n',
    'code: export const a = 1 | paragraph: Text | blockquote(paragraph: quoted)',
  ],
  // Directives of a site's own.
  ['::: v-pre\nRaw *x*\n:::\n', 'paragraph: Raw x'],
  ['::: theorem Knots\nHold\n:::\n', 'hint info(paragraph: Knots, paragraph: Hold)'],
  // Comments and spaces in sentences, and attributes of JSX.
  ['Wet %%or *dry*%% ropes, 100%% sure and 50%% not\n', 'paragraph: Wet  ropes, 100%% sure and 50%% not'],
  ['Replace %%NAME%%\n\n%%NAME%%\n', 'paragraph: Replace %%NAME%% | paragraph: %%NAME%%'],
  ['One\n\n%%\nhidden\n\n* text\n%%\n\n%% hidden %%\n\nTwo\n', 'paragraph: One | paragraph: Two'],
  ["Wet {/* or *dry\n*/} ropes{' '}\nand{' '}**knots**\n", 'paragraph: Wet  ropes and knots'],
  ['{/* a\n\nb */}\n\n{/* c */} Text\n', 'paragraph:  Text'],
  [
    '<div style={{ color: "a>b" }} className="x" {...props}>\n\nWet\n\n</div>\n\nA <b style={{ a: 1 }}>big</b> <Tip a={<b />}>knot</Tip>\n',
    'paragraph: Wet | paragraph: A big knot',
  ],
  ['<details open={true}>\n<summary className={`x`}>Why</summary>\n\nWet\n\n</details>\n', 'expandable: Why Wet'],
  // Expressions in destinations.
  [
    '[a]({{ site.baseurl }}/a.md), [b]({% link b.md %}), [c]({{< ref "c.md#d" >}}) and [d]({% post_url e %} "f")\n',
    'paragraph: a, b, c and d',
  ],
  ['![Knot]({{ "/a.png" | relative_url }})\n\n[a]: {{ site.url }}/a.md\n\n[a]\n', 'images: Knot | paragraph: a'],
  // Places of tables of contents, and comments of MDX.
  ['[[toc]]\n\n[TOC]\n\n@[toc]\n\n{/* a\nb */}\n\nEnd\n', 'paragraph: End'],
  // Tags of plugins and of other template languages.
  [
    '{% method %}\nOne\n\n{% sample lang="js" %}\nTwo\n\n{% common %}\nAll\n{% endmethod %}\n',
    'paragraph: One | paragraph: js | paragraph: Two | paragraph: All',
  ],
  ['{% raw %}\nUse {{ x }}\n{% endraw %}\n', 'paragraph: Use {{ x }}'],
  ['Use {% raw %}{{ x }}{% endraw %} here\n', 'paragraph: Use {{ x }} here'],
  // Tags that cross marks.
  ['*<b>Wet*</b> <a href="u">*ropes</a>* {% raw %}*a{% endraw %}*\n', 'paragraph: Wet ropes {% raw %}a{% endraw %}'],
  ['<a href="u">******</a>***\n', 'paragraph: ***'],
  [
    '* **b****b**{% raw %}<a href="u">{% endraw %}**</a>\n',
    'list-unordered(list-item(paragraph: b****b{% raw %}{% endraw %}**))',
  ],
  ['{% em %}Wet{% endem %} ropes\n', 'paragraph: Wet ropes'],
  ['{% mermaid %}\ngraph TD\n  A --> B\n{% endmermaid %}\n', 'code: graph TD   A --> B'],
  ['{% highlight ruby %}\nx = 1\n{% endhighlight %}\n', 'code: x = 1'],
  ['{% youtube %}https://youtu.be/x{% endyoutube %}\n', /^embed: /],
  ['{% youtube src="https://youtu.be/x" %}{% endyoutube %}\n\n{{< youtube x >}}\n', /^embed: .* \| embed: /],
  ['{% math %}a^2{% endmath %}\n', /^math: /],
  ['{% callout type="warning" title="Wet" %}\nSlip\n{% /callout %}\n', 'hint warning(paragraph: Wet, paragraph: Slip)'],
  [
    `{% tabs %}\n{% tab Two words %}\nOne\n{% endtab %}\n{% tab 'B' %}\nTwo\n{% endtab %}\n{% endtabs %}\n\n{% hint danger %}\nWet\n{% endhint %}\n`,
    'tabs(tabs-item Two words(paragraph: One), tabs-item B(paragraph: Two)) | hint danger(paragraph: Wet)',
  ],
  ['{% tabs %}\n{% tab label="A" %}\nOne\n{% /tab %}\n{% /tabs %}\n', 'tabs(tabs-item A(paragraph: One))'],
  [
    '{% assign x = 1 %}\n\nOne\n\n{% include_relative a.md %}\n{% comment %}\nhidden\n{% endcomment %}\n',
    'paragraph: One',
  ],
  ['{% include note.html content="Wet" %}\n', 'paragraph: Wet'],
  ["{% include 'a.md' %}\n", /^reusable-content: /],
  // Conditions with several parts, and in sentences.
  ['Use {% if x %}the **one**{% else %}or the other{% endif %} here\n', 'paragraph: Use the oneor the other here'],
  [
    '{% if a %}\nOne\n{% elsif b %}\nTwo\n{% else %}\nThree\n{% endif %}\n',
    'paragraph: One | paragraph: Two | paragraph: Three',
  ],
  ['| A |\n| - |\n| b {% if x %}c{% endif %} d |\n', 'table(paragraph: b c d)'],
  // Those that restrict who may read a part show nothing to others.
  ['{% if visitor.claims.a %}\nOne\n{% else %}\nTwo\n{% endif %}\n', 'if: One Two'],
  ['{% if a %}\nOne\n{% elsif visitor.claims.a %}\nTwo\n{% endif %}\n', 'if: One Two'],
  [
    '{% if a %}\n{% if visitor.claims.a %}\nOne\n{% endif %}\n{% else %}\nTwo\n{% endif %}\n',
    'if: One | paragraph: Two',
  ],
  // Titles of code behind its language, abbreviations and includes.
  [
    '<CodeGroup>\n```bash npm 9\na\n```\n```bash\nb\n```\n</CodeGroup>\n',
    'tabs(tabs-item npm 9(code: a), tabs-item bash(code: b))',
  ],
  [
    'One\n\n*[HTML]: Markup\n*[CSS]: Style\n\n--8<-- "a.md"\n\n{{#include a.md}}\n\nTwo\n',
    'paragraph: One | paragraph: Two',
  ],
  // Blocks of README.io.
  [
    'Before\n[block:callout]\n{ "type": "warning", "title": "Wet", "body": "Ropes **slip**.\\n\\nMind [it](a.md)" }\n[/block]\nAfter\n',
    'paragraph: Before | hint warning(paragraph: Wet, paragraph: Ropes slip., paragraph: Mind it) | paragraph: After',
  ],
  [
    '[block:callout]\n{ "body": "Mind:\\n\\n- [it](a.md)\\n- `b`\\n\\n```js\\n1\\n```" }\n[/block]\n',
    'hint info(paragraph: Mind:, list-unordered(list-item(paragraph: it), list-item(paragraph: b)), code: 1)',
  ],
  [
    '[block:parameters]\n{ "data": { "h-0": "A", "0-0": "One of:\\n\\n* b\\n* c", "1-0": "| a |\\n| - |" }, "cols": 1, "rows": 2 }\n[/block]\n',
    'table(paragraph: One of:, list-unordered(list-item(paragraph: b), list-item(paragraph: c)) / paragraph: | a | | - |)',
  ],
  [
    '[block:code]\n{\n  "codes": [\n    { "code": "x\\n\\ny", "language": "js", "name": "A" },\n    { "code": "z", "language": "c" }\n  ]\n}\n[/block]\n',
    'tabs(tabs-item A(code: x y), tabs-item c(code: z))',
  ],
  [
    '[block:parameters]\n{ "data": { "h-0": "A", "0-0": "`b`", "0-1": "c" }, "cols": 2, "rows": 1 }\n[/block]\n',
    'table(paragraph: b / paragraph: c)',
  ],
  // A short text must not become a large table.
  ['[block:parameters]\n{ "data": {}, "cols": 100, "rows": 100 }\n[/block]\n', /^paragraph: \[block:parameters\]/],
  [
    '[block:image]\n{ "images": [{ "image": ["https://a.example/a.png"], "caption": "Knot" }] }\n[/block]\n',
    'images: Knot',
  ],
  ['[block:embed]\n{ "url": "https://youtu.be/x" }\n[/block]\n', /^embed: /],
  [
    '[block:api-header]\n{ "title": "Ropes" }\n[/block]\n\n[block:html]\n{ "html": "<b>Wet</b>" }\n[/block]\n',
    'heading-1: Ropes | paragraph: Wet',
  ],
  // Tags in cells.
  [
    '| A |\n| - |\n| one {% hint style="danger" %} *two* {% endhint %} |\n| {% tabs %}{% tab title="A" %}x{% endtab %}{% endtabs %} |\n',
    'table(paragraph: one, hint danger(paragraph: two) / paragraph: x)',
  ],
  [
    '| A |\n| - |\n| a {% raw %}{{ b }}{% endraw %} c |\n| {% em %}d{% endem %} |\n',
    'table(paragraph: a {{ b }} c / paragraph: d)',
  ],
  // Images with titles in HTML.
  ['<table><tr><td><pre>x</pre>![a](b.png "t")</td></tr></table>\n', 'table(code: x, paragraph: ![a](b.png "t"))'],
  [
    '<table>\n<tr>\n<td>\n\n    code\n\nx ![a](b.png "t"){width=30} y\n\n</td>\n</tr>\n</table>\n',
    'table(code: code, paragraph: x  y)',
  ],
  // An entity that is no character.
  ['One\\\n&#xNAN;_&#x54;wo_\n', 'paragraph: One Two'],
  // Elements without content.
  ['<i id="old"></i><b id="older"></b>\n\n<em></em>\n\nText\n', 'paragraph:  | paragraph: Text'],
])('is parsed by its meaning: %j', (source, expected) => {
  if (typeof expected === 'string') expect(shape(source)).toBe(expected)
  else expect(shape(source)).toMatch(expected)
  const page = parse(source)
  expect(splicePage(source, page, options)).toBe(source)
  const printed = printPage(page, verbatimReferences)
  expect(parse(printed).document).toEqual(page.document)
  expect(printPage(parse(printed), verbatimReferences)).toBe(printed)
})

test.each([
  'Write {% hint style="info" %}\nand {% endhint %}\n',
  ':::note\nnot closed\n',
  'A {% hint %} and no other tag\n',
  '`{% hint %}a{% endhint %}`\n',
  '```\n{% method %}\nhint\n{% endmethod %}\n```\n',
  '\\:::note\n\n\\:::\n',
  '    :::note\n    code\n    :::\n',
  '> \\[!NOTE]\n> quoted\n',
  '> \\[!NOTE] and more\n> quoted\n',
  '> [!NOTE]: and more\n> quoted\n',
  '> [!NOTE]x hint\n',
  '> &#x1F4D8; hint\n',
  '## Title \\{#id}\n',
  '## {#id}\n',
  '## /users/{#id}\n',
  'Use \\{#id}\n',
  'The address is /users/{#id}\n',
  '**User** {#id} has no ropes\n',
  '[User](a.md)\\{#id}\n',
  'One \\&#xNAN; two\n',
  '!!! note\n\nhint below, not indented\n',
  '=== "hint"\n\nnot indented\n',
  '<Note>\nnot closed, no hint\n',
  'Use <Note> as a hint\n',
  'Use `<Note>hint</Note>` so\n',
  '```\n<Note>hint</Note>\n```\n',
  '\\{{< note >}}\nhint\n\\{{< /note >}}\n',
  '* a\n  {% hint style="info" %}\n* b\n  {% endhint %}\n',
  "We import hint from 'x'\n",
  '[block:callout]\nno JSON for a hint\n[/block]\n',
  '```\n[block:callout]\n{ "body": "hint" }\n[/block]\n```\n',
  '\\*[hint]: a\n\n\\--8<-- "a"\n\n\\{{#include hint}}\n',
  'Write {% else %} behind {% if x %}, not hint\n',
  'Use {% if visitor.claims.x %}hint{% else %}or b{% endif %} here\n',
  'Use \\%%hint or%% or %% hint %% or %%NAME%%, 100%% of it\n',
  "`{/* hint */}` and `{' '}`\n",
  '```\n%%\nhint\n%%\n<b style={{ a: 1 }}>\n```\n',
  'A \\{/* hint */} here\n',
])('remains text: %j', (source) => {
  const { document } = parse(source)
  expect(document.nodes.map(({ type }) => type)).not.toContain('hint')
  expect(JSON.stringify(document)).not.toContain('"id":')
  expect(textOfBlocks(document.nodes, ' ')).toMatch(/hint|:::|\[!NOTE\]|\{#id\}|NAN/)
  const printed = printPage(parse(source), verbatimReferences)
  expect(parse(printed).document).toEqual(document)
})

test('destinations with expressions lead to the pages that they name', () => {
  const source = `[a]({{ site.baseurl }}/a.md) [b]({% link _docs/b.md %}) [c]({{< relref "c.md#d" >}}) [d]({{ "/d/" | absolute_url }})
[e]({{ site.baseurl }}{% link e.md %}) [f]({{% ref "f" %}}) [g]({{ page.url }}) <a href="{{ site.url }}/h.md">h</a>

[i]: {{ site.baseurl }}/i.md

![i][i]
`
  const json = JSON.stringify(parse(source).document)
  expect(Array.from(json.matchAll(/"url":"([^"]*)"/g), ([, url]) => url)).toEqual([
    '/a.md',
    '/_docs/b.md',
    'c.md#d',
    '/d/',
    '/e.md',
    'f',
    '{{ page.url }}',
    '/h.md',
    '/i.md',
  ])
})

test('ids in attribute lists become anchors, and sizes those of images', () => {
  const { document } = parse('Wet{: #w }\n\n*Dry*{#d .x}\n\n{: #n }\nNew\n{: #o }\n\n![](a.png){ width=50% }\n')
  const json = JSON.stringify(document)
  expect(
    Array.from(json.matchAll(/"id":"(\w+)"\},"isVoid":true,"object":"inline","type":"anchor"/g), ([, id]) => id),
  ).toEqual(['d', 'n', 'o'])
  expect(json).toContain('"width":{"unit":"%","value":50}')
})

test('removing the title of a tag or component keeps the lines around it', () => {
  const source = `{% hint %}
!!! note
    *Wet* ropes

{% method %}
One
{% sample lang="js" %}
__Two__
{% /method %}
{% endhint %}
`
  const page = parse(source)
  const [hint] = page.document.nodes as [Extract<Block, { type: 'hint' }>]
  const nodes = [{ ...hint, nodes: hint.nodes.toSpliced(2, 1) }]
  expect(splicePage(source, { ...page, document: { ...page.document, nodes } }, options)).toBe(
    source.replace('{% sample lang="js" %}', ''),
  )
})

describe('an edit', () => {
  const page = `# Ropes {#ropes}

:::note
Keep them dry.

Coil them.
:::

> [!WARNING]
> Wet ropes slip.

> [!note] Long *ropes*
> are heavy.
>
> Short ones are light.

> [!tip]- Thin ropes
> cut.

> 🚧 Work
>
> Wait here.

:::info[Use \`rope\` twice]
Or once.
:::

{% hint style='danger' %} Never cut them. {% endhint %}

import Rope from './rope'

!!! tip "Old ropes"
    Throw them
    away.

=== "Hemp"

    It is *heavy*.

=== "Wire"
    It is strong
    and thin.

<Note>
Ask *before* that.
</Note>

1. Wash them.
   {% hint style="info" %}
Use soap.
{% endhint %}
2. Hang them.

{% tabs %}
    {% tab title="Store" %}
        Keep *all*
        of them.

        * In a box.
    {% endtab %}
    {% tab title="Sell" %}
    | Price         |
    | ------------- |
    | two euros     |
    | {% endtab %}  |
{% endtabs %}

<table>
  <tr>
    <td>Hemp</td>

    <td>

__Heavy__

    </td>
  </tr>
</table>

{{< warning >}}
Mind the *gap*.
{{< /warning >}}

Read [the book](book.md){ .button } soon.

[block:callout]
{ "body": "Go" }
[/block]

Take {% if wet %}the *long*{% else %}a short{% endif %} rope.

{% if dry %}
Coil *it*.
{% else %}
Hang it.
{% endif %}

Ask {/* not *now* */} the [crew]({{ site.baseurl }}/crew.md){' '}
and %%perhaps or not%% <b style={{ color: "red" }}>everyone</b> else.

<div className={wide} style={{ margin: 1 }}>

Rest *well*

</div>

| Rope | Strength |
| ---- | -------- |
| hemp | little   |
{: .table }

Done.
{: .end }

## Knots {#knots}

Last.
`
  test.each(Array.from({ length: 60 }, (_, index) => index + 1))('of a word changes only its line (%i)', (seed) => {
    const parsed = parse(page)
    const document = withEditedWord(parsed.document, seededRandom(seed), 'Zebra')
    expect(document).toBeDefined()
    const result = splicePage(page, { ...parsed, document: document ?? parsed.document }, options).split('\n')
    const changed = page.split('\n').filter((line, index) => line !== result[index])
    expect({ lines: result.length, changed: changed.length }).toEqual({ lines: page.split('\n').length, changed: 1 })
  })
})
