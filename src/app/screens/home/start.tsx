import { useEffect } from 'preact/hooks'
import { navigate } from '../../router.ts'
import { readLastOrganization, useOrganizations } from '../../session.ts'
import { defineTexts } from '../../texts.ts'
import { Frame } from '../../ui/frame.tsx'
import { EmptyState, Loading } from '../../ui/states.tsx'

const texts = defineTexts('start', {
  noOrganization: 'No organization yet',
  noOrganizationHint: 'Ask a member of your organization for an invite.',
})

/** The first screen: opens the organization that was shown last. */
export default function StartScreen() {
  const organizations = useOrganizations()
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
      ) : (
        <Loading />
      )}
    </Frame>
  )
}
