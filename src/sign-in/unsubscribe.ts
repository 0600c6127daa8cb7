import { turnMailOff } from '../domain/notifications/settings-store.ts'
import { isUnsubscribeSignature } from '../domain/notifications/unsubscribe.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { markup } from '../render/html.ts'
import type { PageContext, PageRoute } from './context.ts'
import { toHref } from './href.ts'
import { renderPage, replyWithPage } from './page.ts'

const path = '/unsubscribe/{userId}/{signature}'

/** Returns the user of a link in a mail. */
function getUserId({ params, signer }: PageContext): string {
  const { userId = '', signature = '' } = params
  if (!isUnsubscribeSignature(signer, userId, signature))
    throw new AppError('notFound', 'The link is not complete. Open it from the mail again')
  return userId
}

/** Asks before anything changes, because programs that check mails open all links in them. */
function showForm(context: PageContext): Promise<PageReply> {
  return replyWithPage(context, async () => {
    getUserId(context)
    return renderPage(context, {
      title: 'Unsubscribe',
      isError: true,
      content: markup`<h1>Unsubscribe</h1><p>Octavo will no longer send you emails about notifications. You still find them in the app.</p><form method="post" action="${toHref(context, context.request.path)}"><button type="submit">Unsubscribe</button></form>`,
    })
  })
}

/** Stops the mails. Mail programs also send this request, without opening the page (RFC 8058). */
function unsubscribe(context: PageContext): Promise<PageReply> {
  return replyWithPage(context, async () => {
    const userId = getUserId(context)
    await context.database.transaction((db) => turnMailOff(db, userId))
    return renderPage(context, {
      title: 'Unsubscribed',
      isError: true,
      content: markup`<h1>Unsubscribed</h1><p>You will get no more emails about notifications.</p><p><a href="${toHref(context, '/app/account/notifications')}">Change the settings of notifications</a></p>`,
    })
  })
}

export const unsubscribeRoutes: readonly PageRoute[] = [
  { method: 'GET', path, isOpen: true, handler: showForm },
  { method: 'POST', path, kind: 'open', handler: unsubscribe },
]
