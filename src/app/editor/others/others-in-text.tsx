import { useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import { useOthers } from '../../screens/edit/use-presence.ts'
import type { BlockTools } from '../blocks/block-tools.ts'
import type { VisualEditorModel } from '../use-visual-editor.ts'
import { findBlock, showOthers } from './other-cursors.ts'

interface OthersInTextProps {
  editor: VisualEditorModel
  tools: BlockTools
  place: PagePlace
}

/** Marks the blocks with the cursors of other users, and reports the block with the cursor of this user. */
export function OthersInText({ editor, tools, place }: OthersInTextProps) {
  const { block, changes, getView } = editor
  const others = useOthers(place).flatMap((one) =>
    one.block === undefined ? [] : [{ block: one.block, name: one.user.displayName }],
  )
  useSignalEffect(() => {
    const view = changes.value >= 0 ? getView() : undefined
    // The cursor remains where it was while the focus is elsewhere.
    if (view?.hasFocus()) block.value = findBlock(view.state.selection, tools) ?? block.peek()
  })
  useEffect(() => {
    const view = getView()
    if (view) showOthers(view, others, tools)
  }, [JSON.stringify(others)])
  return null
}
