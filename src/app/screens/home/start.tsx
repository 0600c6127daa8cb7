import { useEffect } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { readLastOrganization } from '../../session.ts'
import { defineTexts } from '../../texts.ts'
import { Frame } from '../../ui/frame.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'

const texts = defineTexts('start', {
  noOrganization: 'No organization yet',
  noOrganizationHint: 'Ask a member of your organization for an invite.',
})

/** The first screen: opens the organization that was opened last. */
export default function StartScreen() {
  const { data, error, reload } = useQuery('GET /orgs', { query: { limit: 100 } })
  const organizations = data?.items
  const last = readLastOrganization()
  const target = organizations?.find(({ id }) => id === last) ?? organizations?.[0]
  useEffect(() => {
    if (target) navigate(`/orgs/${target.id}`, { replace: true })
  }, [target])
  return (
    <Frame>
      {organizations?.length === 0 ? (
        <EmptyState icon="users" title={texts.noOrganization}>
          {texts.noOrganizationHint}
        </EmptyState>
      ) : error ? (
        <ErrorState isWholeScreen error={error} onRetry={() => void reload()} />
      ) : (
        <Loading />
      )}
    </Frame>
  )
}
