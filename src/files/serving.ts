export interface ByteRange {
  start: number
  end: number
}

/** Types that a browser shows by itself and that cannot hold a script of ours. */
const shown = new Set([
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

/** Nothing may run or be loaded, and the document is of no origin. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** A player loads the file once more by itself, from the origin that it is of. */
const playerPolicy = "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'"

/** So does the reader of PDFs, which shows nothing in a document of no origin; scripts in a PDF never reach the page. */
const readerPolicy = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"

function policyFor(contentType: string): string {
  if (/^(audio|video)\//.test(contentType)) return playerPolicy
  return contentType === 'application/pdf' ? readerPolicy : policy
}

/** Headers for a file of a user, which is served from our origin and must not act as it. */
export function servingHeaders(contentType: string, name: string): Record<string, string> {
  const isShown = /^(audio|video)\//.test(contentType) || shown.has(contentType)
  return {
    'Content-Type': contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': policyFor(contentType),
    'Content-Disposition': `${isShown ? 'inline' : 'attachment'}; ${fileNameParameters(name)}`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}

/** The part of a file that a Range header asks for; undefined stands for all of it. */
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

/** How long a name may be, so that a header stays small whatever it is. */
const longestName = 255

/** The name for all clients, and once more for those that read more than ASCII (RFC 6266, RFC 8187). */
function fileNameParameters(name: string): string {
  const base = plainName(name)
  const ascii = base.replace(/[^ -~]|["\\%]/gu, '_')
  const simple = `filename="${ascii}"`
  return ascii === base ? simple : `${simple}; filename*=UTF-8''${encodeExtended(base)}`
}

/** The last part of a path, without characters that cannot be seen or that turn the direction of others. */
function plainName(name: string): string {
  const base = name.split(/[/\\]+/).findLast((part) => part !== '')
  const visible = (base ?? '')
    .slice(0, longestName)
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu, '')
    .trim()
  return visible === '' || /^\.+$/.test(visible) ? 'file' : visible
}

function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}
