import { type IdentifiedPerson, matchAccount, provisionAccount } from '../../domain/saml/accounts.ts'
import { findAnswer, takeAnswer } from '../../domain/saml/request-store.ts'
import { findOrganization } from '../../domain/organizations/organization-store.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import { markup } from '../../render/html.ts'
import { takeEmailInvite } from '../../resources/invites/store.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { completeSignIn } from '../complete-sign-in.ts'
import type { PageContext } from '../context.ts'
import { renderForm, renderHidden, renderPage } from '../page.ts'
import { recordFailures } from './failures.ts'
import { type RequestedProvider, getActiveProvider } from './provider.ts'
import type { SamlAnswer } from './receive.ts'

/** Completes a sign-in in the browser that started it; asks first whether to connect an account with other organizations. */
export async function finishSignIn(context: PageContext): Promise<PageReply> {
  const { database, request } = context
  const requested = await getActiveProvider(context)
  const requestId = request.url.searchParams.get('request') ?? ''
  const answered = await findAnswer(database.reader, requested.provider, toAnswerKey(context, requestId))
  if (!answered) throw outdated()
  const { person } = await identify(database.reader, context, requested, answered)
  const finish = async () => {
    const match = await matchAccount(database.reader, person)
    return match.kind === 'existing' && match.needsConsent
      ? renderConsent(context, person, requestId)
      : signIn(context, requested, requestId, false)
  }
  return recordFailures(context, requested, finish, person.profile.email)
}

/** Completes a sign-in after the owner of the account agreed to connect it. */
export async function connectAccount(context: PageContext): Promise<PageReply> {
  const requested = await getActiveProvider(context)
  const requestId = context.form.get('request') ?? ''
  return recordFailures(context, requested, () => signIn(context, requested, requestId, true))
}

function signIn(
  context: PageContext,
  requested: RequestedProvider,
  requestId: string,
  hasConsent: boolean,
): Promise<PageReply> {
  const { provider } = requested
  return context.database.transaction(async (db) => {
    const answered = await takeAnswer(db, provider, toAnswerKey(context, requestId))
    if (!answered) throw outdated()
    const { person, answer } = await identify(db, context, requested, answered)
    const match = await matchAccount(db, person)
    if (match.kind === 'existing' && match.needsConsent && !hasConsent) throw outdated()
    const invite = await takeEmailInvite(db, provider.organization_id, person.profile.email)
    const { newId, now, request } = context
    const client = { address: request.clientAddress, userAgent: request.header('user-agent') }
    const user = await provisionAccount(db, { newId, now, client }, person, match, invite)
    const { subject, subjectFormat, sessionIndex } = answer
    const sso = {
      organizationId: provider.organization_id,
      providerId: provider.id,
      subject,
      subjectFormat,
      sessionIndex,
    }
    return completeSignIn(db, context, {
      userId: user.id,
      method: 'saml',
      sso,
      next: answered.return_to ?? undefined,
    })
  })
}

async function identify(
  db: Db,
  { principal }: PageContext,
  { provider }: RequestedProvider,
  answered: Row<'saml_requests'>,
): Promise<{ person: IdentifiedPerson; answer: SamlAnswer }> {
  const organization = await findOrganization(db, provider.organization_id)
  if (!organization) throw notFound('organization')
  const answer = JSON.parse(answered.answer ?? '') as SamlAnswer
  const signedInUserId = principal && principal.reach.only === undefined ? principal.user.id : undefined
  const { subject, profile } = answer
  return { answer, person: { provider, organization, subject, profile, signedInUserId } }
}

const toAnswerKey = ({ browserId, now }: PageContext, requestId: string) => ({ requestId, browserId, now: now() })

const outdated = () =>
  new AppError(
    'invalid',
    'This sign-in has expired, was completed before, or was started in another browser. Start again',
  )

function renderConsent(context: PageContext, person: IdentifiedPerson, requestId: string): Promise<PageReply> {
  const { organization, provider, profile } = person
  const form = renderForm(context, {
    action: `/saml/${provider.id}/finish`,
    fields: markup`${renderHidden('request', requestId)}`,
    submit: 'Connect and continue',
  })
  const content = markup`<h1>Connect your account</h1><p>Connect <strong>${profile.email}</strong> with <strong>${provider.label}</strong> of the organization <strong>${organization.title}</strong>? Its administrators can then sign in to that organization in your name. Your other organizations are not affected.</p>${form}`
  return renderPage(context, { title: 'Connect your account', content })
}
