import { expect, test } from 'vitest'
import { parseSummary } from '../../src/content/markdown/summary.ts'
import { RepositoryFiles } from '../../src/content/repository/files.ts'
import type { CrawledSite } from '../../src/website/crawl.ts'
import type { WebNavigationItem, WebPage } from '../../src/website/page.ts'
import { toWebsiteFolder } from '../../src/website/website-folder.ts'
import { urlKeyFromString } from '../../src/website/crawl-scope.ts'

const base = 'https://x.test/docs/'

type Made = Partial<WebPage> & { title: string }

/** Returns a crawled site, with pages by their paths below the base URL. */
function siteOf(pages: Record<string, Made>, more: Partial<CrawledSite> = {}): CrawledSite {
  const read = Object.entries(pages).map(([path, page]): WebPage => ({
    url: base + path,
    markdown: '',
    links: [],
    navigation: [],
    ...page,
  }))
  const urlOfKey = new Map(
    read.flatMap(({ url, canonical }) => [url, canonical ?? url].map((one) => [urlKeyFromString(one), url] as const)),
  )
  return { pages: read, navigation: [], problems: [], total: read.length, isCutShort: false, base, urlOfKey, ...more }
}

const heading = (title: string, ...children: WebNavigationItem[]) => ({ title, children })
const item = (title: string, path: string, ...children: WebNavigationItem[]) => ({
  title,
  url: new URL(path, base).href,
  children,
})

test('writes pages to files whose paths follow their URLs', async () => {
  const { files, sourceOfFile } = await toWebsiteFolder(
    siteOf({
      '': { title: 'Home', markdown: 'Welcome.', description: 'All: about "it"' },
      guide: { title: 'Guide' },
      'guide/install.html': { title: 'Install *it*', markdown: '## Steps\n\n1. One' },
      'api/': { title: 'API' },
    }),
    'https://X.test/docs',
  )
  expect([...files.keys()].sort()).toEqual(['README.md', 'SUMMARY.md', 'api.md', 'guide/README.md', 'guide/install.md'])
  expect(files.get('README.md')).toBe(`---\ndescription: 'All: about "it"'\n---\n\n# Home\n\nWelcome.\n`)
  expect(files.get('guide/install.md')).toBe('# Install \\*it\\*\n\n## Steps\n\n1. One\n')
  expect(sourceOfFile.get('guide/install.md')).toBe(`${base}guide/install.html`)
  expect(sourceOfFile.has('SUMMARY.md')).toBe(false)
})

test('file names are safe and differ in more than case', async () => {
  const paths = [
    '',
    'README',
    'summary.html',
    'Guide',
    'guide',
    'guide.html',
    'caf%C3%A9',
    'a%20b%23c',
    '.hidden/x',
    '%2e%2e%2fup',
    'x'.repeat(300),
    'sub/readme',
    'sub/x',
    '%00',
    'v1.2',
    'bad%zz',
  ]
  const { files } = await toWebsiteFolder(
    siteOf(Object.fromEntries(paths.map((path) => [path, { title: path }]))),
    base,
  )
  const names = [...files.keys()]
  expect(names).toHaveLength(paths.length + 1)
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[^.\s#?%\\:/][^\s#?%\\:/]*(\/[^.\s#?%\\:/][^\s#?%\\:/]*)*\.md$/)
  expect(names).toEqual(expect.arrayContaining(['café.md', 'a-b-c.md', 'v1.2.md', 'Guide.md']))
  expect(names.filter((name) => /(^|\/)readme\.md$/i.test(name))).toEqual(['README.md'])
  // Each file is found by its own name in a repository.
  const found = new RepositoryFiles(names)
  for (const name of names) expect(found.findPage(name)).toBe(name)
})

test('links between pages become relative paths with fragments, and other links are kept', async () => {
  const site = siteOf({
    '': { title: 'Home', markdown: `[guide](${base}guide/) and [part](${base}guide#part)` },
    guide: { title: 'Guide', canonical: `${base}guide-canonical` },
    'guide/deep/x.html': {
      title: 'X',
      markdown: [
        `[up](${base}?utm=1) [canonical](${base}guide-canonical#a) [old](${base}old-x#b) [self](${base}guide/deep/x.html#c)`,
        `[here](#d) [away](https://y.test/docs/guide?q=1#e) [unread](${base}unread) [mail](mailto:a@y.test)`,
        `<a href="${base}guide" class="button primary">Go</a>`,
        `{% content-ref url="${base}guide" %}\n[guide](${base}guide)\n{% endcontent-ref %}`,
        `\`\`\`\n[guide](${base}guide)\n\`\`\``,
        `\`${base}guide\``,
      ].join('\n\n'),
    },
  })
  const urlOfKey = new Map([...site.urlOfKey, [`${base}old-x`, `${base}guide/deep/x.html`]])
  const { files } = await toWebsiteFolder({ ...site, urlOfKey }, base)
  expect(files.get('README.md')).toContain('[guide](guide-canonical.md) and [part](guide-canonical.md#part)')
  const text = files.get('guide/deep/x.md') ?? ''
  expect(text).toContain('[up](../../) [canonical](../../guide-canonical.md#a) [old](#b) [self](#c)')
  expect(text).toContain(
    `[here](#d) [away](https://y.test/docs/guide?q=1#e) [unread](${base}unread) [mail](mailto:a@y.test)`,
  )
  expect(text).toContain('href="../../guide-canonical.md"')
  expect(text).toContain('{% content-ref url="../../guide-canonical.md" %}')
  expect(text).toContain(`\`\`\`\n[guide](${base}guide)\n\`\`\``)
  expect(text).toContain(`\`${base}guide\``)
})

test('images become assets, each once, and inline images are dropped', async () => {
  const { files, images } = await toWebsiteFolder(
    siteOf({
      '': {
        title: 'Home',
        markdown: '![Logo](https://cdn.test/i/Logo.PNG?v=1)\n\nText ![](https://cdn.test/i/Logo.PNG?v=1) here',
      },
      'a/b': {
        title: 'B',
        markdown: [
          '<figure><picture><source srcset="https://cdn.test/dark/logo.png" media="(prefers-color-scheme: dark)"><img src="https://cdn.test/light/logo.png" alt=""></picture></figure>',
          '![](data:image/png;base64,AAAA)',
          '![](https://cdn.test/render?id=5) ![](data:image/png;base64,BBBB)',
          `[picture](https://cdn.test/i/Logo.PNG?v=1)`,
        ].join('\n\n'),
      },
    }),
    base,
  )
  expect(Object.fromEntries(images)).toEqual({
    '.gitbook/assets/Logo.PNG': 'https://cdn.test/i/Logo.PNG?v=1',
    '.gitbook/assets/logo-1.png': 'https://cdn.test/light/logo.png',
    '.gitbook/assets/logo-2.png': 'https://cdn.test/dark/logo.png',
    '.gitbook/assets/render': 'https://cdn.test/render?id=5',
  })
  expect(files.get('README.md')?.match(/\.gitbook\/assets\/Logo\.PNG/g)).toHaveLength(2)
  const text = files.get('a/b.md') ?? ''
  expect(text).toContain('src="../.gitbook/assets/logo-1.png"')
  expect(text).toContain('srcset="../.gitbook/assets/logo-2.png"')
  expect(text).toContain('[picture](https://cdn.test/i/Logo.PNG?v=1)')
  expect(text).not.toContain('data:')
})

test('the table of contents follows the navigation and also lists the other pages', async () => {
  const pages = {
    '': { title: 'Welcome to X' },
    guide: { title: 'Guide' },
    'guide/install': { title: 'Install' },
    'guide/unlisted': { title: 'Unlisted' },
    api: { title: 'API' },
    'api/calls': { title: 'Calls' },
    other: { title: 'Other' },
  }
  const navigation = [
    item('Start', ''),
    heading('Learn', item('Guide', 'guide', item('Install', 'guide/install#top'), item('Not read', 'lost'))),
    heading(
      'Reference',
      heading('HTTP', item('Calls', 'api/calls'), item('Guide again', 'guide')),
      heading('Nothing', item('Lost', 'lost/2')),
    ),
    item('API', 'api'),
    item('Blog', 'https://blog.test/'),
    heading('Empty'),
  ]
  const { files } = await toWebsiteFolder(siteOf(pages, { navigation }), base)
  expect(files.get('SUMMARY.md')).toBe(
    [
      '# Table of contents',
      '',
      '* [Welcome to X](README.md "Start")',
      '',
      '## Learn',
      '',
      '* [Guide](guide/README.md)',
      '  * [Install](guide/install.md)',
      '  * [Unlisted](guide/unlisted.md)',
      '',
      '## Reference',
      '',
      '* HTTP',
      '  * [Calls](api/calls.md)',
      '',
      '***',
      '',
      '* [API](api/README.md)',
      '* [Blog](https://blog.test/)',
      '* [Other](other.md)',
      '',
    ].join('\n'),
  )
  expect(parseSummary(files.get('SUMMARY.md') ?? '').problems).toEqual([])
})

test('without a navigation, the table of contents is nested by URL, with the start page first', async () => {
  const { files } = await toWebsiteFolder(
    siteOf({ '': { title: 'Home' }, b: { title: 'B' }, 'b/c/d': { title: 'D' }, 'x/y': { title: '' } }),
    base,
  )
  const { entries, problems } = parseSummary(files.get('SUMMARY.md') ?? '')
  expect(problems).toEqual([])
  expect(entries).toMatchObject([
    { path: 'README.md' },
    { path: 'b/README.md', children: [{ path: 'b/c/d.md' }] },
    { path: 'x/y.md', title: 'y' },
  ])
})

test('front matter and headings in the text of a page are kept as content', async () => {
  const { files } = await toWebsiteFolder(
    siteOf({
      '': { title: 'Home', markdown: '---\nhidden: true\n---\n\ntext' },
      a: { title: 'A', markdown: '# Another\n\ntext' },
    }),
    base,
  )
  expect(files.get('README.md')).toMatch(/^# Home\n/)
  expect(files.get('README.md')).toContain('hidden: true')
  expect(files.get('a.md')).toBe('# A\n\n## Another\n\ntext\n')
})
