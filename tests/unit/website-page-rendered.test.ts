import { describe, expect, test } from 'vitest'
import { readWebPage } from '../../src/website/read-page.ts'
import {
  docusaurusHull,
  docusaurusSite,
  starlightWelcome,
  vitepressBoat,
  vitepressSite,
} from '../support/websites-rendered.ts'

const url = 'https://harbour.test/hb/page/'

/** Removes the bytes of inline images. */
const withoutBytes = (markdown: string) => markdown.replace(/data:(image\/[\w+]+);base64,[\w+/=]+/g, 'data:$1')

/** Returns the TeX of the only formula of a page. */
const formula = async (mathml: string) => {
  const page = `<html><body><main><h1>T</h1><p>See <math>${mathml}</math> here.</p></main></body></html>`
  return /\$\$(.*)\$\$/s.exec((await readWebPage(page, url)).markdown)?.[1]
}

describe('page built by VitePress', () => {
  test('keeps its containers, code, images, formulas and footnotes without the theme', async () => {
    const { title, markdown } = await readWebPage(vitepressBoat, url)
    expect(title).toBe('Boats')
    expect(withoutBytes(markdown))
      .toBe(`Back to [the overview](https://harbour.test/hb/guide/#in-short) or [options](https://harbour.test/hb/options.html).

{% hint style="success" %}
**Own tip \`x\`**

Be quick.
{% endhint %}

{% hint style="danger" %}
It sinks.
{% endhint %}

<details>

<summary>Details</summary>

Folded.

</details>

## Sail at 90%

<pre class="language-diff" data-line-numbers><code class="lang-diff">- const gone = 1
+ const come = 2
<strong>&#x20; const kept = 3
</strong></code></pre>

<figure><img src="data:image/svg+xml" alt="A boat"><figcaption><p>At sea</p></figcaption></figure>

So $$a^2+\\frac{\\alpha}{b}$$ holds[^1].

$$
\\sum_{i=0}^n i
$$

[^1]: Always.
`)
  })

  test('with a hero has its name, its text and its features as a list', async () => {
    const { title, markdown } = await readWebPage(vitepressSite['/hb/'] ?? '', url)
    expect(title).toBe('Harbour')
    expect(markdown).toBe(`All about water

Since 1900

[Start here](https://harbour.test/hb/guide/)

* **Fast**: It sails.
* [Open](https://harbour.test/hb/options.html): It leads on.
`)
  })
})

describe('page built by Docusaurus', () => {
  test('keeps its admonitions, code, images and definition lists without the theme', async () => {
    const { title, markdown } = await readWebPage(docusaurusHull, url)
    expect(title).toBe('Hull')
    expect(withoutBytes(markdown)).toBe(`{% hint style="success" %}
**Own _tip_ \`x\`**

Be quick.
{% endhint %}

## What's below?

{% code title="hull.js" lineNumbers="true" %}
\`\`\`js
const a = 1
const b = 2
\`\`\`
{% endcode %}

<div><figure><img src="data:image/svg+xml" alt="A hull"><figcaption></figcaption></figure> <figure><img src="https://harbour.test/hb/assets/images/plan-761813723ad39ba249a950e0b5752fb5.png" alt="A plan"><figcaption></figcaption></figure></div>

*   **Keel \`k\`**

    What keeps it upright.
`)
  })

  test('has a collapsed category as a heading without a URL', async () => {
    const { navigation } = await readWebPage(docusaurusHull, url)
    expect(navigation).toEqual([
      { title: 'Intro', url: 'https://harbour.test/hb/docs/', children: [] },
      { title: 'Tides', children: [] },
      { title: 'Boats', children: [{ title: 'Hull', url: 'https://harbour.test/hb/docs/hull', children: [] }] },
    ])
  })

  test('is recognized as a listing when it lists the pages with a tag', async () => {
    const tags = await readWebPage(docusaurusSite['/hb/docs/tags/sea'] ?? '', url)
    expect(tags.isListing).toBe(true)
    expect((await readWebPage(docusaurusHull, url)).isListing).toBeUndefined()
  })
})

describe('page built by Starlight', () => {
  test('keeps its hero, file trees and added and removed lines of code', async () => {
    const { title, markdown } = await readWebPage(starlightWelcome, url)
    expect(title).toBe('Welcome')
    expect(markdown)
      .toBe(`<figure><img src="https://harbour.test/hb/_astro/shot.zr_JG_kM_Z2hvkWx.webp" alt="A boat"><figcaption></figcaption></figure>

Boats and tides

[Start](https://harbour.test/hb/start/) [Source](https://github.test/source)

* package.json, which is **important**
* src
  * **Header.astro**
  * …

{% code title="boat.js" overflow="wrap" %}
\`\`\`diff
  const a = 1
+ const b = 2
- const c = 3
\`\`\`
{% endcode %}
`)
  })
})

describe('formula with presentation MathML only', () => {
  test.each([
    ['<msqrt><mi>x</mi><mo>+</mo><mn>10</mn></msqrt>', '\\sqrt{x+10}'],
    ['<mroot><mi>x</mi><mn>3</mn></mroot>', '\\sqrt[3]{x}'],
    ['<mi>sin</mi><mo>\u2061</mo><mi>θ</mi><mi>x</mi>', '\\sin\\theta x'],
    ['<mi>rank</mi><mi>A</mi>', '\\operatorname{rank}A'],
    ['<msubsup><mi>x</mi><mi>i</mi><mn>12</mn></msubsup>', 'x_i^{12}'],
    ['<munder><mi>lim</mi><mrow><mi>n</mi><mo>→</mo><mi>∞</mi></mrow></munder>', '\\lim_{n\\to\\infty}'],
    ['<mover><mi>v</mi><mo>→</mo></mover>', '\\vec{v}'],
    ['<mi mathvariant="double-struck">R</mi>', '\\mathbb{R}'],
    ['<mtext>if </mtext><mi>x</mi>', '\\text{if }x'],
    [
      '<mrow><mo data-mjx-texclass="OPEN">(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mo data-mjx-texclass="CLOSE">)</mo></mrow>',
      '\\left(\\begin{matrix} 1 & 0 \\\\ 0 & 1 \\end{matrix}\\right)',
    ],
  ])('%s is converted to %s', async (mathml, tex) => {
    expect(await formula(mathml)).toBe(tex)
  })
})

test('keeps a small inline image but not a placeholder', async () => {
  const place = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  const { markdown } = await readWebPage(
    `<html><body><main><h1>T</h1><p>One <img src="${place}" alt="none"> and <img src="${place}" srcset="/real.png 1x" alt="late"> and
    <img src="data:text/html;base64,${'A'.repeat(400)}" alt="no picture"> and <img src="data:image/png;base64,${'A'.repeat(400)}" alt="kept">.</p></main></body></html>`,
    url,
  )
  expect(markdown).not.toMatch(/none|no picture|R0lGOD/)
  expect(markdown).toMatch(/https:\/\/harbour\.test\/real\.png/)
  expect(markdown).toMatch(/data:image\/png;base64,A{400}/)
})
