import { useState } from 'preact/hooks'
import { useList } from '../../data/list.ts'
import { navigate } from '../../router.ts'
import { readLastOrganization } from '../../session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { closePalette } from '../../ui/palette-state.ts'
import { uiTexts } from '../../ui/ui-texts.ts'

/** Maximum number of shown entries. */
const maxEntries = 12

/** Finds a space by its name and opens it. */
export function Palette() {
  const [query, setQuery] = useState('')
  const organizationId = readLastOrganization() ?? ''
  const spaces = useList('GET /orgs/{organizationId}/spaces', { params: { organizationId }, query: { limit: 1000 } })
  const wanted = query.toLowerCase()
  const found = (spaces.items ?? []).filter(({ title }) => title.toLowerCase().includes(wanted)).slice(0, maxEntries)
  return (
    <Dialog
      title={uiTexts.searchHint}
      onClose={closePalette}
      onSubmit={() => found[0] && open(`/spaces/${found[0].id}`)}
    >
      <input
        class="palette-input"
        aria-label={uiTexts.search}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <ul class="rows">
        {found.map(({ id, title }) => (
          <li key={id}>
            <button type="button" class="row" onClick={() => open(`/spaces/${id}`)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function open(path: string): void {
  closePalette()
  navigate(path)
}
