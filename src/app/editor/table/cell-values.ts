import type { CellValue, ColumnDefinition } from '../../../content/document/nodes.ts'

const isList = (value: CellValue): value is readonly string[] => Array.isArray(value)

/** Returns the value of a cell as text for other programs. */
export function describeValue(value: CellValue | undefined): string {
  if (value === null || value === undefined) return ''
  if (isList(value)) return value.join(', ')
  if (typeof value !== 'object') return String(value)
  return 'ref' in value ? (value.alt ?? '') : 'url' in value ? value.url : ''
}

/** Returns the number in a text; null if it contains none. */
export function toNumber(text: string): number | null {
  const trimmed = text.trim()
  const number = Number(trimmed)
  return trimmed === '' || !Number.isFinite(number) ? null : number
}

/** Returns the selected options of a cell. */
export const chosenValues = (value: CellValue): readonly string[] =>
  typeof value === 'string' ? [value] : value !== null && typeof value === 'object' && isList(value) ? value : []

/** Returns the value of an empty cell, which is the same as after parsing Markdown. */
export function emptyValue(type: ColumnDefinition['type']): CellValue {
  if (type === 'checkbox') return false
  return type === 'select' || type === 'files' || type === 'users' ? [] : null
}
