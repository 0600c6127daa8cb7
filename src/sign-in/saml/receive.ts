import { hasExpired, reportCertificate } from '../../domain/saml/certificate-expiry.ts'
import { answerRequest, insertRequest, recordAssertion } from '../../domain/saml/request-store.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import { minutes, timestamp } from '../../kernel/time.ts'
import { verifySamlResponse } from '../../parsing/verify-saml.ts'
import type { AssertionContent } from '../../saml/assertion.ts'
import { maxEncodedLength } from '../../saml/encoding.ts'
import { SamlError } from '../../saml/error.ts'
import { type SamlProfile, readProfile } from '../../saml/profile.ts'
import type { Db } from '../../schema/tables.ts'
import type { PageContext } from '../context.ts'
import { parseNextPath, redirectTo, replyWithPage } from '../page.ts'
import { recordFailures } from './failures.ts'
import { type RequestedProvider, certificatesOf, getActiveProvider, readMessage } from './provider.ts'
import { newMessageId } from './start.ts'

/** Verified content of a response that is stored until the browser completes the sign-in. */
export interface SamlAnswer extends Pick<AssertionContent, 'subject' | 'subjectFormat' | 'sessionIndex'> {
  profile: SamlProfile
}

/** Time between the response and the next request of the browser. */
const answerLifetime = minutes(5)

/**
 * Receives the response of an identity provider. Browsers send it from the site of the provider, without the cookies of this
 * server, so the verified response is stored, and the browser is redirected to a page that receives the cookies.
 */
export function receiveResponse(context: PageContext): Promise<PageReply> {
  return replyWithPage(context, async () => {
    const requested = await getActiveProvider(context)
    const store = () => storeResponse(context, requested)
    return readMessage(context, requested, () => recordFailures(context, requested, store))
  })
}

async function storeResponse(context: PageContext, { provider, service }: RequestedProvider): Promise<PageReply> {
  const { request, database, now } = context
  const form = await request.form()
  const encoded = form.get('SAMLResponse') ?? ''
  if (encoded === '' || encoded.length > maxEncodedLength) throw new SamlError('The response is missing or too large')
  const content = await verifySamlResponse(encoded, {
    issuer: provider.entity_id,
    certificates: certificatesOf(provider),
    audience: service.entityID,
    recipient: service.acsURL,
    now: Date.parse(now()),
  })
  if (hasExpired(provider, now())) reportCertificate(context.log, provider, now())
  const { subject, subjectFormat, sessionIndex } = content
  const answer: SamlAnswer = { subject, subjectFormat, sessionIndex, profile: readProfile(content) }
  const requestId = await database.transaction(async (db) => {
    const used = { assertionId: content.id, expiresAt: timestamp(content.expiresAt) }
    if (!(await recordAssertion(db, provider, used))) throw new SamlError('The response was used before. Sign in again')
    return storeAnswer(db, context, provider, { content, answer, relayState: form.get('RelayState') })
  })
  return redirectTo(context, `/saml/${provider.id}/finish?request=${requestId}`)
}

/** Stores the answer to the request that it names, or with a new ID if the identity provider initiated the sign-in. */
async function storeAnswer(
  db: Db,
  context: PageContext,
  provider: RequestedProvider['provider'],
  { content, answer, relayState }: { content: AssertionContent; answer: SamlAnswer; relayState: string | null },
): Promise<string> {
  const now = context.now()
  const expiresAt = timestamp(Date.parse(now) + answerLifetime)
  if (content.inResponseTo !== undefined) {
    const stored = { answer: JSON.stringify(answer), expiresAt, now }
    if (await answerRequest(db, provider, content.inResponseTo, stored)) return content.inResponseTo
    throw new SamlError('The response does not belong to a pending sign-in of this server. Sign in again')
  }
  if (provider.allow_idp_initiated === 0)
    throw new SamlError(
      'This provider does not allow sign-ins that start at the identity provider. Open the start link instead',
    )
  const id = newMessageId()
  await insertRequest(db, {
    organization_id: provider.organization_id,
    provider_id: provider.id,
    id,
    browser_hash: null,
    return_to: parseNextPath(context, relayState) ?? null,
    answer: JSON.stringify(answer),
    expires_at: expiresAt,
  })
  return id
}
