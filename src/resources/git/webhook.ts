import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PublicContext, RawRequest } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { queueGitOperationOnce, toGitRequest } from '../../domain/git/queue-operation.ts'
import * as store from '../../domain/git/git-store.ts'

interface Push {
  ref?: string | undefined
  /** Id of the branch's commit after the push. */
  after?: string | undefined
}

/** Checks the headers of a delivery, and returns a function that checks its body. */
export async function admitDelivery(context: PublicContext, spaceId: string): Promise<(body: Uint8Array) => void> {
  const { secret } = await getWebhook(context, spaceId)
  const { rawRequest } = context
  if (rawRequest.header(signatureHeader) === undefined && !hasToken(rawRequest, secret)) throw invalidSignature()
  return (body) => assertSigned({ ...rawRequest, body }, secret)
}

/** Queues an import after a push to the branch of the space. */
export async function receivePush(context: PublicContext, spaceId: string, { ref, after }: Push): Promise<void> {
  const { rawRequest, now } = context
  const { connection, secret } = await getWebhook(context, spaceId)
  assertSigned(rawRequest, secret)
  if (connection.imports_after_push !== 1 || !isPush(rawRequest) || ref !== connection.ref) return
  const isRemoved = after !== undefined && /^0+$/.test(after)
  if (isRemoved) return
  const space = { organization_id: connection.organization_id, id: connection.space_id }
  await queueGitOperationOnce(context, space, 'import', {
    request: toGitRequest(connection),
    credentials: null,
    eventAt: now(),
    createdBy: connection.created_by,
  })
}

function isPush(sent: RawRequest): boolean {
  const event = sent.header('x-github-event') ?? sent.header('x-gitea-event') ?? sent.header('x-gitlab-event')
  return event === undefined || /^push/i.test(event)
}

async function getWebhook({ db, sealer }: PublicContext, spaceId: string) {
  const connection = await store.findGitConnectionBySpaceId(db, spaceId)
  const secret = connection?.webhook_secret ? sealer.open(connection.webhook_secret) : undefined
  if (!connection || secret === undefined) throw notFound('webhook')
  return { connection, secret }
}

const signatureHeader = 'x-hub-signature-256'

const invalidSignature = () => new AppError('unauthenticated', 'The signature of the webhook is not valid')

/** Fails unless the delivery has a valid signature of the body, as sent by GitHub, or the secret itself, as sent by GitLab. */
function assertSigned(sent: RawRequest, secret: string): void {
  const signature = sent.header(signatureHeader)
  const isSigned =
    signature === undefined
      ? hasToken(sent, secret)
      : isEqualInConstantTime(signature, `sha256=${createHmac('sha256', secret).update(sent.body).digest('hex')}`)
  if (!isSigned) throw invalidSignature()
}

function hasToken(sent: RawRequest, secret: string): boolean {
  const token = sent.header('x-gitlab-token')
  return token !== undefined && isEqualInConstantTime(token, secret)
}

function isEqualInConstantTime(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
