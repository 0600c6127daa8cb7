import { useQuery } from '../../data/query.ts'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import { ChoiceList } from './choice-list.tsx'
import { formTexts as texts } from './form-texts.ts'

interface FilePickerProps {
  place: PagePlace
  chosen: string | undefined
  onChoose: (file: string) => void
}

/** Chooses a file of the space. */
export function FilePicker({ place: { spaceId, changeRequestId }, chosen, onChoose }: FilePickerProps) {
  const { data } = useQuery('GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files', {
    params: { spaceId, changeRequestId },
    query: { limit: 1000 },
  })
  const entries = data?.items.map(({ id, name }) => ({ id, title: name }))
  return (
    <ChoiceList label={texts.findFile} entries={entries} chosen={chosen} nothing={texts.noFile} onChoose={onChoose} />
  )
}
