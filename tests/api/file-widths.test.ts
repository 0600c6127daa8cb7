import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { imageDimensions } from '../../src/files/dimensions.ts'
import { emptySpace } from '../support/content.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { progressiveJpeg } from '../support/hostile-sites.ts'
import { imageHeaders } from '../support/pictures.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Creates an image that compresses badly: every 4x4 square has a different color. */
function photograph(width: number, height: number): Buffer {
  const chance = seededRandom(7)
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  for (let x = 0; x < width; x += 4)
    for (let y = 0; y < height; y += 4) {
      context.fillStyle = `hsl(${randomInteger(chance, 0, 40) + x / 8} 60% ${randomInteger(chance, 40, 60)}%)`
      context.fillRect(x, y, 4, 4)
    }
  return canvas.toBuffer('image/png')
}

test('serves a resized image with its own type, length, ETag and ranges, and the headers of the original', async () => {
  const bytes = photograph(1000, 500)
  const [file] = await addFiles(
    octavo.admin,
    await emptySpace(octavo.admin),
    inlineFile('Plan of it.png', bytes, 'image/png'),
  )
  const url = file?.downloadURL ?? ''
  const [original, smaller] = await Promise.all([fetch(url), fetch(`${url}&width=480`)])
  const made = new Uint8Array(await smaller.arrayBuffer())
  expect(imageDimensions(made)).toEqual({ width: 480, height: 240 })
  expect(smaller.headers.get('content-type')).toBe('image/webp')
  expect(smaller.headers.get('content-length')).toBe(String(made.length))
  expect(smaller.headers.get('content-disposition')).toContain('Plan of it.webp')
  for (const name of [
    'cache-control',
    'content-security-policy',
    'x-content-type-options',
    'access-control-allow-origin',
  ])
    expect(smaller.headers.get(name), name).toBe(original.headers.get(name))

  const etag = smaller.headers.get('etag') ?? ''
  expect(etag).not.toBe(original.headers.get('etag'))
  const asked = (headers: Record<string, string>, method = 'GET') => fetch(`${url}&width=480`, { headers, method })
  expect((await asked({ 'if-none-match': etag })).status).toBe(304)
  expect((await asked({ 'if-none-match': original.headers.get('etag') ?? '' })).status).toBe(200)
  const head = await asked({}, 'HEAD')
  expect([head.headers.get('content-length'), head.headers.get('etag')]).toEqual([String(made.length), etag])
  const part = await asked({ range: 'bytes=4-11' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-11/${made.length}`])
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(made.subarray(4, 12))
  expect((await asked({ range: `bytes=${made.length}-` })).status).toBe(416)
})

test('serves the original when no smaller version exists or the width is invalid', async () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3200 1600"/>'
  const [small, vector] = await addFiles(
    octavo.admin,
    await emptySpace(octavo.admin),
    inlineFile('small.png', photograph(400, 200), 'image/png'),
    inlineFile('drawing.svg', drawing, 'image/svg+xml'),
  )
  for (const [file, width] of [
    [small, '480'],
    [vector, '480'],
    [small, '100'],
    [small, 'x'],
    [small, ''],
    [small, '1e9'],
  ] as const) {
    const [original, asked] = await Promise.all([
      fetch(file?.downloadURL ?? ''),
      fetch(`${file?.downloadURL}&width=${width}`),
    ])
    expect([asked.status, asked.headers.get('etag')]).toEqual([200, original.headers.get('etag')])
    expect(await asked.arrayBuffer()).toEqual(await original.arrayBuffer())
  }
})

test('returns 404 for a resized image with an invalid signature', async () => {
  const [file] = await addFiles(
    octavo.admin,
    await emptySpace(octavo.admin),
    inlineFile('a.png', photograph(1000, 500), 'image/png'),
  )
  const address = new URL(file?.downloadURL ?? '')
  address.searchParams.set('width', '480')
  address.searchParams.set('signature', 'guessed')
  expect((await fetch(address)).status).toBe(404)
})

const jpeg = (scans: number): Uint8Array => progressiveJpeg({ size: 4000, scans })

test('serves the original of images that would take too long to decode', async () => {
  const space = await emptySpace(octavo.admin)
  const widthOf = async (name: string, bytes: Uint8Array, type: string) => {
    const [file] = await addFiles(octavo.admin, space, inlineFile(name, Buffer.from(bytes), type))
    const reply = await fetch(`${file?.downloadURL ?? ''}&width=480`)
    const made = new Uint8Array(await reply.arrayBuffer())
    return [reply.status, made.length === bytes.length ? 'original' : imageDimensions(made)?.width]
  }
  expect(await widthOf('few.jpg', jpeg(6), 'image/jpeg')).toEqual([200, 480])
  expect(jpeg(97).length).toBeLessThan(100_000)
  expect(await widthOf('many.jpg', jpeg(97), 'image/jpeg')).toEqual([200, 'original'])
  expect(await widthOf('huge.png', imageHeaders.png(100_000, 100_000), 'image/png')).toEqual([200, 'original'])
  expect(await widthOf('huge.webp', imageHeaders.webp(16_383, 16_383), 'image/webp')).toEqual([200, 'original'])
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000"/>'
  expect(await widthOf('drawing.png', Buffer.from(drawing), 'image/png')).toEqual([200, 'original'])
})
