/** Adds an apostrophe to a cell that a spreadsheet would run as a formula; `parseCsv` removes it. */
const toCell = (value: string | number): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns rows as comma-separated values. */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')

export interface CsvRow {
  line: number
  cells: string[]
}

/**
 * Splits comma-, semicolon- or tab-separated values into rows with their line numbers; empty lines are omitted. If a quote is not closed,
 * the rest of the text is part of its cell, and `hasOpenQuote` is true.
 */
export function parseCsv(source: string): { rows: CsvRow[]; hasOpenQuote: boolean } {
  const text = source.replace(/^\uFEFF/, '')
  const separator = /^[^\n"]*?([\t;,])/.exec(text)?.[1] ?? ','
  const rows: CsvRow[] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let startLine = 1
  const endCell = () => {
    cells.push(cell.trim().replace(/^'(?=[=+\-@])/, ''))
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (cells.some((value) => value !== '')) rows.push({ line: startLine, cells })
    cells = []
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string
    if (letter === '\n') line++
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (text[at + 1] === '"') {
        cell += letter
        at++
      } else isQuoted = false
    } else if (letter === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (letter === separator) endCell()
    else if (letter === '\n') {
      endRow()
      startLine = line
    } else if (letter !== '\r') cell += letter
  }
  endRow()
  return { rows, hasOpenQuote: isQuoted }
}
