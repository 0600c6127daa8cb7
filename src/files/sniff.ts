import { parseRootTag } from './xml.ts'

/** Content type of files whose type is unknown. */
export const unknownContentType = 'application/octet-stream'

/** Content types of ZIP-based formats that only their file extensions distinguish. */
const archiveTypes: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
}

/** Content types of text formats that only file extensions distinguish; scripts that a browser would run are excluded. */
const textTypes: Record<string, string> = {
  html: 'text/html',
  htm: 'text/html',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  csv: 'text/csv',
  md: 'text/markdown',
  markdown: 'text/markdown',
  xml: 'application/xml',
}

/** Canonical types of other declared types. */
const canonicalTypes: Record<string, string> = {
  'text/json': 'application/json',
  'text/yaml': 'application/yaml',
  'text/x-yaml': 'application/yaml',
  'application/x-yaml': 'application/yaml',
  'text/x-markdown': 'text/markdown',
  'text/xml': 'application/xml',
  'application/xhtml+xml': 'text/html',
}

/** Detects the content type from the first bytes; the name and the declared type are used only if these are ambiguous. */
export function sniffContentType(head: Uint8Array, name: string, declared: string | undefined): string {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return detectBinaryType(head, extension) ?? detectTextType(head, extension, declared) ?? unknownContentType
}

function detectBinaryType(head: Uint8Array, extension: string): string | undefined {
  const has = (signature: string, at = 0) => hasSignature(head, signature, at)
  if (has('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (has('\xff\xd8\xff')) return 'image/jpeg'
  if (has('GIF87a') || has('GIF89a')) return 'image/gif'
  if (has('RIFF') && has('WEBP', 8)) return 'image/webp'
  if (has('RIFF') && has('WAVE', 8)) return 'audio/wav'
  if (has('\0') && has('ftyp', 4)) return detectIsoMediaType(head)
  if (has('BM') && isBitmap(head)) return 'image/bmp'
  if (has('\0\0\x01\0') && (head[4] ?? 0) + (head[5] ?? 0) > 0) return 'image/x-icon'
  if (has('%PDF-')) return 'application/pdf'
  if (has('PK\x03\x04') || has('PK\x05\x06')) return lookUp(archiveTypes, extension) ?? 'application/zip'
  if (has('\x1aE\xdf\xa3')) return toLatin1(head, 64).includes('webm') ? 'video/webm' : 'video/x-matroska'
  if (has('OggS\0')) return toLatin1(head, 64).includes('theora') ? 'video/ogg' : 'audio/ogg'
  if (has('fLaC\0') || has('fLaC\x80')) return 'audio/flac'
  if (has('ID3\x02') || has('ID3\x03') || has('ID3\x04') || isMp3Frame(head)) return 'audio/mpeg'
  if (has('wOFF')) return 'font/woff'
  if (has('wOF2')) return 'font/woff2'
  if (has('OTTO\0')) return 'font/otf'
  if (has('\0\x01\0\0\0') || has('true\0')) return 'font/ttf'
}

function detectTextType(head: Uint8Array, extension: string, declared: string | undefined): string | undefined {
  const text = decodeText(head)
  if (text === undefined) return undefined
  const root = parseRootTag(text)?.name
  if (root === 'svg') return 'image/svg+xml'
  if (root?.toLowerCase() === 'html' || /^\s*<!doctype\s+html[\s>]/i.test(text)) return 'text/html'
  if (/^\s*<\?xml\s/.test(text)) return 'application/xml'
  return lookUp(textTypes, extension) ?? declaredTextType(declared) ?? 'text/plain'
}

function declaredTextType(declared: string | undefined): string | undefined {
  const type = declared?.split(';')[0]?.trim().toLowerCase() ?? ''
  const known = lookUp(canonicalTypes, type) ?? type
  return Object.values(textTypes).includes(known) ? known : undefined
}

/** Decodes UTF-8 without binary control characters; the last character may be truncated. */
function decodeText(head: Uint8Array): string | undefined {
  if (head.some((byte) => byte < 0x20 && !isTextControl(byte))) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
  } catch {
    return undefined
  }
}

/** Whether a byte is a tab, line feed, form feed, carriage return, or the escape character of colored terminal output. */
function isTextControl(byte: number): boolean {
  return byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x1b
}

/** Detects the type of an ISO media container (image, video or audio) from its brands. */
function detectIsoMediaType(head: Uint8Array): string {
  const size = ((head[2] ?? 0) << 8) | (head[3] ?? 0)
  const brands = toLatin1(head.subarray(8), Math.max(4, Math.min(size, 256) - 8))
  const major = brands.slice(0, 4)
  const compatible = brands.slice(8)
  if (major === 'avif' || major === 'avis' || (major === 'mif1' && compatible.includes('avif'))) return 'image/avif'
  if (major === 'heic' || major === 'heix' || major === 'mif1') return 'image/heic'
  if (major === 'qt  ') return 'video/quicktime'
  return major === 'M4A ' || major === 'M4B ' ? 'audio/mp4' : 'video/mp4'
}

/** Whether a file is a bitmap; the size of the second header is checked because many texts begin with the same two letters. */
function isBitmap(head: Uint8Array): boolean {
  return [12, 40, 52, 56, 64, 108, 124].includes(head[14] ?? 0) && hasSignature(head, '\0\0\0', 15)
}

/** Whether the data starts with a frame of MPEG layer III with a valid version, bit rate and sample rate. */
function isMp3Frame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  if (first !== 0xff || (second & 0xe6) !== 0xe2) return false
  return (second & 0x18) !== 0x08 && (third & 0xf0) !== 0xf0 && (third & 0xf0) !== 0 && (third & 0x0c) !== 0x0c
}

function hasSignature(head: Uint8Array, signature: string, at: number): boolean {
  for (let index = 0; index < signature.length; index++)
    if (head[at + index] !== signature.charCodeAt(index)) return false
  return true
}

/** Converts the first bytes to a string, one character per byte. */
function toLatin1(head: Uint8Array, length: number): string {
  return String.fromCharCode(...head.subarray(0, length))
}

function lookUp(types: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(types, key) ? types[key] : undefined
}
