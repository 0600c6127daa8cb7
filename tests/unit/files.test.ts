import { describe, expect, test } from 'vitest'
import { imageDimensions } from '../../src/files/dimensions.ts'
import { parseRange, servingHeaders } from '../../src/files/serving.ts'
import { sniffContentType } from '../../src/files/sniff.ts'
import { toLatin1Bytes, imageHeaders } from '../support/pictures.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

const text = (content: string) => new TextEncoder().encode(content)
const dispositionOf = (type: string) => servingHeaders(type, 'a')['Content-Disposition']?.split(';')[0]

describe('content type of a file', () => {
  test('is detected from its bytes, regardless of the name and the declared type', () => {
    const heads: [type: string, head: Uint8Array][] = [
      ['image/png', imageHeaders.png(1, 1)],
      ['image/jpeg', imageHeaders.jpeg(1, 1)],
      ['image/gif', imageHeaders.gif(1, 1)],
      ['image/webp', imageHeaders.webp(1, 1)],
      ['image/webp', imageHeaders.webpLossless(1, 1)],
      ['image/webp', imageHeaders.webpExtended(1, 1)],
      ['image/avif', imageHeaders.avif([[1, 1]])],
      ['image/avif', toLatin1Bytes('\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf')],
      ['image/heic', toLatin1Bytes('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
      ['image/bmp', imageHeaders.bmp(1, 1)],
      ['image/x-icon', imageHeaders.ico([[1, 1]])],
      ['image/svg+xml', text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['application/pdf', toLatin1Bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3')],
      ['application/zip', toLatin1Bytes('PK\x03\x04\x14\0')],
      ['application/zip', toLatin1Bytes('PK\x05\x06\0\0')],
      ['video/mp4', toLatin1Bytes('\0\0\0\x18ftypisom\0\0\x02\0isomiso2')],
      ['audio/mp4', toLatin1Bytes('\0\0\0\x18ftypM4A \0\0\x02\0isomiso2')],
      ['video/quicktime', toLatin1Bytes('\0\0\0\x14ftypqt  \0\0\x02\0qt  ')],
      [
        'video/webm',
        toLatin1Bytes('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm'),
      ],
      ['video/x-matroska', toLatin1Bytes('\x1aE\xdf\xa3\xa3B\x86\x81\x01B\x82\x88matroska')],
      ['audio/ogg', toLatin1Bytes(`OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead`)],
      ['video/ogg', toLatin1Bytes(`OggS\0\x02${'\0'.repeat(20)}\x01\x2a\x80theora`)],
      ['audio/mpeg', toLatin1Bytes('ID3\x04\0\0\0\0\0\0')],
      ['audio/mpeg', toLatin1Bytes('\xff\xfb\x90\x64\0\0')],
      ['audio/wav', toLatin1Bytes('RIFF\x24\0\0\0WAVEfmt ')],
      ['audio/flac', toLatin1Bytes('fLaC\0\0\0\x22')],
      ['font/woff', toLatin1Bytes('wOFF\0\x01\0\0')],
      ['font/woff2', toLatin1Bytes('wOF2\0\x01\0\0')],
      ['font/ttf', toLatin1Bytes('\0\x01\0\0\0\x0c\0\x80')],
      ['font/otf', toLatin1Bytes('OTTO\0\x0c\0\x80')],
      ['text/html', text('<!DOCTYPE html><title>Page</title>')],
      ['text/html', text('\uFEFF\n <HTML lang="en">')],
      ['text/html', text('<!-- saved -->\n<!doctype html><html>')],
      ['application/xml', text('<?xml version="1.0"?><feed/>')],
    ]
    for (const [type, head] of heads) {
      for (const name of ['file', 'file.txt', 'file.md', 'file.exe']) {
        expect([type, sniffContentType(head, name, 'text/plain')]).toEqual([type, type])
        expect([type, sniffContentType(head, name, 'image/png')]).toEqual([type, type])
      }
    }
  })

  test('of a ZIP archive is refined by the file extension', () => {
    const archive = toLatin1Bytes('PK\x03\x04\x14\0')
    const office = 'application/vnd.openxmlformats-officedocument'
    expect(sniffContentType(archive, 'Letter.DOCX', undefined)).toBe(`${office}.wordprocessingml.document`)
    expect(sniffContentType(archive, 'sums.xlsx', undefined)).toBe(`${office}.spreadsheetml.sheet`)
    expect(sniffContentType(archive, 'a.docx.zip', undefined)).toBe('application/zip')
    expect(sniffContentType(archive, 'constructor', undefined)).toBe('application/zip')
    expect(sniffContentType(archive, 'a.constructor', undefined)).toBe('application/zip')
  })

  test('of text is decided by the name, then by the declared type, and defaults to text/plain', () => {
    const cases: [name: string, declared: string | undefined, type: string][] = [
      ['a.json', undefined, 'application/json'],
      ['a.yml', undefined, 'application/yaml'],
      ['a.yaml', 'text/plain', 'application/yaml'],
      ['a.csv', 'application/vnd.ms-excel', 'text/csv'],
      ['README.md', undefined, 'text/markdown'],
      ['README.markdown', undefined, 'text/markdown'],
      ['part.HTML', undefined, 'text/html'],
      ['data', 'application/json; charset=utf-8', 'application/json'],
      ['data', 'Text/Markdown', 'text/markdown'],
      ['data', 'text/x-yaml', 'application/yaml'],
      ['data', 'image/png', 'text/plain'],
      ['data', 'application/octet-stream', 'text/plain'],
      ['photo.png', 'image/png', 'text/plain'],
      ['script.js', 'text/javascript', 'text/plain'],
      ['style.css', 'text/css', 'text/plain'],
      ['data', 'constructor', 'text/plain'],
      ['', undefined, 'text/plain'],
    ]
    for (const [name, declared, type] of cases)
      expect([name, declared, sniffContentType(text('one: two, "three"\n'), name, declared)]).toEqual([
        name,
        declared,
        type,
      ])
    expect(sniffContentType(new Uint8Array(), 'empty', undefined)).toBe('text/plain')
  })

  test('of text is not confused with formats that start with the same letters', () => {
    for (const content of [
      'BMW builds cars',
      'ID3 tags are in files',
      'true\n',
      'The ftyp box',
      'PK: primary key',
      'OggSomething',
    ])
      expect([content, sniffContentType(text(content), 'a.txt', undefined)]).toEqual([content, 'text/plain'])
    expect(sniffContentType(text('<svgs>are no pictures</svgs>'), 'a.txt', undefined)).toBe('text/plain')
    expect(sniffContentType(text('Draw with <svg width="1">'), 'a.txt', undefined)).toBe('text/plain')
  })

  test('of an SVG is found after a byte order mark, comments and declarations', () => {
    for (const content of [
      '\uFEFF<?xml version="1.0" encoding="utf-8"?>\n<!-- Made by hand -->\n<svg>',
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg>',
      '<!DOCTYPE svg [\n<!ENTITY ns "http://www.w3.org/2000/svg">\n]>\n<svg xmlns="&ns;">',
      '<svg:svg xmlns:svg="http://www.w3.org/2000/svg">',
      '<svg\n  width="10"',
    ])
      expect([content, sniffContentType(text(content), 'drawing', undefined)]).toEqual([content, 'image/svg+xml'])
  })

  test('is application/octet-stream for other bytes, regardless of name and declared type', () => {
    for (const head of [
      toLatin1Bytes('\0\0\0\0'),
      toLatin1Bytes('MZ\x90\0'),
      toLatin1Bytes('\x7fELF\x02\x01'),
      toLatin1Bytes('caf\xe9 au lait'),
      toLatin1Bytes('\xff\xfeh\0i\0'),
      toLatin1Bytes('text\0with a zero'),
      toLatin1Bytes('\xc3\x28'),
    ])
      expect(sniffContentType(head, 'page.html', 'text/html')).toBe('application/octet-stream')
  })

  test('does not depend on where the first bytes end', () => {
    const whole = text('Überschrift – größer als „eins“ 😀')
    for (let end = 0; end <= whole.length; end++)
      expect(sniffContentType(whole.subarray(0, end), 'a', undefined)).toBe('text/plain')
  })

  // Quadratic time would exceed the test timeout.
  test('is detected in linear time for hostile input', () => {
    for (const piece of [
      '<!doctype>',
      '<!---->',
      '<?',
      '<!--',
      ' a="',
      " a='",
      ' a',
      ' ',
      '<!doctype [',
      'a=  ',
      '-',
    ]) {
      for (const begin of ['', '<svg ']) {
        const head = text(begin + piece.repeat(262_144 / piece.length))
        expect(sniffContentType(head, 'a', undefined)).toMatch(/^[\w.+-]+\/[\w.+-]+$/)
        expect(imageDimensions(head)).toBeUndefined()
      }
    }
  })
})

describe('image dimensions', () => {
  const size = { width: 640, height: 480 }
  const turned = { width: 480, height: 640 }

  test('are read from each format', () => {
    for (const [name, picture] of Object.entries({
      png: imageHeaders.png(640, 480),
      jpeg: imageHeaders.jpeg(640, 480),
      gif: imageHeaders.gif(640, 480),
      webp: imageHeaders.webp(640, 480),
      webpLossless: imageHeaders.webpLossless(640, 480),
      webpExtended: imageHeaders.webpExtended(640, 480),
      avif: imageHeaders.avif([[640, 480]]),
      bmp: imageHeaders.bmp(640, 480),
      bmpFromTop: imageHeaders.bmp(640, -480),
      svg: text('<svg width="640" height="480"/>'),
    }))
      expect([name, imageDimensions(picture)]).toEqual([name, size])
    expect(imageDimensions(imageHeaders.webpExtended(16_777_216, 100_000))).toEqual({
      width: 16_777_216,
      height: 100_000,
    })
    expect(imageDimensions(imageHeaders.webpLossless(16_384, 1))).toEqual({ width: 16_384, height: 1 })
  })

  test('of a JPEG respect its EXIF orientation', () => {
    for (const littleEndian of [true, false]) {
      for (const orientation of [1, 2, 3, 4])
        expect(imageDimensions(imageHeaders.jpeg(640, 480, { orientation, littleEndian }))).toEqual(size)
      for (const orientation of [5, 6, 7, 8])
        expect(imageDimensions(imageHeaders.jpeg(640, 480, { orientation, littleEndian }))).toEqual(turned)
      expect(imageDimensions(imageHeaders.jpeg(640, 480, { orientation: 9, littleEndian }))).toEqual(size)
    }
  })

  test('of an icon are those of its largest image', () => {
    expect(
      imageDimensions(
        imageHeaders.ico([
          [16, 16],
          [48, 48],
          [32, 32],
        ]),
      ),
    ).toEqual({ width: 48, height: 48 })
    expect(
      imageDimensions(
        imageHeaders.ico([
          [0, 0],
          [48, 48],
        ]),
      ),
    ).toEqual({ width: 256, height: 256 })
  })

  test('of an AVIF are those of the largest image, with its rotation applied', () => {
    const tiles: [number, number][] = [
      [512, 512],
      [640, 480],
      [160, 120],
    ]
    expect(imageDimensions(imageHeaders.avif(tiles))).toEqual(size)
    expect(imageDimensions(imageHeaders.avif([[640, 480]], 1))).toEqual(turned)
    expect(imageDimensions(imageHeaders.avif([[640, 480]], 2))).toEqual(size)
    expect(imageDimensions(imageHeaders.avif([[640, 480]], 3))).toEqual(turned)
  })

  test('of an SVG are computed from its width, height and view box', () => {
    const cases: [attributes: string, dimensions: { width: number; height: number } | undefined][] = [
      ['width="640" height="480"', size],
      ["height = '480px'\n width='640PX'", size],
      ['width="480pt" height="5in"', size],
      ['width="16.9333cm" height="127mm"', size],
      ['viewBox="0 0 640 480"', size],
      ['viewBox=" -10,-10, 640,480 "', size],
      ['width="100%" height="100%" viewBox="0 0 640 480"', size],
      ['width="320" viewBox="0 0 4 3"', { width: 320, height: 240 }],
      ['height="240" viewBox="0 0 4 3"', { width: 320, height: 240 }],
      ['width="20em" height="10em"', undefined],
      ['width="0" height="0"', undefined],
      ['width="-5" height="10"', undefined],
      ['width="640"', undefined],
      ['viewBox="0 0 640"', undefined],
      ['viewBox="0 0 0 480"', undefined],
      ['viewBox="0 0 1e400 480"', undefined],
      ['stroke-width="3" height="480" data-note="a > b" width="640"', size],
      ['', undefined],
    ]
    for (const [attributes, dimensions] of cases)
      expect([attributes, imageDimensions(text(`<?xml version="1.0"?><svg ${attributes}><path/></svg>`))]).toEqual([
        attributes,
        dimensions,
      ])
    expect(imageDimensions(text('<g width="640" height="480"/>'))).toBeUndefined()
  })

  test('are undefined for missing, zero or invalid values', () => {
    expect(imageDimensions(new Uint8Array())).toBeUndefined()
    expect(imageDimensions(text('no picture at all'))).toBeUndefined()
    expect(imageDimensions(imageHeaders.png(0, 480))).toBeUndefined()
    expect(imageDimensions(imageHeaders.png(2 ** 32 - 1, 480))).toBeUndefined()
    expect(imageDimensions(imageHeaders.jpeg(640, 0))).toBeUndefined()
    expect(imageDimensions(imageHeaders.bmp(-640, 480))).toBeUndefined()
    expect(imageDimensions(imageHeaders.avif([]))).toBeUndefined()
    expect(imageDimensions(imageHeaders.ico([]))).toBeUndefined()
  })

  test('are searched only in the first 256 KB', () => {
    const [near, far] = [200_000, 300_000].map((padding) =>
      text(`<!--${' '.repeat(padding)}--><svg width="640" height="480"/>`),
    )
    expect(imageDimensions(near ?? text(''))).toEqual(size)
    expect(imageDimensions(far ?? text(''))).toBeUndefined()
  })

  test('are read correctly from a view into a larger buffer', () => {
    const within = Buffer.concat([imageHeaders.gif(1, 1), imageHeaders.png(640, 480)])
    expect(imageDimensions(within.subarray(imageHeaders.gif(1, 1).length))).toEqual(size)
  })

  const all = [
    imageHeaders.png(640, 480),
    imageHeaders.jpeg(640, 480, { orientation: 6, littleEndian: true }),
    imageHeaders.jpeg(640, 480, { orientation: 6, littleEndian: false }),
    imageHeaders.gif(640, 480),
    imageHeaders.webp(640, 480),
    imageHeaders.webpLossless(640, 480),
    imageHeaders.webpExtended(640, 480),
    imageHeaders.avif([[640, 480]], 1),
    imageHeaders.bmp(640, 480),
    imageHeaders.ico([[48, 48]]),
    text('<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg width="640" height="480" viewBox="0 0 4 3">'),
  ]

  test('of a truncated image are correct or undefined', () => {
    for (const picture of all.slice(0, -1)) {
      const whole = imageDimensions(picture)
      expect(whole).toBeDefined()
      for (let end = 0; end < picture.length; end++) {
        const found = imageDimensions(picture.subarray(0, end))
        if (found) expect([found.width, found.height].toSorted()).toEqual([whole?.width, whole?.height].toSorted())
      }
    }
  })

  test('of corrupted images are plausible or undefined, without an exception', () => {
    const chance = seededRandom(20_260_815)
    const special = [0x00, 0x01, 0x7f, 0x80, 0xff, 0x22, 0x3c, 0x3e]
    for (let round = 0; round < 20_000; round++) {
      const picture = Uint8Array.from(all[round % all.length] ?? [])
      for (let change = randomInteger(chance, 1, 6); change > 0; change--) {
        const at = randomInteger(chance, 0, picture.length - 1)
        picture[at] = chance() < 0.5 ? (special[randomInteger(chance, 0, 7)] ?? 0) : randomInteger(chance, 0, 255)
      }
      const head = picture.subarray(0, randomInteger(chance, 0, picture.length * 2))
      const found = imageDimensions(head)
      if (found) {
        for (const length of [found.width, found.height]) {
          expect(Number.isInteger(length) && length > 0 && length < 2 ** 31).toBe(true)
        }
      }
      expect(sniffContentType(head, 'a.bin', undefined)).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/)
    }
  })
})

describe('headers of a user file', () => {
  test('use inline only for types that cannot run scripts, and attachment for the others', () => {
    for (const type of [
      'image/png',
      'image/jpeg',
      'image/gif',
      'image/webp',
      'image/avif',
      'image/bmp',
      'image/x-icon',
      'video/mp4',
      'audio/mpeg',
      'application/pdf',
      'text/plain',
    ])
      expect([type, dispositionOf(type)]).toEqual([type, 'inline'])
    for (const type of [
      'image/svg+xml',
      'text/html',
      'application/xhtml+xml',
      'application/xml',
      'text/markdown',
      'text/csv',
      'text/css',
      'text/javascript',
      'application/json',
      'application/zip',
      'application/octet-stream',
      'multipart/related',
      'font/woff2',
      '',
    ])
      expect([type, dispositionOf(type)]).toEqual([type, 'attachment'])
  })

  test('allow the PDF viewer of the browser to work', () => {
    const policy = servingHeaders('application/pdf', 'a.pdf')['Content-Security-Policy']
    expect(policy).toMatch(/^default-src 'none'/)
    expect(policy).not.toMatch(/script-src|sandbox/)
  })

  test('sandbox every file except video and allow cross-origin embedding', () => {
    for (const type of [
      'image/png',
      'image/svg+xml',
      'text/html',
      'text/plain',
      'video/mp4',
      'application/octet-stream',
    ]) {
      const headers = servingHeaders(type, 'a')
      expect(headers['X-Content-Type-Options']).toBe('nosniff')
      expect(headers['Cross-Origin-Resource-Policy']).toBe('cross-origin')
      const directives = headers['Content-Security-Policy']?.split('; ')
      expect(directives).toContain("default-src 'none'")
      expect([type, directives?.includes('sandbox')]).toEqual([type, type !== 'video/mp4'])
    }
    expect(servingHeaders('video/mp4', 'a')['Content-Security-Policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'",
    )
    expect(servingHeaders('image/svg+xml', 'a')['Content-Type']).toBe('image/svg+xml')
    expect(servingHeaders('text/plain', 'a')['Content-Type']).toBe('text/plain; charset=utf-8')
  })

  test('contain the file name in a form that every client can read', () => {
    const cases: [name: string, parameters: string][] = [
      ['report.pdf', 'filename="report.pdf"'],
      ['my report (1).pdf', 'filename="my report (1).pdf"'],
      ['Größe.pdf', `filename="Gr__e.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf`],
      ['😀.pdf', `filename="_.pdf"; filename*=UTF-8''%F0%9F%98%80.pdf`],
      ['a"b\\c.pdf', 'filename="c.pdf"'],
      ['a"b.pdf', `filename="a_b.pdf"; filename*=UTF-8''a%22b.pdf`],
      ['100%25.pdf', `filename="100_25.pdf"; filename*=UTF-8''100%2525.pdf`],
      ["it's (*).pdf", `filename="it's (*).pdf"`],
      ["é's (*).pdf", `filename="_'s (*).pdf"; filename*=UTF-8''%C3%A9%27s%20%28%2A%29.pdf`],
      ['../../etc/passwd', 'filename="passwd"'],
      ['folder/', 'filename="folder"'],
      ['..', 'filename="file"'],
      ['', 'filename="file"'],
      ['a\r\nSet-Cookie: b.pdf', 'filename="aSet-Cookie: b.pdf"'],
      ['photo\u202Egpj.exe', 'filename="photogpj.exe"'],
      ['half\uD83D.pdf', `filename="half_.pdf"; filename*=UTF-8''half%EF%BF%BD.pdf`],
    ]
    for (const [name, parameters] of cases)
      expect([name, servingHeaders('application/pdf', name)['Content-Disposition']]).toEqual([
        name,
        `inline; ${parameters}`,
      ])
  })

  test('are short and valid for any file name', () => {
    const chance = seededRandom(7)
    for (let round = 0; round < 500; round++) {
      const name = Array.from({ length: randomInteger(chance, 0, 600) }, () =>
        String.fromCharCode(randomInteger(chance, 0, chance() < 0.5 ? 127 : 65_535)),
      ).join('')
      const headers = new Headers(servingHeaders('image/svg+xml', name))
      const disposition = headers.get('content-disposition') ?? ''
      expect(disposition).toMatch(/^attachment; filename="[^"\\]+"(; filename\*=UTF-8''[\w%.!#$&+^`|~-]+)?$/)
      expect(disposition.length).toBeLessThan(4096)
    }
  })
})

describe('parseRange', () => {
  test('returns the requested part of the file', () => {
    const cases: [header: string, size: number, start: number, end: number][] = [
      ['bytes=0-0', 10, 0, 0],
      ['bytes=0-4', 10, 0, 4],
      ['bytes=5-', 10, 5, 9],
      ['bytes=9-9', 10, 9, 9],
      ['bytes=0-99', 10, 0, 9],
      ['bytes=-3', 10, 7, 9],
      ['bytes=-99', 10, 0, 9],
      ['Bytes=1-2', 10, 1, 2],
      ['bytes= 1-2 ', 10, 1, 2],
      ['bytes=0-99999999999999999999999999', 10, 0, 9],
    ]
    for (const [header, size, start, end] of cases)
      expect([header, parseRange(header, size)]).toEqual([header, { start, end }])
  })

  test('returns "unsatisfiable" for a range after the end', () => {
    for (const header of ['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999-'])
      expect([header, parseRange(header, 10)]).toEqual([header, 'unsatisfiable'])
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable')
  })

  test('returns undefined for an absent, invalid, non-byte or multiple range', () => {
    for (const header of [
      undefined,
      '',
      'bytes',
      'bytes=',
      'bytes=-',
      'bytes=a-b',
      'bytes=5-4',
      'bytes=1.5-2',
      'bytes=-1-2',
      'bytes=0x1-2',
      'bytes=0-1,5-6',
      'bytes=0-1, -1',
      'items=0-1',
    ])
      expect([header, parseRange(header, 10)]).toEqual([header, undefined])
    expect(parseRange('bytes=-5', 0)).toBeUndefined()
  })
})
