import type { Node } from 'prosemirror-model'
import type { InlineElement } from '../../../content/document/nodes.ts'
import { LinkDialog } from '../../screens/edit/link-dialog.tsx'
import { insertBlock, placeCursorAfter } from '../files.ts'
import { nodeType } from '../schema.ts'
import { toRef } from '../links.ts'
import { setCardValue } from '../table/cards.ts'
import { findCell } from '../table/table-model.ts'
import { AnnotationDialog } from './annotation-dialog.tsx'
import { BlockDialog } from './block-dialog.tsx'
import { CellDialog } from './cell-dialog.tsx'
import { ColumnDialog } from './column-dialog.tsx'
import { CoverDialog } from './cover-dialog.tsx'
import type { FormProps } from './form-props.ts'
import { ImageDialog } from './image-dialog.tsx'
import { InlineDialog } from './inline-dialog.tsx'
import { NewReusableDialog } from './new-reusable-dialog.tsx'
import { SourceDialog } from './source-dialog.tsx'
import { TableDialog } from './table-dialog.tsx'

/** Replaces the edited node, or inserts a new one. */
function apply({ getForm, view, onClose }: FormProps, node: Node): void {
  const form = getForm()
  if (!form) return
  const { position } = form
  const { tr } = view.state
  if (position !== undefined) tr.setNodeMarkup(position, undefined, node.attrs)
  else if (node.isInline) tr.replaceSelectionWith(node, false).scrollIntoView()
  else placeCursorAfter(tr, insertBlock(tr, node, tr.selection.head))
  view.dispatch(tr)
  onClose()
  view.focus()
}

/** Shows the form for a part of the page. */
export function EditorFormDialog(props: FormProps) {
  const { form } = props
  switch (form.kind) {
    case 'block':
      return (
        <BlockDialog
          {...props}
          block={form.block}
          isNew={form.position === undefined}
          onApply={(json) => apply(props, nodeType('protected_block').create({ json }))}
        />
      )
    case 'inline': {
      const input = {
        ...props,
        isNew: form.position === undefined,
        onApply: (json: InlineElement) => apply(props, nodeType('protected_inline').create({ json })),
      }
      return form.inline.type === 'annotation' ? (
        <AnnotationDialog {...input} inline={form.inline} />
      ) : (
        <InlineDialog {...input} inline={form.inline} />
      )
    }
    case 'source':
      return <SourceDialog {...props} block={form.block} position={form.position} />
    case 'new-reusable':
      return <NewReusableDialog {...props} position={form.position} />
    case 'image':
      return <ImageDialog {...props} />
    default:
      return <TableForm {...props} kind={form.kind} position={form.position} />
  }
}

interface TableFormProps extends FormProps {
  kind: 'cell' | 'column' | 'table' | 'card-link' | 'card-cover'
  position: number
}

function TableForm(props: TableFormProps) {
  const { kind, position, view, place, number, onClose } = props
  const cell = findCell(view.state.doc.resolve(Math.min(position, view.state.doc.content.size)))
  if (!cell) return null
  const input = { ...props, cell }
  switch (kind) {
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
