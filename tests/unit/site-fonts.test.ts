import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { Font, MonospaceFont } from '../../src/contract/customization-values.ts'
import { type FontSetting, readFontFile, resolveFont, createFaceSelector } from '../../src/site/theme/fonts.ts'

const names = [Font, MonospaceFont].flatMap((font) => font.options[0].options as string[])
const textFont = (font: FontSetting) => {
  const { faces, ...rest } = resolveFont(font, 'text', '/~assets/')
  return { ...rest, faces: faces.join('') }
}
const filesIn = (faces: string) =>
  Array.from(faces.matchAll(/url\('\/~assets\/fonts\/([^')]+)'\)/g), ([, name]) => name ?? '')

describe('fonts of the customization', () => {
  test('are all bundled, with every file that their rules name', async () => {
    expect(names).toHaveLength(23)
    for (const name of names) {
      const { faces, origins } = textFont(name)
      const files = filesIn(faces)
      expect(files.length, name).toBeGreaterThan(0)
      expect(origins).toEqual([])
      expect(files.filter((file) => /-latin-.+-normal-/.test(file)).length, name).toBeGreaterThan(0)
      for (const file of files) {
        const found = await readFontFile(file)
        expect(Buffer.from(found?.bytes ?? []).toString('latin1', 0, 4), file).toBe('wOF2')
        expect(found?.contentType).toBe('font/woff2')
      }
    }
  })

  test('have separate files for other alphabets, with unicode ranges', () => {
    const { faces } = textFont('Inter')
    const rangeOf = (subset: string) =>
      new RegExp(`inter-${subset}-wght-normal[^}]*unicode-range:([^}]*)`).exec(faces)?.[1]
    expect(rangeOf('cyrillic')).toContain('U+0400-045F')
    expect(rangeOf('greek')).toContain('U+0370-0377')
    expect(rangeOf('vietnamese')).toContain('U+1EA0-1EF9')
    expect(rangeOf('latin-ext')).toContain('U+0100-02BA')
    expect(rangeOf('latin')).toContain('U+0000-00FF')
  })

  test('use a fallback for Inter with nearly the same width', async () => {
    const { faces, family } = textFont('Inter')
    expect(family).toMatch(/^'Inter','Inter Fallback',/)
    const file = await readFontFile(filesIn(faces).find((name) => name.startsWith('inter-latin-wght')) ?? '')
    GlobalFonts.register(Buffer.from(file?.bytes ?? []), 'Measured Inter')
    const context = createCanvas(1, 1).getContext('2d')
    const widthIn = (font: string) => {
      context.font = `100px ${font}`
      return context.measureText('Choose a plan that fits your team, then invite the people you work with.').width
    }
    const adjustOf = (font: string) =>
      Number(new RegExp(`local\\('${font}'\\)[^}]*size-adjust:([\\d.]+)%`).exec(faces)?.[1]) / 100
    // Liberation Sans has the widths of Arial, which is not installed on free systems.
    for (const font of ['Liberation Sans', 'DejaVu Sans']) {
      if (!GlobalFonts.has(font)) continue
      expect((widthIn(font) * adjustOf(font)) / widthIn('Measured Inter')).toBeCloseTo(1, 1)
    }
    expect(adjustOf('Arial')).toBeGreaterThan(adjustOf('DejaVu Sans'))
    // Of several rules for the same family, browsers use the last one whose font is installed.
    expect(faces.indexOf("local('Arial')")).toBeGreaterThan(faces.indexOf("local('DejaVu Sans')"))
  })

  test('use Inter in place of proprietary and unknown fonts', () => {
    expect(textFont('ABCFavorit')).toEqual(textFont('Inter'))
    expect(textFont('constructor')).toEqual(textFont('Inter'))
  })
})

test('fontFile returns only bundled font files', async () => {
  for (const name of ['../package.json', 'inter-latin-wght-normal.woff', '..%2f', '', 'metadata.json', '__proto__'])
    expect(await readFontFile(name), name).toBeUndefined()
})

const font = (url: string, fontFamily = 'Acme Sans') => ({
  id: 'acme',
  custom: true,
  fontFamily,
  fontFaces: [{ weight: 400, sources: [{ url, format: 'woff2' as const }] }],
})

describe('custom font', () => {
  test('is loaded from its URL, whose origin is returned', () => {
    const { family, faces, origins } = textFont(font('https://cdn.acme.test/fonts/acme.woff2?v=1'))
    expect(family).toMatch(/^'Acme Sans',/)
    expect(faces).toBe(
      "@font-face{font-family:'Acme Sans';font-weight:400;font-display:swap;src:url('https://cdn.acme.test/fonts/acme.woff2?v=1') format('woff2')}",
    )
    expect(origins).toEqual(['https://cdn.acme.test'])
  })

  test('cannot inject anything into the stylesheet', () => {
    const { faces, family } = textFont(
      font("https://a.test/x'){}body{display:none}/*\\", "x';}</style><script>alert(1)</script>\n"),
    )
    for (const text of [faces, family]) {
      expect(text).not.toMatch(/<|>|\n/)
      const outsideQuotes = text.replace(/'[^']*'/g, '')
      expect(outsideQuotes).not.toMatch(/body|script/)
    }
    expect(textFont(font('javascript:alert(1)')).faces).toBe('')
    expect(textFont(font('data:font/woff2;base64,AAAA')).origins).toEqual([])
  })
})

const filesFor = (text: string) =>
  filesIn(createFaceSelector(resolveFont('Inter', 'text', '/~assets/').faces)(text)).map(
    (name) => name.split('-wght')[0],
  )

test('a page includes only the font files of its characters', () => {
  expect(filesFor('Plain text, “quoted” – and more')).toEqual(['inter-latin'])
  expect(filesFor('Привет and Ελλάδα')).toEqual(['inter-cyrillic', 'inter-greek', 'inter-latin'])
  expect(filesFor('Łódź, Đà Nẵng')).toEqual(['inter-vietnamese', 'inter-latin-ext', 'inter-latin'])
  // The fallback font is always included.
  expect(createFaceSelector(resolveFont('Inter', 'text', '/~assets/').faces)('x')).toContain('Fallback')
})
