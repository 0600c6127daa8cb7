import { useId, useRef, useState } from 'preact/hooks'
import type { PageCover, PageLayout } from '../../../../contract/revision.ts'
import { changeContent, useContentQuery } from '../../../data/content-place.ts'
import { uploadFile, nameOfFile } from '../../../data/upload.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, SelectField, TextField } from '../../../ui/fields.tsx'
import { useAction } from '../../../ui/use-action.ts'
import type { PagePlace } from '../page-text.ts'
import { settingsTexts as texts } from './settings-texts.ts'

interface CoverFieldsProps {
  place: PagePlace
  organizationId: string
  cover: PageCover | undefined
  layout: PageLayout
  onChange: (cover: PageCover | undefined) => void
  onLayout: (layout: PageLayout) => void
}

type ImageRef = NonNullable<PageCover['ref']>

const sizes = ['hero', 'full', 'background'] as const
const colors = ['none', 'black', 'white'] as const

/** Edits the cover of a page: its images, their position and size. */
export function CoverFields({ place, organizationId, cover, layout, onChange, onLayout }: CoverFieldsProps) {
  const set = (changed: Partial<PageCover>) => onChange({ yPos: 0, ...cover, ...changed })
  const setImage = (name: 'ref' | 'refDark', image: ImageRef | undefined) => {
    const { [name]: _, ...rest } = cover ?? { yPos: 0 }
    const next: PageCover = image ? { ...rest, [name]: image } : rest
    // A page without a light image has no cover.
    if (next.ref === undefined) return onChange(undefined)
    onChange(next)
    if (!layout.cover) onLayout({ ...layout, cover: true })
  }
  const image = { place, organizationId }
  return (
    <>
      <ImageField {...image} label={texts.cover} value={cover?.ref} onChange={(ref) => setImage('ref', ref)} />
      {cover?.ref && (
        <>
          <ImageField
            {...image}
            label={texts.coverDark}
            value={cover.refDark}
            onChange={(ref) => setImage('refDark', ref)}
          />
          <PositionField value={cover.yPos} onChange={(yPos) => set({ yPos })} />
          <SelectField
            label={texts.coverSize}
            value={layout.coverSize}
            options={sizes.map((value) => ({ value, title: texts[`cover_${value}`] }))}
            onChange={(coverSize) => onLayout({ ...layout, coverSize })}
          />
          {layout.coverSize === 'background' && (
            <SelectField
              label={texts.coverText}
              value={cover.textColor ?? 'none'}
              options={colors.map((value) => ({ value, title: texts[`text_${value}`] }))}
              onChange={(color) => {
                const { textColor: _, textColorDark: __, ...rest } = cover
                onChange(color === 'none' ? rest : { ...rest, textColor: color })
              }}
            />
          )}
          <Checkbox
            label={texts.coverMask}
            checked={layout.coverMask === 'radial'}
            onChange={(isFading) => onLayout({ ...layout, coverMask: isFading ? 'radial' : 'none' })}
          />
          <Checkbox
            label={texts.coverShown}
            checked={layout.cover}
            onChange={(isShown) => onLayout({ ...layout, cover: isShown })}
          />
        </>
      )}
    </>
  )
}

/** Visible part of the image: -100 is its top, 100 its bottom. */
function PositionField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const id = useId()
  return (
    <div class="ui-field">
      <label for={id}>{texts.coverPosition}</label>
      <input
        id={id}
        type="range"
        min={-100}
        max={100}
        step={5}
        value={value}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
    </div>
  )
}

interface ImageFieldProps {
  place: PagePlace
  organizationId: string
  label: string
  value: ImageRef | undefined
  onChange: (value: ImageRef | undefined) => void
}

/** Chooses an image: a file of the space, an uploaded one, or one at a URL. */
export function ImageField({ place, organizationId, label, value, onChange }: ImageFieldProps) {
  const [source, setSource] = useState<'files' | 'url' | undefined>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const [upload, isUploading] = useAction(async (file: File) => {
    onChange({ kind: 'file', file: await addFile(place, organizationId, file) })
    setSource(undefined)
  })
  const toggle = (one: 'files' | 'url') => setSource(source === one ? undefined : one)
  return (
    <div class="ui-field" role="group" aria-labelledby={id}>
      <span id={id} class="ui-field-label">
        {label}
      </span>
      {value && <ImagePreview place={place} value={value} />}
      <div class="toolbar">
        <Button icon="files" aria-expanded={source === 'files'} onClick={() => toggle('files')}>
          {texts.chooseFile}
        </Button>
        <Button icon="upload" isBusy={isUploading} onClick={() => input.current?.click()}>
          {texts.uploadImage}
        </Button>
        <Button icon="link" aria-expanded={source === 'url'} onClick={() => toggle('url')}>
          {texts.imageUrl}
        </Button>
        {value && <Button kind="quiet" icon="x" label={texts.removeImage} onClick={() => onChange(undefined)} />}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={texts.uploadImage}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (file) void upload(file)
        }}
      />
      {source === 'url' && (
        <TextField
          label={texts.imageUrl}
          type="url"
          placeholder="https://"
          value={value?.kind === 'url' ? value.url : ''}
          onInput={(url) => onChange(url.trim() === '' ? undefined : { kind: 'url', url: url.trim() })}
        />
      )}
      {source === 'files' && (
        <ImageChoices
          place={place}
          chosen={value?.kind === 'file' ? value.file : undefined}
          onChoose={(file) => {
            onChange({ kind: 'file', file })
            setSource(undefined)
          }}
        />
      )}
    </div>
  )
}

/** Adds an image to the files of the space; returns its ID. */
async function addFile(place: PagePlace, organizationId: string, file: File): Promise<string> {
  const files = [{ name: nameOfFile(file), upload: await uploadFile(organizationId, file) }]
  const { insertedFiles } = await changeContent(place, [{ operation: 'insert_files', files }])
  const [inserted] = insertedFiles ?? []
  if (!inserted) throw new Error(texts.imageFailed)
  return inserted.id
}

function ImagePreview({ place, value }: { place: PagePlace; value: ImageRef }) {
  const { data } = useContentQuery(
    value.kind === 'file' ? 'GET /spaces/{spaceId}/content/files/{fileId}' : undefined,
    place,
    { params: { fileId: value.kind === 'file' ? value.file : '' } },
  )
  // While an address is being typed, its start would be a relative URL of this server.
  const url = value.kind === 'file' ? data?.downloadURL : URL.canParse(value.url) ? value.url : undefined
  return url === undefined ? null : <img class="cover-preview" src={url} alt="" />
}

interface ImageChoicesProps {
  place: PagePlace
  /** ID of the chosen file. */
  chosen: string | undefined
  onChoose: (fileId: string) => void
}

function ImageChoices({ place, chosen, onChoose }: ImageChoicesProps) {
  const { data } = useContentQuery('GET /spaces/{spaceId}/content/files', place, { query: { limit: 200 } })
  const images = (data?.items ?? []).filter(({ contentType }) => contentType.startsWith('image/'))
  if (data && images.length === 0) return <p class="quiet">{texts.noImages}</p>
  return (
    <div class="image-choices">
      {images.map(({ id, name, downloadURL }) => (
        <button
          key={id}
          type="button"
          title={name}
          aria-label={name}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          <img src={downloadURL} alt="" loading="lazy" />
        </button>
      ))}
    </div>
  )
}
