import type { Node } from 'prosemirror-model'
import { useState } from 'preact/hooks'
import type { FileRef, ImageData } from '../../../content/document/nodes.ts'
import { ImageField } from '../../screens/edit/settings/cover-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { nodeType } from '../schema.ts'
import { imageOf } from '../table/cards.ts'
import type { FormProps } from './form-props.ts'
import { FormFrame } from './form-frame.tsx'
import { formKey } from './form-state.ts'
import { formTexts as texts } from './form-texts.ts'

interface ImagesData {
  align?: 'left' | 'center' | 'right'
  fullWidth?: boolean
  withFrame?: boolean
}

const alignments = ['left', 'center', 'right'] as const

/** Edits an image and the row of images that contains it. */
export function ImageDialog({ form, view, place, organizationId, onClose }: FormProps) {
  const position = 'position' in form ? (form.position ?? 0) : 0
  const $at = view.state.doc.resolve(position)
  const node = view.state.doc.nodeAt(position) as Node
  const [image, setImage] = useState(node.attrs['data'] as ImageData)
  const [images, setImages] = useState(($at.parent.attrs['data'] as ImagesData | null) ?? {})
  const [width, setWidth] = useState(typeof image.width === 'number' ? String(image.width) : '')
  /** Image that is added when its address is complete. */
  const [added, setAdded] = useState<FileRef>()
  const field = { place, organizationId }
  /** Returns a transaction that applies the form. */
  const applyForm = () => {
    const { width: former, height: _, ...rest } = image
    const pixels = Math.round(Number(width))
    const isKept = width === '' && typeof former === 'object'
    const size = isKept ? { width: former } : pixels > 0 && { width: pixels }
    return view.state.tr
      .setNodeAttribute(position, 'data', { ...rest, ...size })
      .setNodeAttribute($at.before(), 'data', images)
  }
  /** Adds an image and continues with its settings. */
  const addImage = (ref: FileRef) => {
    const next = position + node.nodeSize
    const tr = applyForm().insert(next, nodeType('image').create({ data: { ref } }))
    view.dispatch(tr.setMeta(formKey, { kind: 'image', position: next }))
    setImage({ ref })
    setWidth('')
    setAdded(undefined)
  }
  const save = () => {
    if (added) return addImage(added)
    view.dispatch(applyForm())
    onClose()
  }
  const remove = () => {
    view.dispatch(view.state.tr.delete(position, position + node.nodeSize))
    onClose()
  }
  const { align: _align, ...unaligned } = images
  return (
    <FormFrame title={texts.imageSettings} onApply={save} onClose={onClose}>
      <ImageField
        {...field}
        label={texts.image}
        value={imageOf({ ref: image.ref })}
        onChange={(ref) => ref && setImage({ ...image, ref })}
      />
      <ImageField
        {...field}
        label={texts.imageDark}
        value={image.refDark && imageOf({ ref: image.refDark })}
        onChange={(ref) => {
          const { refDark: _, ...rest } = image
          setImage(ref ? { ...rest, refDark: ref } : rest)
        }}
      />
      <TextField label={texts.width} hint={texts.widthHint} type="number" value={width} onInput={setWidth} />
      <Segmented
        label={texts.align}
        value={images.align ?? 'center'}
        options={alignments.map((value) => ({ value, title: texts[`align_${value}`] }))}
        onChange={(align) => setImages(align === 'center' ? unaligned : { ...images, align })}
      />
      <Toggle name="withFrame" label={texts.frame} images={images} onChange={setImages} />
      <Toggle name="fullWidth" label={texts.fullWidth} images={images} onChange={setImages} />
      <ImageField
        {...field}
        label={texts.addImage}
        value={added && imageOf({ ref: added })}
        onChange={(ref) => (ref?.kind === 'file' ? addImage(ref) : setAdded(ref))}
      />
      {$at.parent.childCount > 1 && (
        <p>
          <Button icon="trash" onClick={remove}>
            {texts.removeImage}
          </Button>
        </p>
      )}
    </FormFrame>
  )
}

interface ToggleProps {
  name: 'withFrame' | 'fullWidth'
  label: string
  images: ImagesData
  onChange: (images: ImagesData) => void
}

function Toggle({ name, label, images, onChange }: ToggleProps) {
  const { [name]: isOn = false, ...rest } = images
  return (
    <Checkbox label={label} checked={isOn} onChange={(next) => onChange(next ? { ...rest, [name]: true } : rest)} />
  )
}
