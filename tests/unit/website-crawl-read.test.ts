import { expect, test } from 'vitest'
import { createFetch } from '../../src/fetch/fetch.ts'
import { crawl } from '../../src/website/crawl.ts'
import { readWebPage } from '../../src/website/read-page.ts'
import { toWebsiteFolder } from '../../src/website/website-folder.ts'
import { serveWebsite } from '../support/website-server.ts'

/** Returns a page with the layout of a typical documentation site. */
const page = (
  title: string,
  content: string,
) => `<!doctype html><html lang="en"><head><title>${title} | X</title></head>
  <body><header><a href="/docs/">X</a></header>
  <nav class="sidebar" aria-label="Docs"><ul><li><a href="/docs/">Welcome</a></li>
  <li><a href="/docs/guide.html">Guide</a></li><li><a href="/docs/faq.html">Questions</a></li></ul></nav>
  <main><article><h1>${title}</h1>${content}</article></main></body></html>`

test('crawls a site with the real page reader and writes links between pages as paths', async () => {
  const { url } = await serveWebsite({
    '/docs/': page(
      'Welcome',
      '<p>See the <a href="guide.html#first-steps">guide</a>, which says more than this page.</p>',
    ),
    '/docs/guide.html': page(
      'Guide',
      '<h2 id="first-steps">First steps</h2><p>Look:</p><img src="/shot.png" alt="A shot"><pre><code>&lt;a href="/docs/"></code></pre>',
    ),
    '/docs/faq.html': page('Questions', '<p>Back to the <a href="./">start</a> of everything.</p>'),
  })
  const site = await crawl(`${url}/docs/`, {
    fetch: createFetch({ allowPrivateNetwork: true }),
    read: readWebPage,
    limits: { maxPages: 10, maxSeconds: 60, maxPageBytes: 100_000 },
  })
  const { files, images } = await toWebsiteFolder(site, `${url}/docs/`)
  expect([...files.keys()].sort()).toEqual(['README.md', 'SUMMARY.md', 'faq.md', 'guide.md'])
  expect(files.get('SUMMARY.md')).toMatch(/README\.md.*\n.*guide\.md.*\n.*faq\.md/)
  expect(files.get('README.md')).toContain('[guide](guide.md#first-steps)')
  expect(files.get('faq.md')).toContain('[start](./)')
  expect(files.get('guide.md')).toContain('.gitbook/assets/shot.png')
  expect(files.get('guide.md')).toContain('<a href="/docs/">')
  expect([...images.values()]).toEqual([`${url}/shot.png`])
})
