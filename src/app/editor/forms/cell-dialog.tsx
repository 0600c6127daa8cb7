import { useState } from 'preact/hooks'
import type { CellValue } from '../../../content/document/nodes.ts'
import { type Chosen, PeoplePicker, chosenIds } from '../../screens/organization/people-picker.tsx'
import { LinkDialog } from '../../screens/edit/link-dialog.tsx'
import { ImageField } from '../../screens/edit/settings/cover-field.tsx'
import { Button } from '../../ui/button.tsx'
import { editorTexts } from '../editor-texts.ts'
import { toRef } from '../links.ts'
import { imageOf } from '../table/cards.ts'
import { chosenValues, emptyValue } from '../table/cell-values.ts'
import { type CellPlace, type Column, cellPosition, columnOf } from '../table/table-model.ts'
import { tableTexts as texts } from '../table/table-texts.ts'
import { FormFrame } from './form-frame.tsx'
import type { FormProps } from './form-props.ts'

interface CellProps extends FormProps {
  cell: CellPlace
}

/** Edits the value of a cell of another type than text. */
export function CellDialog(props: CellProps) {
  const { cell, view, place, number, onClose } = props
  const column = columnOf(cell.table, cell.column)
  const position = cellPosition(cell)
  const [value, setValue] = useState(view.state.doc.nodeAt(position)?.attrs['value'] as CellValue)
  const apply = (next: CellValue) => {
    view.dispatch(view.state.tr.setNodeAttribute(position, 'value', next))
    onClose()
  }
  if (column.type === 'content-ref')
    return (
      <LinkDialog
        place={place}
        number={number}
        onClose={onClose}
        onInsert={(destination, _, pageId) => apply(toRef(destination, pageId))}
      />
    )
  return (
    <FormFrame
      title={cell.table.child(0).child(cell.column).textContent || texts.value}
      onClose={onClose}
      onApply={() => apply(value)}
      otherActions={<Button onClick={() => apply(emptyValue(column.type))}>{editorTexts.delete}</Button>}
    >
      <ValueFields {...props} column={column} value={value} onChange={setValue} />
    </FormFrame>
  )
}

interface ValueProps extends CellProps {
  column: Column
  value: CellValue
  onChange: (value: CellValue) => void
}

function ValueFields({ column, value, onChange, place, organizationId }: ValueProps) {
  if (column.type === 'select') return <OptionFields column={column} value={value} onChange={onChange} />
  if (column.type === 'users') {
    const chosen: Chosen = new Map(chosenValues(value).map((id) => [id, 'user']))
    const change = (next: Chosen) => {
      const ids = chosenIds(next, 'user')
      onChange(column.multiple ? ids : ids.slice(-1))
    }
    return <PeoplePicker organizationId={organizationId} chosen={chosen} onChange={change} />
  }
  return (
    <ImageField
      place={place}
      organizationId={organizationId}
      label={texts.image}
      value={imageOf(value)}
      onChange={(image) => {
        if (column.type === 'files') onChange(image?.kind === 'file' ? [image.file] : [])
        else onChange(image ? { ref: image } : null)
      }}
    />
  )
}

interface OptionProps {
  column: Extract<Column, { type: 'select' }>
  value: CellValue
  onChange: (value: CellValue) => void
}

function OptionFields({ column: { options, multiple }, value, onChange }: OptionProps) {
  const chosen = chosenValues(value)
  if (options.length === 0) return <p class="quiet">{texts.noOptions}</p>
  const toggle = (option: string) => {
    const others = chosen.filter((one) => one !== option)
    if (multiple) onChange(others.length < chosen.length ? others : [...others, option])
    else onChange([option])
  }
  return (
    <fieldset class="cr-options">
      <legend class="sr-only">{texts.value}</legend>
      {options.map(({ value: option, label }) => (
        <label key={option} class="cr-option">
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name="option"
            checked={chosen.includes(option)}
            onChange={() => toggle(option)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
