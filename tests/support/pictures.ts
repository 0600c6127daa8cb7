/** Minimal headers of images that contain their dimensions, written according to the formats. */
export const imageHeaders = {
  png: (width: number, height: number) =>
    join(
      '\x89PNG\r\n\x1a\n',
      bigEndian(13),
      'IHDR',
      bigEndian(width),
      bigEndian(height),
      '\x08\x06\0\0\0',
      bigEndian(0),
    ),

  gif: (width: number, height: number) => join('GIF89a', littleEndian(width, 2), littleEndian(height, 2), '\0\0\0'),

  /** With an Exif segment if an orientation is given, and with other segments before the frame header. */
  jpeg: (width: number, height: number, exif?: { orientation: number; littleEndian: boolean }) =>
    join(
      '\xff\xd8',
      segment(0xe0, join('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
      exif ? segment(0xe1, encodeExif(exif.orientation, exif.littleEndian ? littleEndian : bigEndian)) : '',
      segment(0xe1, join('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>')),
      segment(0xdb, new Uint8Array(65)),
      '\xff',
      segment(0xc2, join('\x08', bigEndian(height, 2), bigEndian(width, 2), '\x03\x01\x22\0\x02\x11\x01\x03\x11\x01')),
      '\xff\xda',
    ),

  webp: (width: number, height: number) =>
    webp('VP8 ', join('\x30\x01\0', '\x9d\x01\x2a', littleEndian(width, 2), littleEndian(height | 0x4000, 2))),
  webpLossless: (width: number, height: number) =>
    webp('VP8L', join('\x2f', littleEndian((width - 1) | ((height - 1) << 14), 4))),
  webpExtended: (width: number, height: number) =>
    webp('VP8X', join('\x10\0\0\0', littleEndian(width - 1, 3), littleEndian(height - 1, 3))),

  /** Images of a container: the whole, its tiles, its thumbnail; and its rotation in quarter turns. */
  avif: (sizes: [width: number, height: number][], quarters = 0) =>
    join(
      box('ftyp', 'avif', bigEndian(0), 'mif1avif'),
      box(
        'meta',
        bigEndian(0),
        box('hdlr', bigEndian(0), bigEndian(0), 'pict', new Uint8Array(13)),
        box(
          'iprp',
          box(
            'ipco',
            ...sizes.map(([width, height]) => box('ispe', bigEndian(0), bigEndian(width), bigEndian(height))),
            box('irot', bigEndian(quarters, 1)),
          ),
        ),
      ),
      box('mdat', new Uint8Array(8)),
    ),

  bmp: (width: number, height: number) =>
    join(
      'BM',
      littleEndian(58),
      littleEndian(0),
      littleEndian(54),
      littleEndian(40),
      littleEndian(width),
      littleEndian(height),
      '\x01\0\x18\0',
      littleEndian(0),
    ),

  ico: (sizes: [width: number, height: number][]) =>
    join(
      '\0\0\x01\0',
      littleEndian(sizes.length, 2),
      ...sizes.map(([width, height]) =>
        join(bigEndian(width, 1), bigEndian(height, 1), '\0\0\x01\0\x20\0', littleEndian(40), littleEndian(22)),
      ),
    ),
}

/** Converts each character to the byte with its code. */
export function toLatin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function join(...parts: (string | Uint8Array)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(typeof part === 'string' ? toLatin1Bytes(part) : part)))
}

function littleEndian(number: number, length = 4): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (number >> (index * 8)) & 0xff)
}

function bigEndian(number: number, length = 4): Uint8Array {
  return littleEndian(number, length).toReversed()
}

function webp(kind: string, content: Uint8Array): Uint8Array {
  return join('RIFF', littleEndian(content.length + 12), 'WEBP', kind, littleEndian(content.length), content)
}

function segment(marker: number, content: Uint8Array): Uint8Array {
  return join('\xff', bigEndian(marker, 1), bigEndian(content.length + 2, 2), content)
}

function encodeExif(orientation: number, number: typeof littleEndian): Uint8Array {
  const entry = (tag: number, value: number) => join(number(tag, 2), number(3, 2), number(1), number(value, 2), '\0\0')
  const directory = join(number(2, 2), entry(0x0100, 9), entry(0x0112, orientation), number(0))
  return join('Exif\0\0', number === littleEndian ? 'II' : 'MM', number(42, 2), number(8), directory)
}

function box(type: string, ...content: (string | Uint8Array)[]): Uint8Array {
  const inner = join(...content)
  return join(bigEndian(inner.length + 8), type, inner)
}
