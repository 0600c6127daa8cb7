import type { EditorView } from 'prosemirror-view'
import { LinkDialog } from '../../screens/edit/link-dialog.tsx'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import { toRef } from '../links.ts'
import { setCardValue } from '../table/cards.ts'
import { findCell } from '../table/table-model.ts'
import { CellDialog } from './cell-dialog.tsx'
import { ColumnDialog } from './column-dialog.tsx'
import { CoverDialog } from './cover-dialog.tsx'
import type { EditorForm } from './form-state.ts'
import { TableDialog } from './table-dialog.tsx'

export interface FormProps {
  form: EditorForm
  view: EditorView
  place: PagePlace
  organizationId: string
  /** Number of the change request. */
  number: string
  onClose: () => void
}

/** Shows the form for a part of the page. */
export function EditorFormDialog(props: FormProps) {
  const { form, view, place, number, onClose } = props
  const cell = findCell(view.state.doc.resolve(Math.min(form.position, view.state.doc.content.size)))
  if (!cell) return null
  const input = { ...props, cell }
  switch (form.kind) {
    case 'cell':
      return <CellDialog {...input} />
    case 'column':
      return <ColumnDialog {...input} />
    case 'table':
      return <TableDialog {...input} />
    case 'card-cover':
      return <CoverDialog {...input} />
    case 'card-link':
      return (
        <LinkDialog
          place={place}
          number={number}
          onClose={onClose}
          onInsert={(destination, _, pageId) => {
            view.dispatch(setCardValue(view.state, cell, 'targetDefinition', toRef(destination, pageId)))
            onClose()
          }}
        />
      )
  }
}
