/** Minimal headers of images that contain their dimensions, written according to the formats. */
export const pictures = {
  png: (width: number, height: number) =>
    join('\x89PNG\r\n\x1a\n', big(13), 'IHDR', big(width), big(height), '\x08\x06\0\0\0', big(0)),

  gif: (width: number, height: number) => join('GIF89a', little(width, 2), little(height, 2), '\0\0\0'),

  /** With an Exif segment if an orientation is given, and with other segments before the frame header. */
  jpeg: (width: number, height: number, exif?: { orientation: number; littleEndian: boolean }) =>
    join(
      '\xff\xd8',
      segment(0xe0, join('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
      exif ? segment(0xe1, exifOf(exif.orientation, exif.littleEndian ? little : big)) : '',
      segment(0xe1, join('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>')),
      segment(0xdb, new Uint8Array(65)),
      '\xff',
      segment(0xc2, join('\x08', big(height, 2), big(width, 2), '\x03\x01\x22\0\x02\x11\x01\x03\x11\x01')),
      '\xff\xda',
    ),

  webp: (width: number, height: number) =>
    webp('VP8 ', join('\x30\x01\0', '\x9d\x01\x2a', little(width, 2), little(height | 0x4000, 2))),
  webpLossless: (width: number, height: number) =>
    webp('VP8L', join('\x2f', little((width - 1) | ((height - 1) << 14), 4))),
  webpExtended: (width: number, height: number) =>
    webp('VP8X', join('\x10\0\0\0', little(width - 1, 3), little(height - 1, 3))),

  /** Images of a container: the whole, its tiles, its thumbnail; and its rotation in quarter turns. */
  avif: (sizes: [width: number, height: number][], quarters = 0) =>
    join(
      box('ftyp', 'avif', big(0), 'mif1avif'),
      box(
        'meta',
        big(0),
        box('hdlr', big(0), big(0), 'pict', new Uint8Array(13)),
        box(
          'iprp',
          box(
            'ipco',
            ...sizes.map(([width, height]) => box('ispe', big(0), big(width), big(height))),
            box('irot', big(quarters, 1)),
          ),
        ),
      ),
      box('mdat', new Uint8Array(8)),
    ),

  bmp: (width: number, height: number) =>
    join('BM', little(58), little(0), little(54), little(40), little(width), little(height), '\x01\0\x18\0', little(0)),

  ico: (sizes: [width: number, height: number][]) =>
    join(
      '\0\0\x01\0',
      little(sizes.length, 2),
      ...sizes.map(([width, height]) =>
        join(big(width, 1), big(height, 1), '\0\0\x01\0\x20\0', little(40), little(22)),
      ),
    ),
}

/** Converts each character to the byte with its code. */
export function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function join(...parts: (string | Uint8Array)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(typeof part === 'string' ? bytes(part) : part)))
}

function little(number: number, length = 4): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (number >> (index * 8)) & 0xff)
}

function big(number: number, length = 4): Uint8Array {
  return little(number, length).toReversed()
}

function webp(kind: string, content: Uint8Array): Uint8Array {
  return join('RIFF', little(content.length + 12), 'WEBP', kind, little(content.length), content)
}

function segment(marker: number, content: Uint8Array): Uint8Array {
  return join('\xff', big(marker, 1), big(content.length + 2, 2), content)
}

function exifOf(orientation: number, number: typeof little): Uint8Array {
  const entry = (tag: number, value: number) => join(number(tag, 2), number(3, 2), number(1), number(value, 2), '\0\0')
  const directory = join(number(2, 2), entry(0x0100, 9), entry(0x0112, orientation), number(0))
  return join('Exif\0\0', number === little ? 'II' : 'MM', number(42, 2), number(8), directory)
}

function box(type: string, ...content: (string | Uint8Array)[]): Uint8Array {
  const inner = join(...content)
  return join(big(inner.length + 8), type, inner)
}
