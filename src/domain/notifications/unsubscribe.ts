import type { Urls } from '../../kernel/context.ts'
import type { Signer } from '../../kernel/signer.ts'

const toSignedText = (userId: string): string => `unsubscribe ${userId}`

/** Returns the URL at which a user ends mails about notifications without signing in. */
export const createUnsubscribeUrl = ({ urls, signer }: { urls: Urls; signer: Signer }, userId: string): string =>
  urls.plain(`/unsubscribe/${userId}/${signer.sign(toSignedText(userId))}`)

/** Whether a URL was created for a user. */
export const isUnsubscribeSignature = (signer: Signer, userId: string, signature: string): boolean =>
  signer.verify(toSignedText(userId), signature)
