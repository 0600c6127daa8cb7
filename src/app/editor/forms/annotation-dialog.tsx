import { useEffect, useState } from 'preact/hooks'
import type { AnnotationInline, InlineElement } from '../../../content/document/nodes.ts'
import type { ApiError } from '../../api.ts'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { withoutKeys } from '../json.ts'
import { parseMarkdown, printBlocks } from '../markdown.ts'
import { readPlainText, toTextNodes } from '../plain-text.ts'
import type { FormProps } from './form-props.ts'
import { FormFrame } from './form-frame.tsx'
import { formTexts as texts } from './form-texts.ts'

interface AnnotationDialogProps extends FormProps {
  inline: AnnotationInline
  isNew: boolean
  onApply: (inline: InlineElement) => void
}

/** Edits an annotated text and its note. */
export function AnnotationDialog({ inline, isNew, place, onApply, onClose }: AnnotationDialogProps) {
  const initialText = readPlainText(inline.nodes)
  const blocks = inline.fragments.flatMap(({ nodes }) => nodes)
  const [text, setText] = useState(initialText)
  const [note, setNote] = useState(blocks.length === 0 ? '' : undefined)
  const [error, setError] = useState<ApiError>()
  const load = () => {
    setError(undefined)
    if (note === undefined) printBlocks(place, blocks).then(setNote, (thrown: ApiError) => setError(thrown))
  }
  useEffect(load, [])
  const [save, isSaving] = useAction(async () => {
    const nodes = withoutKeys(await parseMarkdown(place, note ?? ''))
    const [body = { object: 'fragment' as const, type: 'annotation-body' }] = inline.fragments
    onApply({
      ...inline,
      nodes: text === undefined || text === initialText ? inline.nodes : toTextNodes(text.trim()),
      fragments: [{ ...body, nodes }],
    })
  })
  return (
    <FormFrame
      title={texts.annotation}
      isNew={isNew}
      isBusy={isSaving}
      isComplete={text?.trim() !== '' && (note ?? '').trim() !== ''}
      onApply={() => void save()}
      onClose={onClose}
    >
      {text !== undefined && (
        <TextField label={texts.annotatedText} value={text} onInput={setText} autoFocus={text === ''} />
      )}
      {error && <ErrorState error={error} onRetry={load} />}
      {note === undefined ? (
        !error && <Loading lines={3} />
      ) : (
        <TextArea label={texts.note} rows={5} autoFocus={text !== ''} value={note} onInput={setNote} />
      )}
    </FormFrame>
  )
}
