/** A spreadsheet would run a cell that begins like a formula, so it gets an apostrophe. */
const toCell = (value: string | number): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns rows as comma-separated values. */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')

/** Splits comma-, semicolon- or tab-separated values into rows with their line numbers; empty lines are omitted. */
export function parseCsv(text: string): { line: number; cells: string[] }[] {
  const separator = /^[^\n"]*?([\t;,])/.exec(text)?.[1] ?? ','
  const rows: { line: number; cells: string[] }[] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let startLine = 1
  const endRow = () => {
    cells.push(cell.trim())
    if (cells.some((value) => value !== '')) rows.push({ line: startLine, cells })
    cells = []
    cell = ''
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
    } else if (letter === separator) {
      cells.push(cell.trim())
      cell = ''
    } else if (letter === '\n') {
      endRow()
      startLine = line
    } else if (letter !== '\r') cell += letter
  }
  endRow()
  return rows
}
