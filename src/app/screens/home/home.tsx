import { useEffect } from 'preact/hooks'
import { serverHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { address, setQuery } from '../../router.ts'
import { useOrganization, useUser } from '../../session.ts'
import { defineTexts, fillText } from '../../texts.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { ChangeRequestList } from '../change-requests/change-request-list.tsx'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { useFirstSpaces } from '../organization/use-spaces.ts'
import { HomeSpaces } from './home-spaces.tsx'
import { Mentions } from './mentions.tsx'
import { RecentPages } from './recent-pages.tsx'
import { WaysToStart } from './ways-to-start.tsx'

const texts = defineTexts('home', {
  title: 'Home',
  joined: 'You have joined {organization}.',
  reviews: 'Reviews waiting for you',
  noReviews: 'No review is waiting for you.',
  drafts: 'Your change requests',
  noDrafts:
    'Nothing in progress. Open a page and choose Edit: a change request collects your changes until they go live.',
  live: 'Went live lately',
  noLive: 'Nothing has been merged yet.',
  secondFactor: 'A second factor is required',
  secondFactorHint: 'Add a passkey or an authenticator app to your account, then sign in with it.',
  account: 'Open your account',
})

/** Home screen of an organization: reviews, own change requests, mentions, and recent changes. */
export default function HomeScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const user = useUser()
  const organization = useOrganization(organizationId)
  // Only whether there is a space matters here, and the list of all is long in large organizations.
  const first = useQuery('GET /orgs/{organizationId}/spaces', { params: { organizationId }, query: { limit: 1 } })
  const hasJoined = address.value.query.has('joined')
  useEffect(() => {
    if (!hasJoined || !organization) return
    showToast(fillText(texts.joined, { organization: organization.title }))
    setQuery('joined', undefined)
  }, [hasJoined, organization?.id])
  const content = () => {
    if (first.error?.status === 403 && organization?.secondFactorRequired === true) return <SecondFactorState />
    if (first.error && !first.data) return <ErrorState error={first.error} onRetry={() => void first.reload()} />
    if (!first.data || !user || !organization) return <Loading />
    if (first.data.count === 0) return <WaysToStart organization={organization} />
    return (
      <>
        <HomeLists organizationId={organizationId} userId={user.id} />
        <HomeSpaces organization={organization} count={first.data.count} />
      </>
    )
  }
  return (
    <OrganizationFrame organizationId={organizationId}>
      <h1 class="screen-title">{texts.title}</h1>
      {content()}
    </OrganizationFrame>
  )
}

function HomeLists({ organizationId, userId }: { organizationId: string; userId: string }) {
  const params = { organizationId }
  const spaces = useFirstSpaces(organizationId)
  const route = 'GET /orgs/{organizationId}/change-requests'
  const reviews = useList(route, { params, query: { requestedReviewer: userId, status: ['open'], limit: 20 } })
  const drafts = useList(route, { params, query: { creator: userId, status: ['draft', 'open'], limit: 20 } })
  const live = useList(route, { params, query: { status: ['merged'], limit: 5 } })
  return (
    <>
      <section class="section">
        <h2>{texts.reviews}</h2>
        <ChangeRequestList list={reviews} spaces={spaces} empty={<p class="quiet">{texts.noReviews}</p>} />
      </section>
      <section class="section">
        <h2>{texts.drafts}</h2>
        <ChangeRequestList list={drafts} spaces={spaces} empty={<p class="quiet">{texts.noDrafts}</p>} />
      </section>
      <Mentions organizationId={organizationId} />
      <RecentPages organizationId={organizationId} />
      <section class="section">
        <h2>{texts.live}</h2>
        <ChangeRequestList list={live} spaces={spaces} empty={<p class="quiet">{texts.noLive}</p>} />
      </section>
    </>
  )
}

function SecondFactorState() {
  return (
    <EmptyState
      icon="shield"
      title={texts.secondFactor}
      actions={<LinkButton href={serverHref('/account')}>{texts.account}</LinkButton>}
    >
      {texts.secondFactorHint}
    </EmptyState>
  )
}
