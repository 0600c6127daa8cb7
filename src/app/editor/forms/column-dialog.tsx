import { useState } from 'preact/hooks'
import { Checkbox, SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { columnWidths } from '../table/column-resizer.ts'
import { changeColumn, listOptions } from '../table/change-columns.ts'
import { setColumnWidth } from '../table/table-columns.ts'
import { type CellPlace, type Column, columnOf, dataOfTable } from '../table/table-model.ts'
import { tableTexts as texts } from '../table/table-texts.ts'
import { FormFrame } from './form-frame.tsx'
import type { FormProps } from './form-props.ts'

const types = ['text', 'number', 'checkbox', 'select', 'rating', 'users', 'files', 'content-ref', 'image'] as const
const alignments = ['left', 'center', 'right'] as const

/** Changes the type, alignment, width and options of a column. */
export function ColumnDialog({ cell, view, onClose }: FormProps & { cell: CellPlace }) {
  const before = columnOf(cell.table, cell.column)
  const { view: shown } = dataOfTable(cell.table)
  const formerWidth = shown.type === 'grid' ? shown.columnWidths?.[before.id] : undefined
  const [column, setColumn] = useState<Column>(before)
  const [width, setWidth] = useState(formerWidth === undefined ? '' : String(formerWidth))
  const save = () => {
    view.dispatch(changeColumn(view.state, cell, column))
    const pixels = Math.round(Math.max(columnWidths.min, Math.min(Number(width), columnWidths.max)))
    const next = width.trim() === '' || Number.isNaN(pixels) ? undefined : pixels
    const table = view.state.doc.nodeAt(cell.at)
    if (next !== formerWidth && table) view.dispatch(setColumnWidth(view.state, { ...cell, table }, next))
    onClose()
    view.focus()
  }
  return (
    <FormFrame title={texts.columnSettings} onClose={onClose} onApply={save}>
      <SelectField
        label={texts.type}
        value={column.type}
        options={types.map((value) => ({ value, title: texts[`type_${value}`] }))}
        hint={column.type === before.type ? undefined : texts.typeHint}
        onChange={(type) => setColumn(type === before.type ? before : createColumn(before.id, type, cell))}
      />
      <ColumnFields column={column} onChange={setColumn} />
      {shown.type === 'grid' && (
        <TextField label={texts.width} hint={texts.widthHint} type="number" value={width} onInput={setWidth} />
      )}
    </FormFrame>
  )
}

/** Creates a column of another type; the options of a choice are the texts of the cells. */
function createColumn(id: string, type: Column['type'], cell: CellPlace): Column {
  switch (type) {
    case 'text':
      return { id, type, textAlignment: 'left' }
    case 'select':
      return { id, type, multiple: false, options: listOptions(cell) }
    case 'rating':
      return { id, type, max: 5 }
    case 'users':
      return { id, type, multiple: false }
    default:
      return { id, type }
  }
}

function ColumnFields({ column, onChange }: { column: Column; onChange: (column: Column) => void }) {
  switch (column.type) {
    case 'text':
      return (
        <Segmented
          label={texts.alignment}
          value={column.textAlignment ?? 'left'}
          options={alignments.map((value) => ({ value, title: texts[`align_${value}`] }))}
          onChange={(textAlignment) => onChange({ ...column, textAlignment })}
        />
      )
    case 'select':
      return (
        <>
          <TextArea
            label={texts.options}
            value={column.options.map(({ label }) => label).join('\n')}
            onInput={(text) => onChange({ ...column, options: toOptions(text, column.options) })}
          />
          <Checkbox
            label={texts.multiple}
            checked={column.multiple === true}
            onChange={(multiple) => onChange({ ...column, multiple })}
          />
        </>
      )
    case 'users':
      return (
        <Checkbox
          label={texts.multiple}
          checked={column.multiple === true}
          onChange={(multiple) => onChange({ ...column, multiple })}
        />
      )
    case 'rating':
      return (
        <TextField
          label={texts.maxRating}
          type="number"
          value={String(column.max)}
          onInput={(text) => onChange({ ...column, max: Math.max(1, Math.min(Math.round(Number(text)) || 1, 100)) })}
        />
      )
    default:
      return null
  }
}

type Options = Extract<Column, { type: 'select' }>['options']

/** Returns the options for lines of text; those that were not changed keep their value and color. */
function toOptions(text: string, before: Options): Options {
  const lines = text.split('\n')
  return lines.map((label, index) => {
    const known = before.find((option) => option.label === label)
    const edited = lines.length === before.length ? before[index] : undefined
    return { ...(known ?? edited ?? { value: label, color: 'default' }), label }
  })
}
