import { useContentList } from '../../data/content-place.ts'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import { ChoiceList } from './choice-list.tsx'
import { formTexts as texts } from './form-texts.ts'

interface FilePickerProps {
  place: PagePlace
  chosen: string | undefined
  onChoose: (file: string) => void
}

/** Chooses a file of the space. */
export function FilePicker({ place, chosen, onChoose }: FilePickerProps) {
  const { items } = useContentList('GET /spaces/{spaceId}/content/files', place)
  const entries = items?.map(({ id, name }) => ({ id, title: name }))
  return (
    <ChoiceList label={texts.findFile} entries={entries} chosen={chosen} nothing={texts.noFile} onChoose={onChoose} />
  )
}
