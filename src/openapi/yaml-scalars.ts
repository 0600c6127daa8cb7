// Scalars of YAML, and functions that its parsers share.

/** Thrown for YAML that this parser does not read. */
export class UnsupportedYaml extends Error {}

export const unsupported = (): never => {
  throw new UnsupportedYaml()
}

/** Start of an unquoted key or text. Other first characters have a meaning, or are rare. */
export const plainStart = /^(?:[A-Za-z0-9_/$.(+<=\\^~;]|-(?=[^\s-])|[\u0080-\u{10ffff}])/u

/** Maximum depth of maps and lists; the YAML parser reports deeper ones. */
export const maxDepth = 90

const space = 32
export const hash = 35

export function countSpaces(line: string): number {
  let count = 0
  while (line.charCodeAt(count) === space) count++
  return count
}

/** Removes spaces at the end; `trimEnd` also removes characters that are text in YAML. */
export function trimSpaceEnd(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === space) end--
  return text.slice(0, end)
}

export const trimSpaceStart = (text: string): string => text.slice(countSpaces(text))

export const isBlank = (line: string | undefined): boolean => line !== undefined && countSpaces(line) === line.length

/** Returns the position of the closing quote; undefined if the text does not contain it. */
export function findQuote(text: string, quote: string): number | undefined {
  if (quote === "'") {
    for (let end = text.indexOf("'"); end !== -1; end = text.indexOf("'", end + 2))
      if (text[end + 1] !== "'") return end
    return undefined
  }
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '"') return index
  }
  return undefined
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  '/': '/',
  '\\': '\\',
  b: '\b',
  f: '\f',
}

export function unescape(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(
    /\\(?:u([\da-fA-F]{4})|([^]))/g,
    (_, code: string | undefined, character: string | undefined) =>
      code === undefined ? (escapes[character ?? ''] ?? unsupported()) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

export function removeComment(text: string): string {
  const comment = text.search(/ +#/)
  return comment === -1 ? text : text.slice(0, comment)
}

/** Returns the value of an unquoted text. */
export function resolvePlain(text: string): string | number | boolean | null {
  if (!/^[-+.~\dntfNTF]/.test(text)) return text
  if (/^(?:~|null|Null|NULL)$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  if (/^[-+]?\d+$/.test(text)) return Number.parseInt(text, 10)
  if (/^[-+]?(?:\.\d+|\d+\.\d*)$/.test(text)) return Number.parseFloat(text)
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)[eE][-+]?\d+$/.test(text)) return Number(text)
  if (/^0[ox]|^[-+]?\.(?:inf|nan)$/i.test(text)) unsupported()
  return text
}

/** Joins the lines of a folded text: line breaks become spaces, except around empty and further indented lines. */
export function foldLines(lines: readonly string[]): string {
  let folded = ''
  let emptyLines = 0
  let previous: string | undefined
  for (const line of lines) {
    if (line === '') {
      emptyLines++
      continue
    }
    if (/^[ \t]/.test(line)) unsupported()
    if (previous === undefined) folded = '\n'.repeat(emptyLines)
    else folded += emptyLines === 0 ? ' ' : '\n'.repeat(emptyLines)
    folded += line
    emptyLines = 0
    previous = line
  }
  return folded
}
