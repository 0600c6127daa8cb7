import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PublicContext, Sent } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { queue, requestOf } from './requests.ts'
import * as store from './store.ts'

/** Deals with what the host of a repository tells. */
export async function receive(context: PublicContext, spaceId: string, ref: string | undefined): Promise<void> {
  const { db, sealer, sent, now } = context
  const connection = await store.findConnectionOfSpace(db, spaceId)
  const secret = connection?.webhook_secret ? sealer.open(connection.webhook_secret) : undefined
  if (!connection || secret === undefined) throw notFound('webhook')
  if (!isSigned(sent, secret)) throw new AppError('unauthenticated', 'The signature of the webhook is wrong')
  if (connection.imports_after_push !== 1 || !isPush(sent) || ref !== connection.ref) return
  const space = { organization_id: connection.organization_id, id: connection.space_id }
  // One that has not begun will find this push too.
  if (await store.findQueued(db, space, 'import')) return
  await queue(context, space, 'import', {
    request: requestOf(connection),
    credentials: null,
    eventAt: now(),
    createdBy: connection.created_by,
  })
}

function isPush({ header }: Sent): boolean {
  const event = header('x-github-event') ?? header('x-gitea-event') ?? header('x-gitlab-event')
  return event === undefined || /^push/i.test(event)
}

/** By a signature over the body, as GitHub does it, or by the secret itself, as GitLab does. */
function isSigned({ body, header }: Sent, secret: string): boolean {
  const signature = header('x-hub-signature-256')
  if (signature !== undefined) {
    return isSame(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  }
  const token = header('x-gitlab-token')
  return token !== undefined && isSame(token, secret)
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
