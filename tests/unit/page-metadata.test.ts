import { describe, expect, test } from 'vitest'
import { readPageMetadata } from '../../src/embeds/page-metadata.ts'
import { expectLinear } from '../support/growth.ts'

const head = (...tags: string[]) =>
  `<!doctype html><html lang=en><head>${tags.join('\n')}</head><body><title>no</title>`

describe('the metadata of a page', () => {
  test('is read from Open Graph before other tags', () => {
    const html = head(
      '<title>Document title</title>',
      '<meta name="description" content="Plain">',
      '<meta property="og:title" content="Tom &amp; Jerry&#39;s">',
      "<meta content='Site' property='og:site_name'/>",
      '<META PROPERTY=og:description CONTENT="Graph">',
      '<link rel="shortcut icon" href="/favicon.png">',
    )
    expect(readPageMetadata(html)).toMatchObject({
      title: "Tom & Jerry's",
      siteName: 'Site',
      description: 'Graph',
      icon: '/favicon.png',
    })
  })

  test('falls back to the title and common meta tags', () => {
    const html = head(
      '<base href="https://cdn.example/">',
      '<TITLE>\n  Only &lt;title&gt; </TITLE>',
      '<meta name=description content=Plain>',
      '<meta name="application-name" content="App">',
      '<link rel="apple-touch-icon" href="touch.png">',
    )
    expect(readPageMetadata(html)).toMatchObject({
      title: 'Only <title>',
      siteName: 'App',
      description: 'Plain',
      icon: 'touch.png',
      base: 'https://cdn.example/',
    })
  })

  test('contains the address of oEmbed data as JSON, not as XML', () => {
    const html = head(
      '<link rel="alternate" type="text/xml+oembed" href="/xml">',
      '<link rel="alternate" type="application/json+oembed" href="/json?a=1&amp;b=2">',
    )
    expect(readPageMetadata(html).oembed).toBe('/json?a=1&b=2')
  })

  test.each([
    ['a comment', '<!-- <title>no</title> -->'],
    ['a script', '<script>const a = "<title>no</title></head>"</script>'],
    ['a style', '<style>a::before { content: "<title>no</title>" }</style>'],
    ['an attribute', '<meta name="x" content="</head><title>no</title>">'],
  ])('is not read from %s', (_, before) => {
    expect(readPageMetadata(head(before, '<title>yes</title>')).title).toBe('yes')
  })

  test('is not read from the body', () => {
    expect(
      readPageMetadata('<html><body><title>no</title><meta property="og:title" content="no">').title,
    ).toBeUndefined()
  })

  test.each([
    '',
    '<',
    '<title',
    '<title>',
    '<meta content="',
    '<meta ====',
    '<!--',
    '<script>',
    '<meta a=b',
    '</',
    '<p',
  ])('of the incomplete page %j is empty', (html) => {
    expect(Object.values(readPageMetadata(html)).filter((value) => value !== undefined)).toEqual([])
  })

  test.each([
    ['open tags', '<a'],
    ['tags', '<a>'],
    ['quotes', '<meta a="'],
    ['attributes', ' a=b'],
    ['equals signs', '='],
    ['spaces', ' '],
    ['comments', '<!--'],
    ['closed comments', '<!---->'],
    ['titles', '<title>'],
    ['scripts', '<script></script'],
    ['entities', '<meta content="&amp;">'],
    ['metas', '<meta name=a content=b>'],
  ])('takes time in proportion to the number of %s', async (_, part) => {
    await expectLinear(100_000, (size) => readPageMetadata(`<head><meta ${part.repeat(size / part.length)}`))
    await expectLinear(100_000, (size) => readPageMetadata(`<head>${part.repeat(size / part.length)}`))
  })

  test('is limited to the first tags of a head', () => {
    const many = '<meta name=a content=b>'.repeat(6000)
    expect(readPageMetadata(`<head>${many}<title>no</title>`).title).toBeUndefined()
  })
})
