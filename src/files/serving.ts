export interface ByteRange {
  start: number
  end: number
}

/** Types that browsers display and that cannot contain scripts with access to our origin. */
const inlineTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'application/pdf',
  'text/plain',
])

/** Policy that blocks scripts and requests; `sandbox` makes the origin opaque. */
const defaultPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** Policy for audio and video: the browser's player requests the file again from the same origin. */
const mediaPolicy = "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'"

/** Policy for PDFs: the viewer also requests the file again and fails in a sandbox; scripts in a PDF cannot access the page. */
const pdfPolicy = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"

function policyFor(contentType: string): string {
  if (/^(audio|video)\//.test(contentType)) return mediaPolicy
  return contentType === 'application/pdf' ? pdfPolicy : defaultPolicy
}

/** Returns the headers for a user's file, which is served from our origin but must not have its privileges. */
export function servingHeaders(contentType: string, name: string): Record<string, string> {
  const isInline = /^(audio|video)\//.test(contentType) || inlineTypes.has(contentType)
  return {
    'Content-Type': contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': policyFor(contentType),
    'Content-Disposition': `${isInline ? 'inline' : 'attachment'}; ${fileNameParameters(name)}`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}

/** Parses a Range header; undefined means the whole file. */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Number(last)
    if (length === 0) return 'unsatisfiable'
    return size === 0 ? undefined : { start: Math.max(0, size - length), end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? Infinity : Number(last)
  if (start > end) return undefined
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) }
}

/** Maximum length of a file name in a header. */
const maxNameLength = 255

/** Formats the file name in ASCII for all clients, and encoded as UTF-8 if it has other characters (RFC 6266, RFC 8187). */
function fileNameParameters(name: string): string {
  const base = sanitizeName(name)
  const ascii = base.replace(/[^ -~]|["\\%]/gu, '_')
  const simple = `filename="${ascii}"`
  return ascii === base ? simple : `${simple}; filename*=UTF-8''${encodeExtended(base)}`
}

/** Returns the last part of a path without control characters and characters that change the text direction. */
function sanitizeName(name: string): string {
  const base = name.split(/[/\\]+/).findLast((part) => part !== '')
  const visible = (base ?? '')
    .slice(0, maxNameLength)
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu, '')
    .trim()
  return visible === '' || /^\.+$/.test(visible) ? 'file' : visible
}

function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}
