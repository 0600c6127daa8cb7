import type { Organization } from '../../../contract/organizations.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { countText, defineTexts } from '../../texts.ts'
import { LinkButton } from '../../ui/button.tsx'
import { SpaceIcon } from '../organization/space-icon.tsx'

const texts = defineTexts('homeSpaces', {
  title: 'Spaces',
  newSpace: 'New space',
  more: {
    one: '{count} more space is in the navigation and in the search.',
    other: '{count} more spaces are in the navigation and in the search.',
  },
})

/** Maximum number of shown spaces. */
const maxSpaces = 12

/** Shows the spaces that were changed last; `count` is the number of all spaces. */
export function HomeSpaces({ organization, count }: { organization: Organization; count: number }) {
  const spaces = useList('GET /orgs/{organizationId}/spaces', {
    params: { organizationId: organization.id },
    query: { limit: 1000 },
  }).items
  const shown = (spaces ?? []).toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1)).slice(0, maxSpaces)
  const more = spaces ? count - shown.length : 0
  return (
    <section class="section">
      <div class="section-head">
        <h2>{texts.title}</h2>
        {organization.permissions.createContent && (
          <LinkButton kind="quiet" icon="plus" href={appHref(`/orgs/${organization.id}/new`)}>
            {texts.newSpace}
          </LinkButton>
        )}
      </div>
      <ul class="space-grid">
        {shown.map(({ id, title, emoji }) => (
          <li key={id}>
            <a class="space-card" href={appHref(`/spaces/${id}`)}>
              <SpaceIcon emoji={emoji} />
              <span>{title}</span>
            </a>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">{countText(texts.more, more)}</p>}
    </section>
  )
}
