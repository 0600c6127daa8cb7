import { useEffect, useRef, useState } from 'preact/hooks'
import type { Block, File as FileBlock } from '../../../content/document/nodes.ts'
import { LinkDialog } from '../../screens/edit/link-dialog.tsx'
import { Checkbox, TextArea, TextField } from '../../ui/fields.tsx'
import { toRef } from '../links.ts'
import type { BlockRenderer } from '../rendered-blocks.ts'
import { diagramText, isDiagram, withDiagramText } from '../code/diagrams.ts'
import { captionText, formTitle, withCaption } from './block-types.ts'
import type { FormProps } from './form-props.ts'
import { FilePicker } from './file-picker.tsx'
import { FormFrame } from './form-frame.tsx'
import { formTexts as texts } from './form-texts.ts'
import { OperationFields } from './operation-fields.tsx'
import { ReusablePicker } from './reusable-picker.tsx'

interface BlockDialogProps extends FormProps {
  block: Block
  isNew: boolean
  onApply: (block: Block) => void
}

/** Edits a block that is not edited in place. */
export function BlockDialog(props: BlockDialogProps) {
  const { block: initial, isNew, place, number, renderer, onApply, onClose } = props
  const [block, setBlock] = useState(initial)
  if (initial.type === 'content-ref')
    return (
      <LinkDialog
        place={place}
        number={number}
        onClose={onClose}
        onInsert={(destination, _, pageId) => onApply({ ...initial, data: { ref: toRef(destination, pageId) } })}
      />
    )
  const hasPreview = block.type === 'math' || isDiagram(block)
  return (
    <FormFrame
      title={formTitle(initial) ?? ''}
      isNew={isNew}
      isWide={hasPreview}
      isComplete={isComplete(block)}
      onApply={() => onApply(block)}
      onClose={onClose}
    >
      {hasPreview ? (
        <div class="editor-preview-form">
          <SourceField block={block} onChange={setBlock} />
          <Preview block={block} renderer={renderer} />
        </div>
      ) : (
        <BlockFields {...props} block={block} onChange={setBlock} />
      )}
    </FormFrame>
  )
}

function isComplete(block: Block): boolean {
  switch (block.type) {
    case 'math':
      return block.data.formula.trim() !== ''
    case 'code':
      return (diagramText(block) ?? '').trim() !== ''
    case 'embed':
      return /^https?:\/\/\S+$/.test(block.data.url)
    case 'file':
      return block.data.ref.kind !== 'file' || block.data.ref.file !== ''
    case 'reusable-content':
      return block.data.ref.kind !== 'reusable-content' || block.data.ref.reusableContent !== ''
    case 'openapi-operation':
      return block.data.ref.spec !== '' && block.data.path !== ''
    default:
      return true
  }
}

function SourceField({ block, onChange }: { block: Block; onChange: (block: Block) => void }) {
  if (block.type === 'math')
    return (
      <TextArea
        label={texts.formula}
        rows={10}
        spellcheck={false}
        autoFocus
        value={block.data.formula}
        onInput={(formula) => onChange({ ...block, data: { formula } })}
      />
    )
  if (block.type !== 'code') return null
  return (
    <TextArea
      label={texts.diagram}
      rows={10}
      spellcheck={false}
      autoFocus
      value={diagramText(block) ?? ''}
      onInput={(text) => onChange(withDiagramText(block, text))}
    />
  )
}

/** Delay after which the preview shows a changed source, in milliseconds. */
const previewDelay = 250

/** Shows a block as readers see it. */
function Preview({ block, renderer }: { block: Block; renderer: BlockRenderer }) {
  const host = useRef<HTMLDivElement>(null)
  const [render] = useState(() => renderer.createPlace())
  const text = JSON.stringify(block)
  useEffect(() => {
    const timer = setTimeout(() => render(block, (element) => host.current?.replaceChildren(element)), previewDelay)
    return () => clearTimeout(timer)
  }, [text])
  return <div ref={host} class="content editor-preview" role="group" aria-label={texts.preview} />
}

const withFile = (block: FileBlock, file: string): FileBlock => ({ ...block, data: { ref: { kind: 'file', file } } })

interface BlockFieldsProps extends FormProps {
  block: Block
  onChange: (block: Block) => void
}

function BlockFields(props: BlockFieldsProps) {
  const { block, onChange } = props
  switch (block.type) {
    case 'embed': {
      const { fullWidth: isFullWidth = false, ...data } = block.data
      const caption = captionText(block)
      return (
        <>
          <TextField
            label={texts.url}
            type="url"
            autoFocus
            placeholder="https://"
            value={data.url}
            onInput={(url) => onChange({ ...block, data: { ...block.data, url: url.trim() } })}
          />
          {caption !== undefined && (
            <TextField label={texts.caption} value={caption} onInput={(text) => onChange(withCaption(block, text))} />
          )}
          <Checkbox
            label={texts.fullWidth}
            checked={isFullWidth}
            onChange={(isWide) => onChange({ ...block, data: isWide ? { ...data, fullWidth: true } : data })}
          />
        </>
      )
    }
    case 'file': {
      const caption = captionText(block)
      return (
        <>
          <FilePicker
            place={props.place}
            chosen={block.data.ref.kind === 'file' ? block.data.ref.file : undefined}
            onChoose={(file) => onChange(withFile(block, file))}
          />
          {caption !== undefined && (
            <TextField label={texts.caption} value={caption} onInput={(text) => onChange(withCaption(block, text))} />
          )}
        </>
      )
    }
    case 'reusable-content':
      return <ReusablePicker {...props} block={block} onChange={onChange} />
    case 'openapi-operation':
      return <OperationFields {...props} block={block} onChange={onChange} />
    default:
      return null
  }
}
