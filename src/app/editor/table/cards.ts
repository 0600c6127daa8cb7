import type { EditorState, Transaction } from 'prosemirror-state'
import type { CellValue, ColumnDefinition } from '../../../content/document/nodes.ts'
import { type CellPlace, cellPosition, columnIds, dataOfTable, newName, rowPosition } from './table-model.ts'

/** Content of a hidden column of cards. */
export type CardRole = 'targetDefinition' | 'coverDefinition' | 'coverDefinitionDark'

const roleTypes = { targetDefinition: 'content-ref', coverDefinition: 'image', coverDefinitionDark: 'image' } as const

/** Returns the link or a cover of a card. */
export function cardValue({ table, row }: CellPlace, role: CardRole): CellValue | undefined {
  const { view } = dataOfTable(table)
  const id = view.type === 'cards' ? view[role] : undefined
  if (id === undefined) return undefined
  const line = table.child(row)
  const visible = line.children.find(({ attrs }) => attrs['column'] === id)
  const values = (line.attrs['hidden'] ?? {}) as Readonly<Record<string, CellValue>>
  return visible ? (visible.attrs['value'] as CellValue | undefined) : values[id]
}

/** Sets the link or a cover of a card, in a new hidden column if the cards have no column for it. */
export function setCardValue(state: EditorState, place: CellPlace, role: CardRole, value: CellValue): Transaction {
  const { table, at, row } = place
  const data = dataOfTable(table)
  const { view } = data
  const tr = state.tr
  if (view.type !== 'cards') return tr
  const id = view[role] ?? newName('c')
  const column = columnIds(table).indexOf(id)
  if (column >= 0) return tr.setNodeAttribute(cellPosition({ ...place, column }), 'value', value)
  const line = table.child(row)
  const { [id]: former, ...others } = (line.attrs['hidden'] ?? {}) as Record<string, CellValue>
  // A column of files has a list of them.
  const stored = Array.isArray(former) ? toFiles(value) : value
  tr.setNodeAttribute(rowPosition(table, at, row), 'hidden', { ...others, [id]: stored })
  if (view[role] !== undefined) return tr
  const added: ColumnDefinition = { id, title: '', type: roleTypes[role] }
  return tr.setNodeAttribute(at, 'data', {
    ...data,
    view: { ...view, [role]: id },
    definition: { ...data.definition, [id]: added },
  })
}

function toFiles(value: CellValue): CellValue {
  if (value === null || typeof value !== 'object' || !('ref' in value)) return value === null ? [] : value
  return value.ref.kind === 'file' ? [value.ref.file] : value
}

/** Returns the image of a cell. */
export function imageOf(
  value: CellValue | undefined,
): { kind: 'file'; file: string } | { kind: 'url'; url: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return value[0] === undefined ? undefined : { kind: 'file', file: value[0] as string }
  const ref = 'ref' in value ? value.ref : 'kind' in value ? value : undefined
  if (ref?.kind === 'file') return { kind: 'file', file: ref.file }
  return ref?.kind === 'url' ? { kind: 'url', url: ref.url } : undefined
}
