import type { Node } from 'prosemirror-model'
import { useEffect, useState } from 'preact/hooks'
import type { Block } from '../../content/document/nodes.ts'
import type { ApiError } from '../api.ts'
import type { PagePlace } from '../screens/edit/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextArea } from '../ui/fields.tsx'
import { ErrorState, Loading } from '../ui/states.tsx'
import { uiTexts } from '../ui/ui-texts.ts'
import { useAction } from '../ui/use-action.ts'
import { editorTexts as texts } from './editor-texts.ts'
import { parseMarkdown, printBlocks } from './markdown.ts'

interface SourceDialogProps {
  place: PagePlace
  /** A node that is not edited in place. */
  node: Node
  onReplace: (blocks: readonly Block[]) => void
  onClose: () => void
}

/** Edits the Markdown of a block that is not edited in place. */
export function SourceDialog({ place, node, onReplace, onClose }: SourceDialogProps) {
  const block = node.attrs['json'] as Block
  const [markdown, setMarkdown] = useState<string>()
  const [error, setError] = useState<ApiError>()
  const load = () => {
    setError(undefined)
    printBlocks(place, [block]).then(setMarkdown, (thrown: ApiError) => setError(thrown))
  }
  useEffect(load, [])
  const [save, isSaving] = useAction(async () => {
    const [first, ...others] = await parseMarkdown(place, markdown ?? '')
    onReplace(first ? [{ ...first, ...(block.key !== undefined && { key: block.key }) }, ...others] : [])
  })
  return (
    <Dialog
      title={texts.source}
      isWide
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isSaving} disabled={markdown === undefined}>
            {texts.apply}
          </Button>
        </>
      }
    >
      {error && <ErrorState error={error} onRetry={load} />}
      {markdown === undefined ? (
        !error && <Loading lines={4} />
      ) : (
        <TextArea label={texts.markdown} value={markdown} onInput={setMarkdown} rows={12} />
      )}
    </Dialog>
  )
}
