/**
 * Parses comma-separated values, or those of spreadsheets that write semicolons: fields may be in quotes, with quotes doubled. Empty
 * lines are ignored. Returns undefined if a quote is misplaced.
 */
export function parseCsv(text: string): string[][] | undefined {
  const source = text.replace(/^\uFEFF/, '')
  const [head = ''] = source.split('\n', 1)
  const separator = head.includes(';') && !head.includes(',') ? ';' : ','
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'gy')
  const rows: string[][] = []
  let row: string[] = []
  while (pattern.lastIndex < source.length) {
    const match = pattern.exec(source)
    if (!match) return undefined
    const [, quoted, plain = '', end] = match
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === separator) continue
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows.filter((fields) => fields.some((field) => field.trim() !== ''))
}

/** Formats rows as comma-separated values. */
export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(formatField).join(',')}\r\n`).join('')

const formatField = (field: string): string => (/[",;\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)
