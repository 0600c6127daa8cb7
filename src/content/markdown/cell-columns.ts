import { maxCells } from '../document/limits.ts'

export interface CellSpan {
  rowSpan: number
  colSpan: number
}

/**
 * Returns the column of each written cell of each row, computed as in browsers: positions covered by a row or column span are
 * skipped. Returns undefined if the cells do not fit; covered cells are then written too, and the column of a cell is its index.
 */
export function findCellColumns(
  rows: readonly (readonly CellSpan[])[],
  width: number,
): readonly (readonly number[])[] | undefined {
  const takenUntil = Array.from({ length: width }, () => 0)
  const columns: number[][] = []
  for (const [row, cells] of rows.entries()) {
    const isTaken = (column: number) => (takenUntil[column] ?? 0) > row
    const rowColumns: number[] = []
    let column = 0
    for (const { rowSpan, colSpan } of cells) {
      while (isTaken(column)) column++
      if (column + colSpan > width) return undefined
      rowColumns.push(column)
      for (const end = column + colSpan; column < end; column++) {
        if (isTaken(column)) return undefined
        takenUntil[column] = row + rowSpan
      }
    }
    columns.push(rowColumns)
  }
  return columns
}

/**
 * Whether a table of this size is plausible for the number of written cells; otherwise a few characters could create millions of
 * cells.
 */
export const isPlausibleTableSize = (cellCount: number, writtenCount: number): boolean =>
  cellCount <= 100 + 4 * writtenCount

/**
 * Returns the maximum number of cells of a table, given the number of written cells; includes the cells added by rows that are
 * wider than the others.
 */
export const maxCellsFor = (writtenCount: number): number => Math.min(100 + 4 * writtenCount, maxCells)
