import { type Canvas, Image, createCanvas } from '@napi-rs/canvas'
import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { imageDimensions } from '../../src/files/dimensions.ts'
import { toResizedUrl } from '../../src/files/resized-images.ts'
import { ImageResizer, resizeImage } from '../../src/site/pictures/pictures.ts'
import { imageHeaders } from '../support/pictures.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { limitCacheForTest } from '../support/cache.ts'

/** Draws a detailed image of random gradient squares, comparable to a photograph. */
function canvasOf(width: number, height: number): Canvas {
  const chance = seededRandom(width)
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  for (let count = 0; count < 300; count++) {
    const [x, y] = [randomInteger(chance, 0, width), randomInteger(chance, 0, height)]
    const blend = context.createLinearGradient(x, y, x + 200, y + 170)
    blend.addColorStop(0, `hsl(${randomInteger(chance, 0, 359)} 70% 50%)`)
    blend.addColorStop(1, `hsl(${randomInteger(chance, 0, 359)} 50% 80%)`)
    context.fillStyle = blend
    context.fillRect(x, y, 200, 170)
  }
  return canvas
}

async function pixelsOf(
  bytes: Uint8Array,
): Promise<{ width: number; height: number; at: (x: number, y: number) => number[] }> {
  const image = new Image()
  image.src = bytes
  await image.decode()
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return { width: image.width, height: image.height, at: (x, y) => [...context.getImageData(x, y, 1, 1).data] }
}

const png = canvasOf(2000, 1001).toBuffer('image/png')

describe('resized image', () => {
  test('is a smaller WebP with the same aspect ratio', async () => {
    for (const [bytes, type] of [
      [png, 'image/png'],
      [canvasOf(2000, 1001).toBuffer('image/jpeg', 90), 'image/jpeg'],
      [canvasOf(2000, 1001).toBuffer('image/webp', 95), 'image/webp'],
    ] as const) {
      const made = await resizeImage(bytes, type, 480)
      expect(made?.contentType).toBe('image/webp')
      expect(imageDimensions(made?.bytes ?? new Uint8Array())).toEqual({ width: 480, height: 240 })
      expect(made?.bytes.length).toBeLessThan(bytes.length / 2)
    }
  })

  test('is never larger than the original', async () => {
    expect(await resizeImage(png, 'image/png', 2000)).toBeUndefined()
    expect(await resizeImage(png, 'image/png', 4000)).toBeUndefined()
    const plain = createCanvas(1000, 1000).toBuffer('image/png')
    const made = await resizeImage(plain, 'image/png', 960)
    expect(made?.bytes.length ?? 0).toBeLessThan(plain.length)
  })

  test('keeps transparency', async () => {
    const canvas = canvasOf(1200, 600)
    canvas.getContext('2d').clearRect(0, 0, 600, 600)
    const made = await resizeImage(canvas.toBuffer('image/png'), 'image/png', 480)
    const { at } = await pixelsOf(made?.bytes ?? new Uint8Array())
    expect(at(100, 100)[3]).toBe(0)
  })

  test('respects the EXIF orientation', async () => {
    const canvas = canvasOf(1000, 600)
    const context = canvas.getContext('2d')
    context.fillStyle = 'red'
    context.fillRect(0, 0, 500, 600)
    const jpeg = canvas.toBuffer('image/jpeg', 90)
    const exif = Buffer.from('Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0', 'latin1')
    const turned = Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from([0xff, 0xe1, 0, exif.length + 2]),
      exif,
      jpeg.subarray(2),
    ])
    const made = await resizeImage(turned, 'image/jpeg', 480)
    const { width, height, at } = await pixelsOf(made?.bytes ?? new Uint8Array())
    expect([width, height]).toEqual([480, 800])
    const [red = 0, green = 255] = at(240, 100)
    expect([red > 200, green < 60]).toEqual([true, true])
  })

  test('averages fine lines to gray', async () => {
    const canvas = createCanvas(1920, 400)
    const context = canvas.getContext('2d')
    context.fillStyle = 'white'
    context.fillRect(0, 0, 1920, 400)
    context.fillStyle = 'black'
    for (let x = 0; x < 1920; x += 2) context.fillRect(x, 0, 1, 400)
    const made = await resizeImage(canvas.toBuffer('image/jpeg', 100), 'image/jpeg', 480)
    const { at } = await pixelsOf(made?.bytes ?? new Uint8Array())
    for (let x = 10; x < 470; x += 23) expect(at(x, 50)[0]).toBeGreaterThan(100)
    for (let x = 10; x < 470; x += 23) expect(at(x, 50)[0]).toBeLessThan(155)
  })

  test('is undefined for animations, SVGs and invalid images', async () => {
    const frames = Buffer.from('\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\0\0\0\0', 'latin1')
    const animated = Buffer.concat([png.subarray(0, 33), frames, png.subarray(33)])
    expect(await resizeImage(animated, 'image/png', 480)).toBeUndefined()
    const moving = Buffer.from(imageHeaders.webpExtended(2000, 1000))
    moving[20] = 0x02
    expect(await resizeImage(Buffer.concat([moving, Buffer.alloc(40)]), 'image/webp', 480)).toBeUndefined()
    expect(await resizeImage(Buffer.from('<svg width="2000" height="2000"/>'), 'image/svg+xml', 480)).toBeUndefined()
    expect(await resizeImage(png, 'image/gif', 480)).toBeUndefined()
    expect(await resizeImage(Buffer.from('no picture at all'), 'image/png', 480)).toBeUndefined()
    expect(await resizeImage(png.subarray(0, 40), 'image/png', 480)).toBeUndefined()
  })

  test('is undefined for images with too many pixels, without decoding them', async () => {
    expect(await resizeImage(imageHeaders.png(100_000, 100_000), 'image/png', 480)).toBeUndefined()
  })
})

test('pictureAddress adds the width to the URL of the file', () => {
  expect(toResizedUrl('https://a.test/files/s/h/a.png?expires=1&signature=x', 960)).toBe(
    'https://a.test/files/s/h/a.png?expires=1&signature=x&width=960',
  )
})

/** Returns an image source that counts its reads. */
function counted(bytes: Uint8Array, blob = 'one') {
  const source = {
    blob,
    contentType: 'image/png',
    size: bytes.length,
    reads: 0,
    read: () => {
      source.reads++
      return Promise.resolve(bytes)
    },
  }
  return source
}

describe('SizedPictures', () => {
  test('resizes an image once for concurrent and later requests', async () => {
    const sized = new ImageResizer()
    const source = counted(png)
    const all = await Promise.all(Array.from({ length: 8 }, () => sized.get(source, 480)))
    expect(new Set(all).size).toBe(1)
    expect(await sized.get(source, 480)).toBe(all[0])
    expect(source.reads).toBe(1)
  })

  test('rejects other widths and too large files without reading them', async () => {
    const sized = new ImageResizer()
    const source = counted(png)
    for (const width of [1, 479, 481, 0, -480, 5000]) expect(await sized.get(source, width)).toBeUndefined()
    expect(await sized.get({ ...source, size: 2 ** 40 }, 480)).toBeUndefined()
    expect(source.reads).toBe(0)
  })

  test('evicts the least recently used image when the cache is full', async () => {
    const size = (await resizeImage(png, 'image/png', 480))?.bytes.length ?? 0
    limitCacheForTest('pictures', size * 2 + 1000)
    const sized = new ImageResizer()
    const [one, two, three] = ['one', 'two', 'three'].map((blob) => counted(png, blob)) as [
      ReturnType<typeof counted>,
      ReturnType<typeof counted>,
      ReturnType<typeof counted>,
    ]
    for (const source of [one, two, one, three, one, two]) await sized.get(source, 480)
    expect([one.reads, two.reads, three.reads]).toEqual([1, 2, 1])
  })

  test('returns undefined for a missing image without affecting others', async () => {
    const sized = new ImageResizer()
    const gone = { ...counted(png, 'gone'), read: () => Promise.resolve(undefined) }
    expect(await sized.get(gone, 480)).toBeUndefined()
    expect(await sized.get(counted(png, 'here'), 480)).toBeDefined()
  })
})
