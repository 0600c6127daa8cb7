import { maxCells } from '../document/limits.ts'

export interface CellSpan {
  rowSpan: number
  colSpan: number
}

/**
 * In which column each written cell of each row stands, as browsers have it: below and beside one that covers places there
 * is no other. Undefined when the cells do not fit: then those that are covered are written too, and all stand where they
 * were written.
 */
export function placesOfCells(
  rows: readonly (readonly CellSpan[])[],
  width: number,
): readonly (readonly number[])[] | undefined {
  const takenUntil = Array.from({ length: width }, () => 0)
  const places: number[][] = []
  for (const [row, cells] of rows.entries()) {
    const isTaken = (column: number) => (takenUntil[column] ?? 0) > row
    const placed: number[] = []
    let column = 0
    for (const { rowSpan, colSpan } of cells) {
      while (isTaken(column)) column++
      if (column + colSpan > width) return undefined
      placed.push(column)
      for (const end = column + colSpan; column < end; column++) {
        if (isTaken(column)) return undefined
        takenUntil[column] = row + rowSpan
      }
    }
    places.push(placed)
  }
  return places
}

/** Whether a table of so many places is one that somebody would write; else a few letters would make millions of cells. */
export const isWritable = (places: number, written: number): boolean => places <= 100 + 4 * written

/** How many cells a table may get that so many were written of, all cells of rows wider than the others included. */
export const mostCells = (written: number): number => Math.min(100 + 4 * written, maxCells)
