import { useEffect, useState } from 'preact/hooks'
import type { Block } from '../../../content/document/nodes.ts'
import type { ApiError } from '../../api.ts'
import { TextArea } from '../../ui/fields.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { editorTexts as texts } from '../editor-texts.ts'
import { followRange } from '../follow-range.ts'
import { parseMarkdown, printBlocks } from '../markdown.ts'
import { FormFrame } from './form-frame.tsx'
import type { FormProps } from './form-props.ts'

interface SourceDialogProps extends FormProps {
  block: Block
  position: number
}

/** Edits the Markdown of a block that is not edited in place. */
export function SourceDialog({ block, position, place, view, toNodes, onClose }: SourceDialogProps) {
  const [markdown, setMarkdown] = useState<string>()
  const [error, setError] = useState<ApiError>()
  const load = () => {
    setError(undefined)
    printBlocks(place, [block]).then(setMarkdown, (thrown: ApiError) => setError(thrown))
  }
  useEffect(load, [])
  const [save, isSaving] = useAction(async () => {
    const range = followRange(view, position, position + (view.state.doc.nodeAt(position)?.nodeSize ?? 0))
    try {
      const [first, ...others] = await parseMarkdown(place, markdown ?? '')
      const blocks = first ? [{ ...first, ...(block.key !== undefined && { key: block.key }) }, ...others] : []
      if (range.from < range.to) view.dispatch(view.state.tr.replaceWith(range.from, range.to, toNodes(blocks)))
      onClose()
    } finally {
      range.stop()
    }
  })
  return (
    <FormFrame
      title={texts.source}
      isWide
      isBusy={isSaving}
      isComplete={markdown !== undefined}
      onApply={() => void save()}
      onClose={onClose}
    >
      {error && <ErrorState error={error} onRetry={load} />}
      {markdown === undefined ? (
        !error && <Loading lines={4} />
      ) : (
        <TextArea label={texts.markdown} value={markdown} onInput={setMarkdown} rows={12} />
      )}
    </FormFrame>
  )
}
