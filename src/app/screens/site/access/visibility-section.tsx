import { useSignal } from '@preact/signals'
import type { Site, SiteVisibility } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { useList } from '../../../data/list.ts'
import { invalidate, useQuery } from '../../../data/query.ts'
import { countText, fillText } from '../../../texts.ts'
import { showToast } from '../../../ui/toasts.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { accessTexts as texts } from './access-texts.ts'

const visibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const satisfies readonly SiteVisibility[]

interface SectionProps {
  organizationId: string
  site: Site
}

/** Chooses who can read a site; the choice applies immediately and can be undone. */
export function VisibilitySection({ organizationId, site }: SectionProps) {
  const wanted = useSignal<SiteVisibility | undefined>(undefined)
  const change = async (visibility: SiteVisibility) => {
    wanted.value = visibility
    try {
      await request('PATCH /orgs/{organizationId}/sites/{siteId}', {
        params: { organizationId, siteId: site.id },
        body: { visibility },
      })
      invalidate(`/orgs/${organizationId}/sites`)
    } finally {
      wanted.value = undefined
    }
  }
  const [undo] = useAction(change)
  const [choose, isChanging] = useAction(async (visibility: SiteVisibility) => {
    const before = site.visibility
    await change(visibility)
    showToast(fillText(texts.changed, { title: texts[visibility] }), {
      action: { title: texts.undo, onSelect: () => void undo(before) },
    })
  })
  const shown = wanted.value ?? site.visibility
  return (
    <fieldset class="radio-list" aria-busy={isChanging}>
      <legend class="sr-only">{texts.visibility}</legend>
      {visibilities.map((visibility) => (
        <label key={visibility}>
          <input
            type="radio"
            name="visibility"
            checked={visibility === shown}
            onChange={() => void choose(visibility)}
          />
          <strong>{texts[visibility]}</strong>
          <span>{texts[`${visibility}Hint`]}</span>
        </label>
      ))}
      <CurrentReaders organizationId={organizationId} site={site} />
    </fieldset>
  )
}

/** Describes who can read the site now. */
function CurrentReaders({ organizationId, site }: SectionProps) {
  const { visibility, published, permissions } = site
  const params = { organizationId, siteId: site.id }
  const { items: links } = useList(
    visibility === 'share-link' ? 'GET /orgs/{organizationId}/sites/{siteId}/share-links' : undefined,
    { params, query: { limit: 100 } },
  )
  const { data: auth } = useQuery(
    visibility === 'visitor-auth' && permissions.admin
      ? 'GET /orgs/{organizationId}/sites/{siteId}/publishing/auth'
      : undefined,
    { params },
  )
  const describe = (): string => {
    if (!published) return texts.nowUnpublished
    if (visibility === 'public' || visibility === 'unlisted') return texts[`now_${visibility}`]
    if (visibility === 'visitor-auth') return auth && auth.fallbackURL === undefined ? texts.nowNoLogin : texts.now_auth
    const count = links?.filter(({ active }) => active).length ?? 0
    return count === 0 ? texts.nowNoLinks : countText(texts.nowLinks, count)
  }
  return (
    <p class="radio-result" role="status">
      {describe()}
    </p>
  )
}
