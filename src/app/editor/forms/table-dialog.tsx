import { useState } from 'preact/hooks'
import { fillText } from '../../texts.ts'
import { Checkbox } from '../../ui/fields.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { changeView, titlesOf } from '../table/table-view.ts'
import { type CellPlace, type EditedTableData, dataOfTable } from '../table/table-model.ts'
import { tableTexts as texts } from '../table/table-texts.ts'
import { FormFrame } from './form-frame.tsx'
import type { FormProps } from './form-props.ts'

type View = EditedTableData['view']
type Grid = Extract<View, { type: 'grid' }>
type Cards = Extract<View, { type: 'cards' }>

const viewTypes = ['grid', 'cards'] as const

/** Changes how a table is shown, and which columns are visible. */
export function TableDialog({ cell, view, onClose }: FormProps & { cell: CellPlace }) {
  const data = dataOfTable(cell.table)
  const [shown, setShown] = useState<View>(data.view)
  const [fullWidth, setFullWidth] = useState(data.fullWidth === true)
  const [search, setSearch] = useState(data.search === true)
  const titles = titlesOf(cell.table)
  const save = () => {
    const { fullWidth: _, search: __, ...rest } = data
    const next = {
      ...rest,
      ...(fullWidth && { fullWidth }),
      ...((search || data.search !== undefined) && { search }),
    }
    view.dispatch(changeView(view.state, cell, next, shown))
    onClose()
    view.focus()
  }
  const toggle = (id: string, isVisible: boolean) =>
    setShown({
      ...shown,
      columns: [...titles.keys()].filter((one) => (one === id ? isVisible : shown.columns.includes(one))),
    })
  return (
    <FormFrame
      title={shown.type === 'cards' ? texts.cardSettings : texts.tableSettings}
      onClose={onClose}
      onApply={save}
      isComplete={shown.columns.length > 0}
    >
      <Segmented
        label={texts.view}
        value={shown.type}
        options={viewTypes.map((value) => ({ value, title: texts[`view_${value}`] }))}
        onChange={(type) => setShown(type === data.view.type ? data.view : createView(type, shown))}
      />
      {shown.type === 'grid' ? (
        <GridFields view={shown} onChange={setShown} />
      ) : (
        <CardFields view={shown} onChange={setShown} />
      )}
      <Checkbox label={texts.fullWidth} checked={fullWidth} onChange={setFullWidth} />
      <Checkbox label={texts.search} checked={search} onChange={setSearch} />
      <fieldset class="ui-field">
        <legend class="ui-field-label">{texts.visibleColumns}</legend>
        {[...titles].map(([id, title], index) => (
          <Checkbox
            key={id}
            label={title || fillText(texts.untitled, { number: index + 1 })}
            checked={shown.columns.includes(id)}
            onChange={(isVisible) => toggle(id, isVisible)}
          />
        ))}
      </fieldset>
    </FormFrame>
  )
}

const createView = (type: View['type'], { columns }: View): View =>
  type === 'grid' ? { type, columns, hideHeader: false } : { type, columns, cardSize: 'medium' }

function GridFields({ view, onChange }: { view: Grid; onChange: (view: Grid) => void }) {
  const { stickyHeader: isStickyHeader = false, stickyFirstColumn: isStickyColumn = false, ...rest } = view
  const change = (hasHeader: boolean, hasStickyHeader: boolean, hasStickyColumn: boolean) =>
    onChange({
      ...rest,
      hideHeader: !hasHeader,
      ...(hasStickyHeader && { stickyHeader: true }),
      ...(hasStickyColumn && { stickyFirstColumn: true }),
    })
  const hasHeader = !view.hideHeader
  return (
    <>
      <Checkbox
        label={texts.headerRow}
        checked={hasHeader}
        onChange={(next) => change(next, isStickyHeader, isStickyColumn)}
      />
      <Checkbox
        label={texts.stickyHeader}
        checked={isStickyHeader}
        onChange={(next) => change(hasHeader, next, isStickyColumn)}
      />
      <Checkbox
        label={texts.stickyFirstColumn}
        checked={isStickyColumn}
        onChange={(next) => change(hasHeader, isStickyHeader, next)}
      />
    </>
  )
}

function CardFields({ view, onChange }: { view: Cards; onChange: (view: Cards) => void }) {
  return (
    <>
      <Checkbox
        label={texts.largeCards}
        checked={view.cardSize === 'large'}
        onChange={(isLarge) => onChange({ ...view, cardSize: isLarge ? 'large' : 'medium' })}
      />
      <Checkbox
        label={texts.columnTitles}
        checked={view.hideColumnTitle === false}
        onChange={(areShown) => onChange({ ...view, hideColumnTitle: !areShown })}
      />
    </>
  )
}
