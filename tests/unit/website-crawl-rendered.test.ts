import { expect, test } from 'vitest'
import { createFetch } from '../../src/fetch/fetch.ts'
import { crawl } from '../../src/website/crawl.ts'
import { readWebPage } from '../../src/website/read-page.ts'
import { toWebsiteFolder } from '../../src/website/website-folder.ts'
import { serveWebsite } from '../support/website-server.ts'
import { docusaurusSite, vitepressSite } from '../support/websites-rendered.ts'

async function importSite(pages: Record<string, string>, start: string) {
  const server = await serveWebsite(pages)
  const site = await crawl(server.url + start, {
    fetch: createFetch({ allowPrivateNetwork: true }),
    read: readWebPage,
    limits: { maxPages: 20, maxSeconds: 60, maxPageBytes: 1_000_000 },
  })
  const { files, images } = await toWebsiteFolder(site, server.url + start)
  const addresses = [...images].map(([path, url]) => [path, url.replace(server.url, '').replace(/;base64,.*/, '')])
  return { site, files, images: Object.fromEntries(addresses) as Record<string, string>, url: server.url }
}

/** Text that only the themes contain. */
const noise =
  /Skip to|On this page|Edit this page|Previous|Next|Copyright|Released|Return to top|Search|Menu|We have|unreleased|Version|Tags|Read more|¶|\u200b/

test('imports a VitePress site in the order of its sidebars and without theme text', async () => {
  const { site, files, images, url } = await importSite(vitepressSite, '/hb/')
  expect(site.problems).toEqual([])
  expect(files.get('SUMMARY.md')).toBe(`# Table of contents

* [Harbour](README.md)

## Guide

* [The guide](guide/README.md "Overview")
* Deep
  * [Boats](guide/boat.md)

***

* [options](options.md "Options")
`)
  expect([...files.keys()].sort()).toEqual([
    'README.md',
    'SUMMARY.md',
    'guide/README.md',
    'guide/boat.md',
    'options.md',
  ])
  expect(files.get('guide/README.md')).toBe(`# The guide

## In short

Go [sailing](boat.md#sail-at-90): <img src="../.gitbook/assets/map.png" alt="A map">
`)
  expect(files.get('guide/boat.md')).toContain('Back to [the overview](./#in-short) or [options](../options.md).')
  expect(files.get('options.md')).toContain('See [boats](guide/boat.md)')
  expect(images).toEqual({
    '.gitbook/assets/map.png': '/hb/assets/map.Bf3k_9aZ.png',
    '.gitbook/assets/image.svg': 'data:image/svg+xml',
  })
  for (const text of files.values()) expect(text).not.toMatch(noise)
  for (const text of files.values()) expect(text).not.toContain(url)
})

test('imports a Docusaurus site whose pages list only their own category', async () => {
  const { site, files, images, url } = await importSite(docusaurusSite, '/hb/docs/')
  expect(site.problems).toEqual([])
  expect(files.get('SUMMARY.md'), 'pages that list tags are left out').toBe(`# Table of contents

* [Intro](README.md)

## Tides

* [Low](low.md)
* [High](high.md)

## Boats

* [Hull](hull.md)
`)
  expect(site.total).toBe(4)
  expect(files.get('README.md')).toBe(`# Intro

See [high tide](high.md#now), [hulls](hull.md#whats-below) and [this](#here).
`)
  expect(files.get('high.md')).toContain('Up, and [back](./).')
  expect(images).toEqual({
    '.gitbook/assets/image.svg': 'data:image/svg+xml',
    '.gitbook/assets/plan.png': '/hb/assets/images/plan-761813723ad39ba249a950e0b5752fb5.png',
  })
  for (const text of files.values()) expect(text).not.toMatch(noise)
  for (const text of files.values()) expect(text).not.toContain(url)
})
