import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PublicContext, Sent } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { queueOnce, requestOf } from './requests.ts'
import * as store from './store.ts'

interface Push {
  ref?: string | undefined
  /** The commit that the branch has now. */
  after?: string | undefined
}

/** Deals with what the host of a repository tells. */
export async function receive(context: PublicContext, spaceId: string, { ref, after }: Push): Promise<void> {
  const { db, sealer, sent, now } = context
  const connection = await store.findConnectionOfSpace(db, spaceId)
  const secret = connection?.webhook_secret ? sealer.open(connection.webhook_secret) : undefined
  if (!connection || secret === undefined) throw notFound('webhook')
  if (!isSigned(sent, secret)) throw new AppError('unauthenticated', 'The signature of the webhook is wrong')
  if (connection.imports_after_push !== 1 || !isPush(sent) || ref !== connection.ref) return
  const isRemoved = after !== undefined && /^0+$/.test(after)
  if (isRemoved) return
  const space = { organization_id: connection.organization_id, id: connection.space_id }
  await queueOnce(context, space, 'import', {
    request: requestOf(connection),
    credentials: null,
    eventAt: now(),
    createdBy: connection.created_by,
  })
}

function isPush(sent: Sent): boolean {
  const event = sent.header('x-github-event') ?? sent.header('x-gitea-event') ?? sent.header('x-gitlab-event')
  return event === undefined || /^push/i.test(event)
}

/** By a signature over the body, as GitHub does it, or by the secret itself, as GitLab does. */
function isSigned(sent: Sent, secret: string): boolean {
  const signature = sent.header('x-hub-signature-256')
  if (signature !== undefined) {
    return isSame(signature, `sha256=${createHmac('sha256', secret).update(sent.body).digest('hex')}`)
  }
  const token = sent.header('x-gitlab-token')
  return token !== undefined && isSame(token, secret)
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
