import { hash } from 'node:crypto'
import { parseHTML } from 'linkedom'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertPage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const script = 'alert(1)'

/** Texts that try to break out of the markup around them. */
const hostile = [
  `<script>${script}</script>`,
  `</title></textarea></style></script><script>${script}</script>`,
  `"><img src=x onerror=${script}>`,
  `'><svg/onload=${script}>`,
  `" onmouseover="${script}" x="`,
  `--><script>${script}</script><!--`,
  `]]><script>${script}</script>`,
  `&lt;script&gt;${script}&lt;/script&gt;`,
  '{{constructor.constructor("alert(1)")()}}',
  '\u202Etxt.exe\u2028\u200B',
]

const addresses = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'vbscript:x',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  '//evil.example/',
  '/\\\\evil.example/',
  '/&Tab;/evil.example/',
  '/&#10;/evil.example/',
  '/&#13;&bsol;evil.example/',
  '&#9;//evil.example/',
  'https://example.com/" onclick="alert(1)',
  'https://example.com/?a=<script>&b="c"',
]

const around = (text: string) => {
  const quoted = text.replaceAll('"', '&quot;')
  return [
    text,
    `## ${text}`,
    `* ${text}\n* [ ] ${text}`,
    `> ${text}`,
    `| ${text} | b |\n| --- | --- |\n| ${text} | c |`,
    `\`\`\`html\n${text}\n\`\`\``,
    `\`${text}\``,
    `$$${text}$$`,
    `![${text}](https://example.com/a.png "${text}")`,
    `<figure><img src="https://example.com/a.png" alt="${quoted}"><figcaption>${text}</figcaption></figure>`,
    `{% hint style="${text}" %}\n${text}\n{% endhint %}`,
    `{% tabs %}\n{% tab title="${quoted}" %}\n${text}\n{% endtab %}\n{% endtabs %}`,
    `{% code title="${quoted}" %}\n\`\`\`${text.replace(/\s/g, '')}\n${text}\n\`\`\`\n{% endcode %}`,
    `<details><summary>${text}</summary>${text}</details>`,
    `<a href="#" class="button" data-icon="${quoted}">${text}</a>`,
    `<mark style="color:red;background:url(javascript:alert(1))">${text}</mark>`,
    `\`\`\`mermaid\n${text}\n\`\`\``,
    `<i class="${quoted}">:${text}:</i>`,
    `[^1]\n\n[^1]: ${text}`,
  ].join('\n\n')
}

const leading = (address: string) =>
  [
    `[link](<${address}>)`,
    `![picture](<${address}>)`,
    `{% embed url="${address}" %}\ncaption\n{% endembed %}`,
    `{% content-ref url="${address}" %}\n[x](<${address}>)\n{% endcontent-ref %}`,
    `{% file src="${address}" %}`,
    `<a href="${address}" class="button primary">button</a>`,
    `<a href="${address}">plain</a> <img src="${address}"> <iframe src="${address}"></iframe>`,
    `<table data-view="cards"><thead><tr><th></th><th data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>card</td><td><a href="${address}">x</a></td></tr></tbody></table>`,
  ].join('\n\n')

const known = new Set(['SCRIPT:src', 'SCRIPT:application/ld+json', 'SCRIPT:allowed'])

/** Expects that nothing in a page can run: no unknown script, event handler, unsafe element or unsafe URL. */
async function expectInert(reply: Response, what: string): Promise<Parsed> {
  const found: string[] = []
  const policy = reply.headers.get('content-security-policy') ?? ''
  const { document } = parseHTML(await reply.text())
  for (const element of document.querySelectorAll('*')) {
    const { tagName } = element
    if (tagName === 'SCRIPT' && !known.has(kindOfScript(element, policy))) found.push(element.outerHTML)
    if (/^(OBJECT|EMBED|BASE|FRAME|APPLET)$/.test(tagName)) found.push(element.outerHTML)
    for (const { name, value } of element.attributes)
      if (!isInert(name, value)) found.push(`${tagName} ${name}=${value}`)
  }
  expect([what, found]).toEqual([what, []])
  return document.documentElement
}

function isInert(name: string, value: string): boolean {
  if (!/^[a-z][a-zA-Z\d:-]*$/.test(name) || /^(on|srcdoc)/i.test(name)) return false
  if (!/^(href|src|action|formaction|poster|data|xlink:href|data-src|data-scripts|data-embed)$/.test(name)) return true
  // Browsers ignore leading whitespace of a URL, and tabs and line breaks inside it.
  const address = value.replace(/[\t\n\r]/g, '').trimStart()
  return !/^(javascript:|vbscript:|file:|data:text|[/\\]{2})/i.test(address)
}

type Parsed = ReturnType<typeof parseHTML>['document']['documentElement']

function kindOfScript(element: Parsed, policy: string): string {
  if (element.hasAttribute('src')) return element.textContent === '' ? 'SCRIPT:src' : 'SCRIPT:both'
  const type = element.getAttribute('type')
  if (type !== null) return `SCRIPT:${type}`
  const digest = hash('sha256', element.textContent ?? '', 'base64')
  return policy.includes(`'sha256-${digest}'`) ? 'SCRIPT:allowed' : 'SCRIPT:unknown'
}

test('escapes hostile text in every kind of block and output', async () => {
  const { base } = await publishPages(octavo, [
    insertPage('# Home'),
    ...hostile.map((text, index) =>
      insertPage(around(text), { title: `${index} ${text}`.slice(0, 90), slug: `page-${index}`, description: text }),
    ),
  ])
  for (const index of hostile.keys()) {
    const reply = await fetch(`${base}page-${index}`)
    expect([index, reply.status]).toEqual([index, 200])
    const html = await expectInert(reply, String(index))
    expect(html.querySelectorAll('main h1').length).toBe(1)
  }
  for (const output of ['~search?q=alert', '~search?q=%3Cscript%3E', 'page', '~navigation/x/-'])
    await expectInert(await fetch(base + output), output)
})

test('renders no unsafe URLs from links, images, embeds and other blocks', async () => {
  const { base } = await publishPages(octavo, [
    insertPage('# Home'),
    ...addresses.map((address, index) =>
      insertPage(leading(address), { title: `Page ${index}`, slug: `page-${index}` }),
    ),
  ])
  for (const [index, address] of addresses.entries()) {
    const reply = await fetch(`${base}page-${index}`)
    expect([address, reply.status]).toEqual([address, 200])
    await expectInert(reply, address)
  }
})

test('links to paths never resolve to another host', async () => {
  const urls = [
    '/\t/evil.example/',
    '/\n/evil.example/',
    '/\r\\evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\t//evil.example/',
  ]
  const links = urls.map((url, index) => ({
    operation: 'insert_link' as const,
    title: `Link ${index}`,
    target: { kind: 'url' as const, url },
  }))
  const canonical = { canonical: { kind: 'url' as const, url: '/\t/evil.example/' } }
  const { base } = await publishPages(octavo, [insertPage('# Home', { metaLinks: canonical }), ...links])
  const host = new URL(base).host
  const home = await expectInert(await fetch(base), 'home')
  const elsewhere = [...home.querySelectorAll('[href]')]
    .map((element) => element.getAttribute('href') ?? '')
    .filter((href) => URL.canParse(href, base) && new URL(href, base).host === 'evil.example')
  expect(elsewhere).toEqual([])
  for (const index of urls.keys()) {
    const reply = await fetch(`${base}link-${index}`, { redirect: 'manual' })
    const location = reply.headers.get('location')
    if (location !== null) expect([location, new URL(location, base).host]).toEqual([location, host])
  }
})
