export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2
}

/** Returns a percentile. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] as number
}

/** Prints a table whose first row is the header; all columns but the first are aligned to the right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const [head = []] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  for (const [index, row] of rows.entries()) {
    console.log(line(row))
    if (index === 0) console.log(widths.map((width) => '-'.repeat(width)).join('  '))
  }
  console.log()
}

/** Formats a goal and whether it was reached. */
export function formatGoal(value: number, limit: number, unit = ''): string {
  return `${value <= limit ? 'reached' : 'MISSED'} (${limit}${unit})`
}
