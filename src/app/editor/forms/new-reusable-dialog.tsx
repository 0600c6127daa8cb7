import { useState } from 'preact/hooks'
import type { Block } from '../../../content/document/nodes.ts'
import type { DocumentBody } from '../../../contract/document.ts'
import { changeContent, toContentPath } from '../../data/content-place.ts'
import { invalidate } from '../../data/query.ts'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import { TextField } from '../../ui/fields.tsx'
import { useAction } from '../../ui/use-action.ts'
import { followRange } from '../follow-range.ts'
import { withoutKeys } from '../json.ts'
import { containsBlocks, nodeType } from '../schema.ts'
import { toBlock } from '../to-document.ts'
import type { FormProps } from './form-props.ts'
import { FormFrame } from './form-frame.tsx'
import { formTexts as texts } from './form-texts.ts'

/** Moves the selected blocks, or the block at a position, into a new reusable content, and includes that instead. */
export function NewReusableDialog({ view, place, position, onClose }: FormProps & { position: number }) {
  const [title, setTitle] = useState('')
  const [create, isCreating] = useAction(async () => {
    const { doc, selection } = view.state
    const end = position + (doc.nodeAt(position)?.nodeSize ?? 0)
    const isSelected = selection.from < end && selection.to > position
    const isLarger = isSelected && (selection.from < position || selection.to > end)
    const range = isLarger ? selection.$from.blockRange(selection.$to, containsBlocks) : null
    const [from, to] = range ? [range.start, range.end] : [position, end]
    const blocks = doc.slice(from, to).content.content.map((node) => toBlock(node, new WeakMap()))
    const followed = followRange(view, from, to)
    try {
      const json = await createReusableContent(place, title.trim(), blocks)
      if (json && followed.from < followed.to)
        view.dispatch(
          view.state.tr.replaceWith(followed.from, followed.to, nodeType('protected_block').create({ json })),
        )
      onClose()
      view.focus()
    } finally {
      followed.stop()
    }
  })
  return (
    <FormFrame
      title={texts.newReusable}
      isNew
      isBusy={isCreating}
      isComplete={title.trim() !== ''}
      onApply={() => void create()}
      onClose={onClose}
    >
      <TextField label={texts.title} hint={texts.newReusableHint} autoFocus value={title} onInput={setTitle} />
    </FormFrame>
  )
}

/** Adds a reusable content with blocks to the space; returns the block that includes it. */
async function createReusableContent(
  place: PagePlace,
  title: string,
  blocks: readonly Block[],
): Promise<Block | undefined> {
  const document = { object: 'document', data: { schemaVersion: 1 }, nodes: withoutKeys(blocks) }
  const { changes } = await changeContent(place, [
    { operation: 'insert_reusable_content', title, document: { document } as unknown as DocumentBody },
  ])
  invalidate(`${toContentPath(place)}/reusable-contents`)
  const [created] = changes
  if (created?.object !== 'created_reusable_content') return undefined
  const ref = { kind: 'reusable-content', reusableContent: created.reusableContent } as const
  return { object: 'block', type: 'reusable-content', isVoid: true, data: { ref } }
}
