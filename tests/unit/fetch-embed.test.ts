import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fetchEmbed } from '../../src/embeds/fetch-embed.ts'
import { renderPlayerHtml } from '../../src/embeds/player-html.ts'
import { FetchError } from '../../src/fetch/errors.ts'
import { type Fetch, type FetchResponse, createFetch } from '../../src/fetch/fetch.ts'

interface Reply {
  status?: number
  contentType?: string
  body?: string | Uint8Array
  url?: string
}

/** Returns a client that knows these addresses, and the addresses that were requested. */
function createWeb(replies: Record<string, Reply | FetchError>) {
  const requested: string[] = []
  let bytesRead = 0
  const fetch: Pick<Fetch, 'get'> = {
    async get(address): Promise<FetchResponse> {
      requested.push(address)
      const reply = replies[address] ?? { status: 404 }
      if (reply instanceof FetchError) throw reply
      const { status = 200, contentType = 'text/html; charset=utf-8', body = '', url = address } = reply
      const bytes = Buffer.from(body)
      async function* chunks() {
        for (let start = 0; start < bytes.length; start += 16_384) {
          const chunk = bytes.subarray(start, start + 16_384)
          bytesRead += chunk.length
          yield chunk
        }
      }
      return { status, contentType, retryAfter: undefined, headers: [], url, body: chunks(), discard: () => undefined }
    },
  }
  return {
    requested,
    bytesRead: () => bytesRead,
    embed: (address: string) => fetchEmbed(fetch as Fetch, new URL(address), new AbortController().signal),
  }
}

const oembed = (values: object): Reply => ({ contentType: 'application/json', body: JSON.stringify(values) })
const page = (head: string): Reply => ({ body: `<html><head>${head}</head><body>` })
const video = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
const videoData = `https://www.youtube.com/oembed?format=json&url=${encodeURIComponent(video)}`

describe('known providers', () => {
  test('are asked for oEmbed data, and the page is not fetched', async () => {
    const web = createWeb({ [videoData]: oembed({ title: 'A song', provider_name: 'YouTube', html: '<script>' }) })
    expect(await web.embed(video)).toEqual({
      kind: 'found',
      isPartial: false,
      data: { title: 'A song', site: 'YouTube' },
    })
    expect(web.requested).toEqual([videoData])
  })

  test('have no data of a video that does not exist', async () => {
    expect(await createWeb({ [videoData]: { status: 404 } }).embed(video)).toEqual({ kind: 'absent' })
  })

  test.each([
    ['refuses', { status: 429 }],
    ['returns no JSON', { body: '<html>' }],
    ['returns a list', { body: '[]' }],
    ['returns null', { body: 'null' }],
    ['cannot be reached', new FetchError('timeout', 'The host did not respond in time')],
  ] as const)('have the name of the provider as the title if it %s', async (_, reply) => {
    const found = await createWeb({ [videoData]: reply }).embed(video)
    expect(found).toMatchObject({ kind: 'found', data: { site: 'YouTube' } })
  })

  test.each([
    ['https://x.com/user/status/20', 'https://publish.twitter.com/oembed?omit_script=true&dnt=true&url='],
    ['https://vimeo.com/76979871', 'https://vimeo.com/api/oembed.json?url='],
    ['https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC', 'https://open.spotify.com/oembed?url='],
    ['https://www.loom.com/share/0123456789abcdef0123456789abcdef', 'https://www.loom.com/v1/oembed?url='],
    ['https://www.figma.com/design/abcdefghijklmnopqrstuv/Title', 'https://www.figma.com/api/oembed?url='],
    ['https://codepen.io/team/pen/PNaGbb', 'https://codepen.io/api/oembed?format=json&url='],
  ])('include the one of %s', async (address, endpoint) => {
    const web = createWeb({ [endpoint + encodeURIComponent(address)]: oembed({ author_name: 'An author' }) })
    expect(await web.embed(address)).toMatchObject({ kind: 'found', data: { title: 'An author' } })
  })

  test('are not asked about other pages of their site', async () => {
    const address = 'https://www.youtube.com/about'
    const web = createWeb({ [address]: page('<title>About</title>') })
    expect(await web.embed(address)).toMatchObject({ data: { title: 'About', site: 'youtube.com' } })
    expect(web.requested).toEqual([address])
  })
})

describe('other pages', () => {
  const address = 'https://www.example.com/docs/page'

  test('are described by their metadata', async () => {
    const reply = page(
      '<title>T</title><meta property="og:site_name" content="Example"><meta name=description content="About it">' +
        '<link rel=icon href="/i.svg">',
    )
    expect(await createWeb({ [address]: reply }).embed(address)).toEqual({
      kind: 'found',
      isPartial: false,
      data: { title: 'T', site: 'Example', description: 'About it', icon: 'https://www.example.com/i.svg' },
    })
  })

  test('are described by the oEmbed data that they name', async () => {
    const link = '<link rel=alternate type="application/json+oembed" href="/oembed?format=json">'
    const web = createWeb({
      [address]: page(`<title>T</title><meta name=description content="D">${link}`),
      'https://www.example.com/oembed?format=json': oembed({
        title: 'From oEmbed',
        html: '<div><iframe width="1" src="https://fast.wistia.net/embed/iframe/abcdefghij?x=1&amp;y=2"></iframe><script>x()</script></div>',
      }),
    })
    expect(await web.embed(address)).toMatchObject({
      data: {
        title: 'From oEmbed',
        site: 'example.com',
        description: 'D',
        player: 'https://fast.wistia.net/embed/iframe/abcdefghij',
      },
    })
  })

  test.each([
    '<iframe src="https://evil.example/frame"></iframe>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe src="//youtube-nocookie.com.evil.example/embed/dQw4w9WgXcQ"></iframe>',
    '<script src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"></script>',
    '<iframe src="http://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"></iframe>',
  ])('have no player if the oEmbed data contains %s', async (html) => {
    const link = '<link rel=alternate type="application/json+oembed" href="/oembed">'
    const web = createWeb({ [address]: page(link), 'https://www.example.com/oembed': oembed({ html }) })
    expect(await web.embed(address)).toMatchObject({ kind: 'found', data: { player: undefined } })
  })

  test('keep their metadata if the oEmbed data cannot be read', async () => {
    const link = '<link rel=alternate type="application/json+oembed" href="http://10.0.0.1/oembed">'
    const web = createWeb({
      [address]: page(`<title>T</title>${link}`),
      'http://10.0.0.1/oembed': new FetchError('host', 'The host was not found'),
    })
    expect(await web.embed(address)).toMatchObject({ data: { title: 'T' } })
  })

  test('without a title have one from their URL', async () => {
    const file = 'https://example.com/files/Annual%20report.pdf'
    const web = createWeb({ [address]: page(''), [file]: { contentType: 'application/pdf', body: '%PDF' } })
    expect(await web.embed(address)).toMatchObject({ isPartial: false, data: { title: 'example.com/docs/page' } })
    expect(await web.embed(file)).toMatchObject({ isPartial: false, data: { title: 'Annual report.pdf' } })
    expect(web.bytesRead()).toBeLessThan(1000)
  })

  test.each([401, 403, 429, 500, 503])('with the status %i exist without a description', async (status) => {
    const found = await createWeb({ [address]: { status, body: '<title>Error</title>' } }).embed(address)
    expect(found).toMatchObject({ kind: 'found', isPartial: true, data: { title: 'example.com/docs/page' } })
  })

  test.each([404, 410])('with the status %i do not exist', async (status) => {
    expect(await createWeb({ [address]: { status } }).embed(address)).toEqual({ kind: 'absent' })
  })

  test('that cannot be reached have no data', async () => {
    const web = createWeb({ [address]: new FetchError('host', 'The host was not found or has a private address') })
    expect(await web.embed(address)).toEqual({ kind: 'unreachable' })
  })

  test('are read until the end of their head, and at most 1 MB', async () => {
    const body = `<head><title>Long</title>${' '.repeat(40_000)}</head>${'x'.repeat(50 * 1024 ** 2)}`
    const short = createWeb({ [address]: { body } })
    expect(await short.embed(address)).toMatchObject({ data: { title: 'Long' } })
    expect(short.bytesRead()).toBeLessThan(64 * 1024)
    const endless = createWeb({ [address]: { body: `<head><title>Long</title>${' '.repeat(50 * 1024 ** 2)}` } })
    expect(await endless.embed(address)).toMatchObject({ data: { title: 'Long' } })
    expect(endless.bytesRead()).toBeLessThanOrEqual(1024 ** 2)
  })

  test('are decoded with their encoding', async () => {
    const body = Buffer.from('<title>Z\xfcrich</title>', 'latin1')
    const web = createWeb({ [address]: { contentType: 'text/html; charset=iso-8859-1', body } })
    expect(await web.embed(address)).toMatchObject({ data: { title: 'Zürich' } })
  })

  test('have short texts without control characters and changes of direction', async () => {
    const web = createWeb({
      [address]: page(
        `<title>A\u202eb\u0007c \n ${'x'.repeat(4000)}</title><meta property=og:site_name content="${'s'.repeat(900)}">`,
      ),
    })
    const found = await web.embed(address)
    const { title, site } = found.kind === 'found' ? found.data : { title: '', site: '' }
    expect(title).toMatch(/^Ab c x{10,}…$/)
    expect([title.length, site.length]).toEqual([200, 80])
  })

  test.each(['http://example.com/i.png', 'data:image/png;base64,AAAA', 'javascript:alert(1)', `/${'a'.repeat(3000)}`])(
    'have no icon with the address %s',
    async (href) => {
      const web = createWeb({ [address]: page(`<title>T</title><link rel=icon href="${href}">`) })
      expect(await web.embed(address)).toMatchObject({ data: { icon: undefined } })
    },
  )
})

/** Serves a public website on 127.0.0.1 and a private one on 127.0.0.2, on the same port. */
async function serveBoth(
  respond: (port: number) => { status: number; headers?: Record<string, string>; body?: string },
) {
  const requestedPaths: string[] = []
  const secret = createServer((request, reply) => {
    requestedPaths.push(request.url ?? '')
    reply.writeHead(200, { 'content-type': 'text/html' }).end('<title>Secret</title>')
  })
  await new Promise<void>((listening) => secret.listen(0, '127.0.0.2', listening))
  const { port } = secret.address() as AddressInfo
  const open = createServer((_, reply) => {
    const { status, headers = {}, body } = respond(port)
    reply.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
  })
  await new Promise<void>((listening) => open.listen(port, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const server of [secret, open]) {
      server.closeAllConnections()
      server.close()
    }
  })
  const fetch = createFetch({ allowPrivateNetwork: false, isPublic: (address) => address === '127.0.0.1' })
  const embed = () => fetchEmbed(fetch, new URL(`http://127.0.0.1:${port}/`), new AbortController().signal)
  return { requestedPaths, embed }
}

describe('private addresses', () => {
  test('are not contacted after a redirect', async () => {
    const { requestedPaths, embed } = await serveBoth((port) => ({
      status: 302,
      headers: { location: `http://127.0.0.2:${port}/` },
    }))
    expect(await embed()).toEqual({ kind: 'unreachable' })
    expect(requestedPaths).toEqual([])
  })

  test('are not contacted for oEmbed data', async () => {
    const { requestedPaths, embed } = await serveBoth((port) => ({
      status: 200,
      body: `<title>Open</title><link rel=alternate type="application/json+oembed" href="http://127.0.0.2:${port}/">`,
    }))
    expect(await embed()).toMatchObject({ kind: 'found', data: { title: 'Open' } })
    expect(requestedPaths).toEqual([])
  })
})

describe('the HTML of a player', () => {
  test('is a sandboxed frame with the address of the player and the escaped title', () => {
    const html = renderPlayerHtml(`${video}&t=90`, 'A "title" <b>') ?? ''
    expect(html).toContain('src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90"')
    expect(html).toContain('title="A &quot;title&quot; &lt;b&gt;"')
    expect(html).toContain('sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"')
    expect(html).toMatch(/^<iframe [^<>]*><\/iframe>$/)
  })

  test.each(['https://example.com/', 'http://youtu.be/dQw4w9WgXcQ', 'not a URL'])('does not exist for %s', (url) => {
    expect(renderPlayerHtml(url, 'T')).toBeUndefined()
  })

  test('is the same for the address of the player itself', () => {
    for (const url of [video, 'https://vimeo.com/76979871/0123456789', 'https://codepen.io/team/pen/PNaGbb']) {
      const html = renderPlayerHtml(url, 'T') ?? ''
      const player = /src="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
      expect(renderPlayerHtml(player, 'T')).toBe(html)
    }
  })
})
