import { describe, expect, test } from 'vitest'
import type { Embed, File, Image, ImageData, Images } from '../../src/content/document/nodes.ts'
import { findEmbedPlayer, frameOrigins } from '../../src/content/document/embed-players.ts'
import type { ResolvedEmbed } from '../../src/render/render-context.ts'
import { markup } from '../../src/render/html.ts'
import { renderDrawing, renderEmbed, renderFile, renderImages } from '../../src/render/media.ts'
import type { RenderContext, ResolvedFile } from '../../src/render/render-context.ts'
import { english } from '../../src/render/texts/english.ts'

const files: Record<string, ResolvedFile> = {
  large: picture('large.png', 2400, 1200),
  medium: picture('medium.png', 1200, 800),
  small: picture('small.png', 300, 200),
  night: picture('night.png', 2400, 1200),
  drawing: { url: '/files/drawing.svg', name: 'drawing.svg', dimensions: { width: 800, height: 600 } },
  manual: { url: '/files/manual.pdf?signature=x', name: 'The <manual>.pdf', size: 1_234_567 },
}

function picture(name: string, width: number, height: number): ResolvedFile {
  const url = `/files/${name}?signature=x`
  return { url, name, dimensions: { width, height }, resizedUrl: (wanted) => `${url}&width=${wanted}` }
}

/** Returns a setting with the parts that images need. */
function aSetting(): RenderContext {
  let pictures = 0
  const setting: Partial<RenderContext> = {
    texts: english,
    resolveFile: (ref) => (ref.kind === 'file' ? files[ref.file] : { url: ref.url, name: ref.url }),
    icon: (name) => markup`<svg data-icon="${name}"></svg>`,
    isFirstPicture: () => pictures++ === 0,
  }
  return setting as RenderContext
}

const image = (file: string, data: Partial<ImageData> = {}): Image => ({
  object: 'block',
  type: 'image',
  isVoid: true,
  data: { ref: { kind: 'file', file }, ...data },
})

const images = (nodes: Image[], data: NonNullable<Images['data']> = {}): Images => ({
  object: 'block',
  type: 'images',
  data,
  nodes,
})

const shown = (block: Images, setting = aSetting()) => renderImages(block, setting, () => undefined).text
const attribute = (text: string, name: string) =>
  new RegExp(` ${name}="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&')

describe('images', () => {
  test('have a srcset of several widths, and their dimensions', () => {
    const text = shown(images([image('large', { alt: 'A "plan"' })]))
    expect(attribute(text, 'src')).toBe('/files/large.png?signature=x')
    expect(attribute(text, 'srcset')).toBe(
      [480, 960, 1536].map((width) => `/files/large.png?signature=x&width=${width} ${width}w`).join(', '),
    )
    expect(attribute(text, 'sizes')).toBe('(max-width: 48rem) 100vw, 46rem')
    expect([attribute(text, 'width'), attribute(text, 'height')]).toEqual(['2400', '1200'])
    expect(attribute(text, 'alt')).toBe('A &quot;plan&quot;')
    expect(text).toContain(' data-zoom')
  })

  test('of medium size are part of their own srcset, and small images and SVGs have none', () => {
    expect(attribute(shown(images([image('medium')])), 'srcset')).toMatch(
      /960w, \/files\/medium\.png\?signature=x 1200w$/,
    )
    const small = shown(images([image('small')]))
    expect(small).not.toContain('srcset')
    expect(small).not.toContain('data-zoom')
    expect(shown(images([image('drawing')]))).not.toContain('srcset')
  })

  test('are loaded lazily, except for the first one', () => {
    const setting = aSetting()
    const [first, second] = [shown(images([image('large')]), setting), shown(images([image('large')]), setting)]
    expect(first).toContain('fetchpriority="high"')
    expect(first).not.toContain('lazy')
    expect(second).toContain('loading="lazy"')
    expect(second).not.toContain('fetchpriority')
  })

  test('for light and dark mode are both lazy and shown by class', () => {
    const text = shown(images([image('large', { refDark: { kind: 'file', file: 'night' } })]))
    const [light = '', dark = ''] = text.match(/<img[^>]*>/g) ?? []
    expect(attribute(light, 'class')).toBe('only-light')
    expect(attribute(dark, 'class')).toBe('only-dark')
    expect(attribute(dark, 'src')).toContain('night.png')
    expect([light, dark].every((one) => one.includes('loading="lazy"'))).toBe(true)
  })

  test('have the given width and height, and ignore invalid units', () => {
    const style = (data: Partial<ImageData>) => attribute(shown(images([image('large', data)])), 'style')
    expect(style({ width: 300 })).toBe('width:300px')
    expect(style({ width: { value: 50, unit: '%' } })).toBe('width:50%')
    expect(style({ height: 200 })).toBe('width:auto;height:200px')
    expect(style({ width: { value: 1, unit: 'px;background:url(//evil)' } })).toBeUndefined()
    expect(style({ width: Number.NaN })).toBeUndefined()
    const sizes = (data: Partial<ImageData>) => attribute(shown(images([image('large', data)])), 'sizes')
    expect(sizes({ width: 300 })).toBe('(max-width: 48rem) 100vw, min(46rem, 300px)')
    expect(sizes({ width: { value: 50, unit: '%' } })).toBe('(max-width: 48rem) 100vw, calc(46rem * 0.5)')
    expect(attribute(shown(images([image('large'), image('large')])), 'sizes')).toContain('23rem')
    expect(attribute(shown(images([image('large')], { fullWidth: true })), 'sizes')).toContain('64rem')
  })

  test('from other servers have the given dimensions', () => {
    const ref = { kind: 'url', url: 'https://a.test/x.png' } as const
    const text = shown(images([image('', { ref, width: 640, height: 360 })]))
    expect([attribute(text, 'width'), attribute(text, 'height')]).toEqual(['640', '360'])
    expect(text).not.toContain('srcset')
  })

  test('have captions, frames and alignment, and a missing image is replaced by its text', () => {
    const block = images([image('gone', { alt: 'The <plan>' })], { align: 'left', withFrame: true })
    const text = renderImages(block, aSetting(), () => markup`Words`).text
    expect(text).toBe(
      '<div class="images align-left framed"><figure class="missing"><span>The &lt;plan&gt;</span><figcaption>Words</figcaption></figure></div>',
    )
    expect(renderDrawing({ object: 'block', type: 'drawing', isVoid: true, data: {} }, aSetting()).text).toContain(
      'missing',
    )
  })
})

test('a file has a download name, a type and a size', () => {
  const file: File = { object: 'block', type: 'file', isVoid: true, data: { ref: { kind: 'file', file: 'manual' } } }
  const { text } = renderFile(file, aSetting(), () => undefined)
  expect(attribute(text, 'download')).toBe('The &lt;manual&gt;.pdf')
  expect(text).toContain('PDF · 1.2 MB')
})

const player = (address: string) => findEmbedPlayer(new URL(address))?.url
const embed = (url: string): Embed => ({ object: 'block', type: 'embed', isVoid: true, data: { url } })
const card = (url: string) => renderEmbed(embed(url), aSetting(), () => undefined).text
const describedCard = (url: string, found: ResolvedEmbed) =>
  renderEmbed(embed(url), { ...aSetting(), findEmbed: () => found }, () => undefined).text

describe('an embed', () => {
  test('uses the player of a known site', () => {
    const known: [string, string][] = [
      ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
      ['https://youtu.be/dQw4w9WgXcQ?t=1m30s', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90'],
      ['https://www.youtube.com/shorts/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
      ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
      ['https://vimeo.com/76979871/abcdef0123', 'https://player.vimeo.com/video/76979871?h=abcdef0123&dnt=1'],
      [`https://www.loom.com/share/${'0a'.repeat(16)}?sid=1`, `https://www.loom.com/embed/${'0a'.repeat(16)}`],
      ['https://codepen.io/jane/pen/abcDEF', 'https://codepen.io/jane/embed/abcDEF?default-tab=result'],
      [
        'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC',
        'https://open.spotify.com/embed/track/4uLU6hMCjMI75M1A2tKUQC',
      ],
      [
        'https://www.figma.com/design/abcdefghijklmnopqrstuv/My-file?node-id=1-2&t=secret',
        'https://embed.figma.com/design/abcdefghijklmnopqrstuv?embed-host=octavo&node-id=1-2',
      ],
      [
        'https://drive.google.com/file/d/1A2b3C4d5E6f7G8h9I0jK/view',
        'https://drive.google.com/file/d/1A2b3C4d5E6f7G8h9I0jK/preview',
      ],
      [
        'https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jK/edit?usp=sharing#heading=h.1',
        'https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jK/preview',
      ],
      [
        'https://docs.google.com/document/d/e/2PACX-1A2b3C4d5E6f7G8h9I0jK/pub',
        'https://docs.google.com/document/d/e/2PACX-1A2b3C4d5E6f7G8h9I0jK/pub?embedded=true',
      ],
      [
        'https://docs.google.com/spreadsheets/d/1A2b3C4d5E6f7G8h9I0jK/edit',
        'https://docs.google.com/spreadsheets/d/1A2b3C4d5E6f7G8h9I0jK/preview',
      ],
      [
        'https://docs.google.com/spreadsheets/d/e/2PACX-1A2b3C4d5E6f7G8h9I0jK/pubhtml',
        'https://docs.google.com/spreadsheets/d/e/2PACX-1A2b3C4d5E6f7G8h9I0jK/pubhtml?widget=true',
      ],
      [
        'https://docs.google.com/presentation/d/1A2b3C4d5E6f7G8h9I0jK/edit',
        'https://docs.google.com/presentation/d/1A2b3C4d5E6f7G8h9I0jK/embed',
      ],
      [
        'https://docs.google.com/forms/d/e/1FAIpQLSc-1A2b3C4d5E6f7G8h9/viewform',
        'https://docs.google.com/forms/d/e/1FAIpQLSc-1A2b3C4d5E6f7G8h9/viewform?embedded=true',
      ],
      [
        'https://www.google.com/maps/embed?pb=!1m14!1m12!1m3!1d2624.9!2d2.3!3d48.8',
        'https://www.google.com/maps/embed?pb=!1m14!1m12!1m3!1d2624.9!2d2.3!3d48.8',
      ],
      ['https://x.com/user/status/20?s=1', 'https://platform.twitter.com/embed/Tweet.html?dnt=true&id=20'],
      ['https://twitter.com/user/status/20', 'https://platform.twitter.com/embed/Tweet.html?dnt=true&id=20'],
    ]
    for (const [address, url] of known) {
      expect(player(address)).toBe(url)
      expect(frameOrigins).toContain(new URL(url).origin)
    }
  })

  test('has no player for an unknown or suspicious URL', () => {
    for (const address of [
      'http://www.youtube.com/watch?v=dQw4w9WgXcQ',
      'https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ',
      'https://youtube.com.evil.test/watch?v=dQw4w9WgXcQ',
      'https://evil.test/?https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      'https://www.youtube.com/watch?v=dQw4w9WgXc%22%3E',
      'https://www.youtube.com/redirect?q=https://evil.test',
      'https://codepen.io/jane/pen/a%2F..%2F..',
      'https://vimeo.com/ondemand/x',
      'https://www.figma.com/design/../../x',
      'https://www.google.com/search?q=a',
      'https://www.google.com/maps/embed?pb=%22%3E%3Cscript%3Eaaaa',
      'https://www.google.com/maps/place/Paris',
      'https://docs.google.com/document/d/short/edit',
      'https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jK/../../x',
      'https://x.com/user',
      'https://x.com/user/status/abc',
      'https://platform.twitter.com/embed/Tweet.html?id=1%26a%3Db',
      'https://github.com/a/b',
    ])
      expect(player(address), address).toBeUndefined()
  })

  test('requests nothing from its site before it is opened', () => {
    for (const text of [card('https://youtu.be/dQw4w9WgXcQ'), card('https://github.com/a/b')])
      expect(text).not.toMatch(/<(?:iframe|img|script|link|video)\b/)
    expect(attribute(card('https://youtu.be/dQw4w9WgXcQ'), 'data-embed')).toBe(
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    )
    expect(attribute(card('https://youtu.be/dQw4w9WgXcQ'), 'href')).toBe('https://youtu.be/dQw4w9WgXcQ')
    expect(card('https://github.com/a/b')).not.toContain('data-embed')
  })

  test('shows the stored title, description and website, and always the URL', () => {
    const linked = describedCard('https://www.example.com/a', { title: '<b>', site: 'éxample', description: 'About' })
    expect(linked).toContain('<span class="embed-site" aria-hidden="true">É</span>')
    expect(linked).toContain('<strong>&lt;b&gt;</strong><small class="embed-about">About</small>')
    expect(linked).toContain('<small>éxample · example.com/a</small>')
    expect(describedCard('https://www.example.com/a', { title: 'T', site: 'example.com' })).toContain(
      '<small>example.com/a</small>',
    )
    const played = describedCard('https://youtu.be/dQw4w9WgXcQ', { title: 'A song', site: 'YouTube' })
    expect(played).toContain('<strong>A song</strong><small>Load content from YouTube</small>')
    expect(attribute(played, 'data-title')).toBe('A song')
    const url = 'https://fast.wistia.net/embed/iframe/abcdefghij'
    const framed = { title: 'T', site: 'Film', player: url }
    expect(attribute(describedCard('https://film.example.com/', framed), 'data-embed')).toBe(url)
    const refused = { title: 'T', site: 'S', player: 'https://evil.example/frame' }
    expect(describedCard('https://film.example.com/', refused)).not.toContain('data-embed')
  })

  test('is text only when its URL is not http(s)', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'not an address', '//x'])
      expect(card(url)).not.toContain('href')
    expect(card('https://a.test/"><script>')).not.toContain('<script>')
  })
})
