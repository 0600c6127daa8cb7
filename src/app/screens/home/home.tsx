import { useList } from '../../data/list.ts'
import { useUser } from '../../session.ts'
import { defineTexts } from '../../texts.ts'
import { EmptyState } from '../../ui/states.tsx'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { ChangeRequestList } from '../change-requests/change-request-list.tsx'

const texts = defineTexts('home', {
  title: 'Home',
  reviews: 'Reviews waiting for you',
  noReviews: 'No review is waiting for you',
  drafts: 'Your change requests',
  noDrafts: 'Nothing in progress',
  noDraftsHint: 'Open a page and choose Edit: your changes are collected in a change request until they go live.',
  live: 'Went live lately',
  noLive: 'Nothing has been merged yet',
})

/** What the user does in an organization: reviews, own change requests, and what changed lately. */
export default function HomeScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const user = useUser()
  return (
    <OrganizationFrame organizationId={organizationId}>
      <h1 class="screen-title">{texts.title}</h1>
      {user && <HomeLists organizationId={organizationId} userId={user.id} />}
    </OrganizationFrame>
  )
}

function HomeLists({ organizationId, userId }: { organizationId: string; userId: string }) {
  const params = { organizationId }
  const route = 'GET /orgs/{organizationId}/change-requests'
  const reviews = useList(route, { params, query: { requestedReviewer: userId, status: ['open'], limit: 20 } })
  const drafts = useList(route, { params, query: { creator: userId, status: ['draft', 'open'], limit: 20 } })
  const live = useList(route, { params, query: { status: ['merged'], limit: 10 } })
  return (
    <>
      <section class="section">
        <h2>{texts.reviews}</h2>
        <ChangeRequestList list={reviews} empty={<p class="quiet">{texts.noReviews}</p>} />
      </section>
      <section class="section">
        <h2>{texts.drafts}</h2>
        <ChangeRequestList
          list={drafts}
          empty={
            <EmptyState icon="edit" title={texts.noDrafts}>
              {texts.noDraftsHint}
            </EmptyState>
          }
        />
      </section>
      <section class="section">
        <h2>{texts.live}</h2>
        <ChangeRequestList list={live} empty={<p class="quiet">{texts.noLive}</p>} />
      </section>
    </>
  )
}
