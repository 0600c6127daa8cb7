import { describe, expect, it } from 'vitest'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import type { WebNavigationItem } from '../../src/website/page.ts'
import { readWebPage } from '../../src/website/read-page.ts'
import {
  docusaurusPage,
  gitbookPage,
  materialPage,
  mkdocsPage,
  starlightPage,
  vitepressPage,
} from '../support/websites.ts'

const url = 'https://acme.dev/docs/install/'
const options = { references: verbatimReferences, isExpression: () => true }

const outline = (items: readonly WebNavigationItem[]): unknown[] =>
  items.map((item) => [item.title, item.url?.replace('https://acme.dev', ''), ...outline(item.children)])

/** Returns the types of the blocks in the Markdown. */
const types = (markdown: string) => parsePage(markdown, options).document.nodes.map(({ type }) => type)

describe('page of Docusaurus', () => {
  it('keeps its admonitions, tabs, code, tables, images, formulas, footnotes and cards', async () => {
    const page = await readWebPage(docusaurusPage, url)
    expect(page).toMatchObject({
      generator: 'docusaurus',
      title: 'Install',
      description: 'How to get Acme onto a machine.',
      canonical: 'https://acme.dev/docs/install',
    })
    expect(page.markdown)
      .toBe(`Run \`acme up\` and see [the **keys**](https://acme.dev/docs/configure#keys), or press <kbd>Ctrl</kbd>+<kbd>C</kbd>.

## v1.2 setup <a href="#v12-setup" id="v12-setup"></a>

{% hint style="success" %}
Be quick.
{% endhint %}

{% hint style="danger" %}
**Mind the gap**

It bites.
{% endhint %}

{% tabs %}
{% tab title="npm" %}
With npm.
{% endtab %}

{% tab title="Yarn" %}
With Yarn.
{% endtab %}
{% endtabs %}

<pre class="language-js" data-title="src/index.js"><code class="lang-js">if (a &#x3C; b) {
<strong>&#x20; run("*x*")
</strong>
}
</code></pre>

### A table

| Name   | Use                           |
| ------ | :---------------------------: |
| \`a\\|b\` | [one](https://acme.dev/docs/) |

<details>

<summary>More <em>of</em> it</summary>

Inside.

</details>

<figure><img src="https://acme.dev/assets/images/shot-1.png" alt="Shot"><figcaption></figcaption></figure>

<figure><picture><source srcset="https://acme.dev/img/d.svg" media="(prefers-color-scheme: dark)"><img src="https://acme.dev/img/l.svg" alt="Logo"></picture><figcaption></figcaption></figure>

Let $$x^2$$ be.

$$
\\int_0^1 x
$$

* [x] done
* [ ] open

Noted[^1] here.

{% embed url="https://www.youtube.com/watch?v=abc123" %}

* [One](https://acme.dev/docs/one): First
* [Two](https://acme.dev/docs/two)

[^1]: The note.
`)
  })

  it('has a navigation in which a category without a page is a heading, and unique links', async () => {
    const { navigation, links } = await readWebPage(docusaurusPage, url)
    expect(outline(navigation)).toEqual([
      ['Intro', '/docs/'],
      ['Setup', undefined, ['Install', '/docs/install'], ['Configure', '/docs/configure']],
      ['API', '/docs/category/api'],
    ])
    expect(links).toContain('https://acme.dev/blog')
    expect(links).toContain('https://acme.dev/legal')
    expect(new Set(links).size).toBe(links.length)
    expect(links.some((link) => link.includes('#'))).toBe(false)
  })
})

describe('page of VitePress', () => {
  it('keeps its containers, alerts, code and code groups', async () => {
    const page = await readWebPage(vitepressPage, url)
    expect(page).toMatchObject({ generator: 'vitepress', title: 'Install' })
    expect(page.description, 'it is how the text begins').toBeUndefined()
    expect(page.markdown).toBe(`Run \`acme up\` and wait.

## In short

{% hint style="success" %}
Be quick.
{% endhint %}

{% hint style="warning" %}
**Mind the gap**

* one
* two
{% endhint %}

{% hint style="danger" %}
It bites.
{% endhint %}

<details>

<summary>Details</summary>

Inside.

</details>

<pre class="language-ts" data-line-numbers><code class="lang-ts">const a = \`b\`

<strong>&#x20; run()
</strong></code></pre>

{% tabs %}
{% tab title="npm" %}
{% code lineNumbers="true" %}
\`\`\`sh
npm i acme
\`\`\`
{% endcode %}
{% endtab %}

{% tab title="config.js" %}
{% code lineNumbers="true" %}
\`\`\`js
export default {}
\`\`\`
{% endcode %}
{% endtab %}
{% endtabs %}

| Left | Right  |
| ---- | -----: |
| a    | 1<br>2 |

<figure><img src="https://acme.dev/shot.png" alt="Shot"><figcaption></figcaption></figure>

Let $$x$$ be.
`)
    expect(outline(page.navigation)).toEqual([
      [
        'Guide',
        undefined,
        ['Install', '/guide/install.html'],
        ['Use', '/guide/use.html', ['More', '/guide/more.html']],
      ],
    ])
  })
})

describe('page of MkDocs', () => {
  it('with Material keeps its admonitions, tabs, numbered code, definition lists and footnotes', async () => {
    const page = await readWebPage(materialPage, url)
    expect(page).toMatchObject({ generator: 'mkdocs', title: 'Install', canonical: 'https://acme.dev/setup/install/' })
    expect(page.markdown).toBe(`Run it with <kbd>Ctrl</kbd>+<kbd>C</kbd>.

## What's \`new\`?

{% hint style="info" %}
Be quick.
{% endhint %}

{% hint style="danger" %}
**Broken \`x\`**

It bites.

\`\`\`
plain
\`\`\`
{% endhint %}

<details open>

<summary>Fold me</summary>

Inside.

</details>

{% tabs %}
{% tab title="C" %}
In C.
{% endtab %}

{% tab title="C++" %}
In C++.
{% endtab %}
{% endtabs %}

<pre class="language-python" data-title="app.py"><code class="lang-python">import os
<strong>print(1)
</strong></code></pre>

{% code title="mkdocs.yml" lineNumbers="true" %}
\`\`\`yaml
a:
  b: c
\`\`\`
{% endcode %}

\`\`\`mermaid
graph LR
  A --> B
\`\`\`

*   **\`lorem\`**

    A word.

*   **ipsum**

    Another.

- [x] done

<figure><picture><source srcset="https://acme.dev/docs/look-dark.png" media="(prefers-color-scheme: dark)"><img src="https://acme.dev/docs/look.png" alt="Look"></picture><figcaption></figcaption></figure>

<figure><img src="https://acme.dev/docs/plan.png" alt="Plan" width="300"><figcaption><p>The <em>plan</em></p></figcaption></figure>

$$
a < b
$$

and $$c$$.

Noted[^1].

*   **Fast**

    [Use it](https://acme.dev/docs/use/)

[^1]: The note.
`)
    expect(outline(page.navigation)).toEqual([
      ['Home', '/'],
      ['Setup', undefined, ['Install', '/docs/install/'], ['Use', '/docs/use/']],
    ])
  })

  it('with the default theme is read without its toolbars and search', async () => {
    const page = await readWebPage(mkdocsPage, url)
    expect(page).toMatchObject({ generator: 'mkdocs', title: 'Install' })
    expect(page.markdown).toBe(
      'Run it.\n\n```python\nprint("a")\n```\n\n{% hint style="danger" %}\nIt bites.\n{% endhint %}\n',
    )
    expect(outline(page.navigation)).toEqual([
      ['Home', '/docs/'],
      ['Setup', undefined, ['Install', '/docs/install/'], ['Use', '/docs/use/']],
    ])
  })
})

describe('page of Starlight', () => {
  it('keeps its asides, tabs, framed code, steps and cards', async () => {
    const page = await readWebPage(starlightPage, url)
    expect(page).toMatchObject({ generator: 'starlight', title: 'Install', description: 'All about installing.' })
    expect(page.markdown).toBe(`Run \`acme\`.

## In short

{% hint style="info" %}
Be quick.
{% endhint %}

{% hint style="warning" %}
**Did you know?**

It bites.
{% endhint %}

{% tabs %}
{% tab title="npm" %}
\`\`\`sh
npm i
\`\`\`
{% endtab %}

{% tab title="pnpm" %}
With pnpm.
{% endtab %}
{% endtabs %}

<pre class="language-js" data-title="a.js" data-line-numbers><code class="lang-js">if (a) {
<strong>&#x20; go()
</strong>
}
</code></pre>

{% stepper %}
{% step %}
Get it.
{% endstep %}

{% step %}
Run it:

\`\`\`sh
acme
\`\`\`
{% endstep %}
{% endstepper %}

**Card**

Words.

* [Use](https://acme.dev/setup/use/): How to use it.

<figure><picture><source srcset="https://acme.dev/_astro/dark.webp" media="(prefers-color-scheme: dark)"><img src="https://acme.dev/_astro/light.webp" alt="Plan"></picture><figcaption></figcaption></figure>
`)
    expect(outline(page.navigation)).toEqual([
      ['Home', '/'],
      ['Setup', undefined, ['Install', '/setup/install/'], ['Use', '/setup/use/']],
    ])
  })
})

describe('page of GitBook', () => {
  it('keeps its hints, tabs, stepper, code, table, images, tasks and cards', async () => {
    const page = await readWebPage(gitbookPage, url)
    expect(page).toMatchObject({ generator: 'gitbook', title: 'Install', description: 'How to get it.' })
    expect(page.markdown).toBe(`Run \`acme\`, see [keys](https://acme.dev/docs/setup/use#keys).

## In short <a href="#own-id" id="own-id"></a>

{% hint style="warning" %}
It bites.
{% endhint %}

{% tabs %}
{% tab title="npm" %}
With npm.
{% endtab %}

{% tab title="Yarn" %}
With Yarn.
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### Get it

Fetch.
{% endstep %}

{% step %}
Run.
{% endstep %}
{% endstepper %}

<pre data-title="run.sh"><code>acme up
<strong>acme down
</strong></code></pre>

<details>

<summary>More</summary>

Inside.

</details>

| Name | Use    |
| ---- | ------ |
| a    | b \\| c |

<figure><picture><source srcset="https://files.gitbook.io/d.png" media="(prefers-color-scheme: dark)"><img src="https://files.gitbook.io/l.png" alt="Light"></picture><figcaption><p>The look</p></figcaption></figure>

* [x] done

- [One](https://acme.dev/docs/one): First.
- [Two](https://acme.dev/docs/two)

Let $$e^x$$ be.
`)
    expect(outline(page.navigation)).toEqual([
      ['Welcome', '/docs'],
      ['Setup', undefined, ['Install', '/docs/setup/install', ['On Linux', '/docs/setup/install/linux']]],
    ])
  })
})

describe('Markdown of a page', () => {
  it('is parsed to the expected blocks and printed unchanged', async () => {
    for (const html of [docusaurusPage, vitepressPage, materialPage, mkdocsPage, starlightPage, gitbookPage]) {
      const { markdown } = await readWebPage(html, url)
      const { document } = parsePage(markdown, options)
      expect(printPage({ document }, verbatimReferences)).toBe(markdown)
    }
    const { markdown } = await readWebPage(starlightPage, url)
    expect(types(markdown)).toEqual([
      'paragraph',
      'heading-1',
      'hint',
      'hint',
      'tabs',
      'code',
      'stepper',
      'paragraph',
      'paragraph',
      'list-unordered',
      'images',
    ])
  })
})
