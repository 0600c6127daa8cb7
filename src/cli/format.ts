import { styleText } from 'node:util'
import type { RepositoryProblem } from '../content/repository/source.ts'

/** Formats a number with the singular or plural of a noun. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Replaces control characters, because names of files may contain escape sequences for the terminal. */
export function toPrintable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')
}

/** Formats warnings as `file:line  message`, which editors and `grep` recognize; without a line, the line is 1. */
export function formatWarnings(problems: readonly RepositoryProblem[], { isColored = hasColors() } = {}): string[] {
  return problems.map(({ file, line = 1, message }) => {
    const position = `${toPrintable(file)}:${line}`
    return `${isColored ? styleText('cyan', position) : position}  ${toPrintable(message)}`
  })
}

/** Maximum number of items that an error message lists. */
export const maxChoices = 20

/** Lists the possible values for an error message; empty if there are too many. */
export function formatChoices(items: readonly { id: string; title: string }[]): string {
  if (items.length === 0) return ' None exist.'
  if (items.length > maxChoices) return ''
  return ` Available:${items.map(({ id, title }) => `\n  ${id}  ${toPrintable(title)}`).join('')}`
}

/** Maximum number of printed warnings, unless all are requested. */
const maxPrintedLines = 20

/** Returns the first lines, and a line with the number of the others. */
export function truncateLines(lines: readonly string[], showsAll: boolean, showAllOption: string): string[] {
  if (showsAll || lines.length <= maxPrintedLines) return [...lines]
  return [
    ...lines.slice(0, maxPrintedLines),
    `… and ${lines.length - maxPrintedLines} more; use ${showAllOption} to show all`,
  ]
}

export function hasColors(): boolean {
  return process.stdout.isTTY && process.stdout.hasColors()
}

/** Formats a duration. */
export function formatDuration(milliseconds: number): string {
  const totalSeconds = Math.round(milliseconds / 1000)
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return totalSeconds < 60 ? `${totalSeconds} s` : `${Math.floor(totalSeconds / 60)} min ${totalSeconds % 60} s`
}
