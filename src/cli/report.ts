import { styleText } from 'node:util'
import type { RepositoryProblem } from '../content/repository/source.ts'

/** A number with what is counted. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Text that cannot do anything to a terminal: names of files may hold what they like. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')
}

/** One line for each warning, as editors and `grep` know them; what concerns a whole file is told of its first line. */
export function warningLines(problems: readonly RepositoryProblem[], { isColored = hasColors() } = {}): string[] {
  return problems.map(({ file, line = 1, message }) => {
    const place = `${printable(file)}:${line}`
    return `${isColored ? styleText('cyan', place) : place}  ${printable(message)}`
  })
}

/** Maximum number of items that an error message lists. */
export const maxChoices = 20

/** Lists what could have been named instead, for an error message; nothing when the list is too long. */
export function choices(items: readonly { id: string; title: string }[]): string {
  if (items.length === 0) return ' None exist.'
  if (items.length > maxChoices) return ''
  return ` Available:${items.map(({ id, title }) => `\n  ${id}  ${printable(title)}`).join('')}`
}

/** What a listing of warnings ends after, unless all are asked for. */
const firstWarnings = 20

/** The first of many lines, and how many more there are. */
export function shortened(lines: readonly string[], isWhole: boolean, howToSeeAll: string): string[] {
  if (isWhole || lines.length <= firstWarnings) return [...lines]
  return [
    ...lines.slice(0, firstWarnings),
    `… and ${lines.length - firstWarnings} more; use ${howToSeeAll} to show all`,
  ]
}

export function hasColors(): boolean {
  return process.stdout.isTTY && process.stdout.hasColors()
}

/** How long something took, for people. */
export function duration(milliseconds: number): string {
  const whole = Math.round(milliseconds / 1000)
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
