import { emojiCode } from './emoji.ts'

/** A text as it stands in Markdown, so that it is read back as just that text. */
export function escapeText(text: string): string {
  return (
    text
      .replace(/[\\`*_[\]<~]/g, '\\$&')
      .replace(/&(?=#?\w+;)/g, '\\&')
      // A single dollar is text, unless it touches another one.
      .replace(/\$(?=\$|$)|(?<=^|\$)\$/g, (dollar) => `\\${dollar}`)
      .replace(/:(?=([a-z0-9_+-]+):)/g, (colon, name: string) => (emojiCode(name) === undefined ? colon : `\\${colon}`))
      .replace(/(https?)(?=:\/\/)/gi, (scheme) => `${scheme}\\`)
      .replace(/www\./gi, (prefix) => `${prefix.slice(0, 3)}\\.`)
      .replace(/@(?=[\w.-]+\.)/g, '\\@')
      // Beside the text of an item it would close a block.
      .replace(/\{(?=%\s*end[\w-]*\s*%\})/g, '\\{')
      // Before a link it would make an image of it.
      .replace(/!$/, '\\!')
  )
}

const blockStart = /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|\d{1,9}(?=[.)](?:\s|$))|[=|-][=|:\s-]*$|:?-[|:\s-]*$|\{%|\t|~~~)/

/** Lines of a paragraph, none of which begins like another kind of block. */
export function escapeLineStarts(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => {
      const start = blockStart.exec(line)?.[0]
      if (start === undefined) return line
      return /^\d/.test(start) ? `${start}\\${line.slice(start.length)}` : `\\${line}`
    })
    .join('\n')
}

/** Spaces at the edge of a line would be lost. */
export function keepEdgeSpaces(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => line.replace(/^[ \t]/, '&#x20;').replace(/[ \t](?=\\?$)/, '&#x20;'))
    .join('\n')
}

/** A text without the blanks at its end; an expression such as ` +$` would begin anew at every blank before. */
export function withoutFinalSpaces(text: string): string {
  return text.slice(0, startOfFinal(text, ' '))
}

/** Where the run of a character at the end of a text begins. */
export function startOfFinal(text: string, character: string): number {
  let start = text.length
  while (start > 0 && text[start - 1] === character) start--
  return start
}

/** The destination of a link. */
export function linkDestination(destination: string): string {
  if (destination === '' || /[\s()<>\\]/.test(destination)) {
    return `<${destination.replace(/[\\<>]|&(?=#?\w+;)/g, '\\$&').replace(/\n/g, '%0A')}>`
  }
  return destination.replace(/&(?=#?\w+;)/g, '\\&')
}

/** A code span; as many backticks as it takes. */
export function codeSpan(text: string): string {
  const runs = new Set(Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  let length = 1
  while (runs.has(length)) length++
  const fence = '`'.repeat(length)
  const padded = /^`|`$|^ .* $/.test(text) && text.trim() !== '' ? ` ${text} ` : text
  return `${fence}${padded}${fence}`
}
