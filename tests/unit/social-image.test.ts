import { Image, createCanvas } from '@napi-rs/canvas'
import { describe, expect, test } from 'vitest'
import { imageDimensions } from '../../src/files/dimensions.ts'
import { drawSocialImage } from '../../src/site/pictures/social-image.ts'

const card = { siteTitle: 'Octavo', title: 'Getting started', colour: '#346ddb', font: 'Inter' }

async function drawnIn(bytes: Uint8Array | undefined) {
  const image = new Image()
  image.src = bytes ?? new Uint8Array()
  await image.decode()
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return {
    at: (x: number, y: number) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3),
    /** Counts the dark pixels, such as those of letters, in a rectangle. */
    ink: (x: number, y: number, width: number, height: number) => {
      const { data } = context.getImageData(x, y, width, height)
      let count = 0
      for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 60 && (data[at + 2] ?? 255) < 60) count++
      return count
    },
  }
}

describe('social image of a page', () => {
  test('is 1200 × 630 pixels, in the color of the site and with the title', async () => {
    const bytes = await drawSocialImage({ ...card, description: 'Install it.', section: 'Guides' })
    expect(imageDimensions(bytes ?? new Uint8Array())).toEqual({ width: 1200, height: 630 })
    const { at, ink } = await drawnIn(bytes)
    expect(at(600, 625)).toEqual([0x34, 0x6d, 0xdb])
    expect(ink(80, 300, 1040, 300)).toBeGreaterThan(5000)
    const empty = await drawnIn(await drawSocialImage({ ...card, title: '' }))
    expect(empty.ink(80, 300, 1040, 300)).toBe(0)
  })

  test('keeps its margins for any text', async () => {
    const long = 'word '.repeat(2000)
    for (const title of [long, 'x'.repeat(5000), `${'ا'.repeat(400)} \u202e \u0000`, '👩‍👩‍👧‍👦'.repeat(300)]) {
      const { ink } = await drawnIn(
        await drawSocialImage({ ...card, siteTitle: title, title, description: title, section: title }),
      )
      expect(ink(1125, 0, 75, 630)).toBe(0)
      expect(ink(0, 0, 70, 630)).toBe(0)
      expect(ink(0, 0, 1200, 60)).toBe(0)
    }
  })

  test('is drawn in every alphabet, even when the font lacks it', async () => {
    for (const font of ['Inter', 'Lato', 'Merriweather', { fontFamily: 'Acme', fontFaces: [] }])
      for (const title of ['Начало работы', 'Τα πρώτα βήματα', 'Bắt đầu nào']) {
        const { ink } = await drawnIn(await drawSocialImage({ ...card, title, font }))
        expect(ink(80, 300, 1040, 300), title).toBeGreaterThan(3000)
      }
    // Without a font for a script, its text is omitted.
    expect(
      await drawSocialImage({ ...card, siteTitle: '文档', title: '快速开始 🚀', description: '安装' }),
    ).toBeDefined()
  })

  test('contains the logo, or a letter when the logo is invalid', async () => {
    const logo = createCanvas(64, 64)
    const context = logo.getContext('2d')
    context.fillStyle = '#00ff00'
    context.fillRect(0, 0, 64, 64)
    const withLogo = await drawnIn(await drawSocialImage({ ...card, logo: logo.toBuffer('image/png') }))
    expect(withLogo.at(112, 90)).toEqual([0, 255, 0])
    const without = await drawnIn(await drawSocialImage({ ...card, logo: new Uint8Array([1, 2, 3]) }))
    expect(without.at(112, 90)).toEqual([0x34, 0x6d, 0xdb])
  })
})
