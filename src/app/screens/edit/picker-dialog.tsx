import { useState } from 'preact/hooks'
import { useContentQuery, useContentList } from '../../data/content-place.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Loading } from '../../ui/states.tsx'
import { toIncludeMarkdown } from '../reusable/include-markdown.ts'
import { toVariableMarkdown } from '../variables/variable-values.ts'
import type { PickerKind } from './blocks.ts'
import { toolTexts as texts } from './edit-texts.ts'
import type { PagePlace } from './page-text.ts'

/** Maximum number of shown entries. */
const maxEntries = 8

interface PickerEntry {
  id: string
  title: string
  detail: string
  markdown: string
}

interface PickerDialogProps {
  place: PagePlace
  kind: PickerKind
  /** Called with the Markdown, and whether it is a block. */
  onChoose: (markdown: string, isBlock: boolean) => void
  onClose: () => void
}

/** Chooses a reusable content or a variable. */
export function PickerDialog({ place, kind, onChoose, onClose }: PickerDialogProps) {
  const [text, setText] = useState('')
  const entries = useEntries(place, kind)
  const isBlock = kind === 'reusable-content'
  const found = entries?.filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase()))
  const [first] = found ?? []
  return (
    <Dialog
      title={isBlock ? texts.reusable : texts.variable}
      onClose={onClose}
      onSubmit={() => first && onChoose(first.markdown, isBlock)}
    >
      <TextField label={texts.pick} type="search" autoFocus value={text} onInput={setText} />
      {!found && <Loading lines={3} />}
      <ul class="rows edit-link-rows">
        {found?.slice(0, maxEntries).map(({ id, title, detail, markdown }) => (
          <li key={id}>
            <button type="button" class="row" onClick={() => onChoose(markdown, isBlock)}>
              <span class="row-title">{title}</span>
              <span class="row-facts">{detail}</span>
            </button>
          </li>
        ))}
      </ul>
      {found?.length === 0 && <p class="quiet">{isBlock ? texts.noReusable : texts.noVariable}</p>}
    </Dialog>
  )
}

function useEntries(place: PagePlace, kind: PickerKind): PickerEntry[] | undefined {
  const contents = useContentList(
    kind === 'reusable-content' ? 'GET /spaces/{spaceId}/content/reusable-contents' : undefined,
    place,
    { query: { metadata: false } },
  ).items
  const variables = useContentQuery(
    kind === 'variable' ? 'GET /spaces/{spaceId}/content/variables' : undefined,
    place,
  ).data
  if (kind === 'variable')
    return variables?.variables.map(({ name, value }) => ({
      id: name,
      title: name,
      detail: String(value),
      markdown: toVariableMarkdown(name),
    }))
  return contents?.map(({ id, title }) => ({ id, title, detail: '', markdown: toIncludeMarkdown(id) }))
}
