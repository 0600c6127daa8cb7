import { useState } from 'preact/hooks'
import type { ContentRef, InlineElement } from '../../../content/document/nodes.ts'
import { LinkDialog } from '../../screens/edit/link-dialog.tsx'
import { type Chosen, PeoplePicker, chosenIds } from '../../screens/organization/people-picker.tsx'
import { ImageField } from '../../screens/edit/settings/cover-field.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { IconField } from '../../ui/icon-field.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { toRef } from '../links.ts'
import { imageOf } from '../table/cards.ts'
import type { FormProps } from './form-props.ts'
import { FormFrame } from './form-frame.tsx'
import { formTexts as texts } from './form-texts.ts'
import { inlineTitle } from './inline-types.ts'

interface InlineDialogProps extends FormProps {
  inline: InlineElement
  isNew: boolean
  onApply: (inline: InlineElement) => void
}

/** Edits a part of a line that is not edited in place. */
export function InlineDialog(props: InlineDialogProps) {
  const { inline: initial, isNew, onApply, onClose } = props
  const [inline, setInline] = useState(initial)
  if (initial.type === 'mention' && initial.data.ref.kind !== 'user')
    return (
      <LinkDialog
        place={props.place}
        number={props.number}
        onClose={onClose}
        onInsert={(destination, _, pageId) => onApply({ ...initial, data: { ref: toRef(destination, pageId) } })}
      />
    )
  return (
    <FormFrame
      title={inlineTitle(initial) ?? ''}
      isNew={isNew}
      isComplete={isComplete(inline)}
      onApply={() => onApply(inline)}
      onClose={onClose}
    >
      <InlineFields {...props} inline={inline} onChange={setInline} />
    </FormFrame>
  )
}

function isComplete(inline: InlineElement): boolean {
  switch (inline.type) {
    case 'inline-math':
      return inline.data.formula.trim() !== ''
    case 'expression':
      return inline.data.expression.trim() !== ''
    case 'icon':
      return inline.data.icon !== ''
    case 'button':
      return inline.data.label.trim() !== ''
    case 'inline-image':
      return inline.data.ref.kind === 'url' ? inline.data.ref.url !== '' : inline.data.ref.file !== ''
    default:
      return true
  }
}

interface InlineFieldsProps extends FormProps {
  inline: InlineElement
  onChange: (inline: InlineElement) => void
}

function InlineFields(props: InlineFieldsProps) {
  const { inline, onChange, place, organizationId } = props
  switch (inline.type) {
    case 'inline-math':
      return (
        <TextField
          label={texts.formula}
          spellcheck={false}
          autoFocus
          value={inline.data.formula}
          onInput={(formula) => onChange({ ...inline, data: { formula } })}
        />
      )
    case 'expression':
      return (
        <TextField
          label={texts.expression}
          spellcheck={false}
          autoFocus
          value={inline.data.expression}
          onInput={(expression) => onChange({ ...inline, data: { expression } })}
        />
      )
    case 'icon':
      return (
        <IconField
          label={texts.icon}
          value={{ emoji: '', icon: inline.data.icon }}
          onChange={({ icon }) => onChange({ ...inline, data: { ...inline.data, icon } })}
        />
      )
    case 'button':
      return <ButtonFields {...props} inline={inline} />
    case 'mention': {
      const { ref } = inline.data
      const chosen: Chosen = new Map(ref.kind === 'user' ? [[ref.user, 'user']] : [])
      const choose = (next: Chosen) => {
        const user = chosenIds(next, 'user').at(-1)
        if (user !== undefined) onChange({ ...inline, data: { ref: { kind: 'user', user } } })
      }
      return <PeoplePicker organizationId={organizationId} chosen={chosen} onChange={choose} />
    }
    case 'inline-image':
      return (
        <>
          <ImageField
            place={place}
            organizationId={organizationId}
            label={texts.image}
            value={imageOf({ ref: inline.data.ref })}
            onChange={(ref) => onChange({ ...inline, data: { ...inline.data, ref: ref ?? { kind: 'url', url: '' } } })}
          />
          <TextField
            label={texts.alt}
            value={inline.data.alt ?? ''}
            onInput={(alt) => {
              const { alt: _, ...data } = inline.data
              onChange({ ...inline, data: alt === '' ? data : { ...data, alt } })
            }}
          />
        </>
      )
    default:
      return null
  }
}

const buttonKinds = ['primary', 'secondary'] as const

type ButtonFieldsProps = InlineFieldsProps & { inline: Extract<InlineElement, { type: 'button' }> }

function ButtonFields({ inline, place, number, onChange }: ButtonFieldsProps) {
  const [isLinking, setLinking] = useState(false)
  const { data } = inline
  const setRef = (ref: ContentRef) => {
    const { action: _, ...rest } = data
    onChange({ ...inline, data: { ...rest, ref } })
  }
  return (
    <>
      <TextField
        label={texts.label}
        autoFocus
        value={data.label}
        onInput={(label) => onChange({ ...inline, data: { ...data, label } })}
      />
      <Segmented
        label={texts.style}
        value={data.kind}
        options={buttonKinds.map((value) => ({ value, title: texts[`style_${value}`] }))}
        onChange={(kind) => onChange({ ...inline, data: { ...data, kind } })}
      />
      <TextField
        label={texts.url}
        type="url"
        placeholder="https://"
        value={data.ref?.kind === 'url' ? data.ref.url : ''}
        onInput={(url) => setRef({ kind: 'url', url: url.trim() })}
      />
      <p>
        <Button
          icon={data.ref?.kind === 'page' || data.ref?.kind === 'anchor' ? 'check' : 'link'}
          onClick={() => setLinking(true)}
        >
          {texts.choosePage}
        </Button>
      </p>
      {isLinking && (
        <LinkDialog
          place={place}
          number={number}
          onClose={() => setLinking(false)}
          onInsert={(destination, _, pageId) => {
            setLinking(false)
            setRef(toRef(destination, pageId))
          }}
        />
      )}
    </>
  )
}
