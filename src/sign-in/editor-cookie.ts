import { isSecureUrl } from '../access/session-cookie.ts'
import type { PageContext } from './context.ts'

/**
 * Name of a cookie that is no secret: scripts of published pages on this host request the editor bar only if it is there, so that
 * visitors load nothing. Its value is the path of the server.
 */
const cookieName = 'octavo-editor'

type CookieContext = Pick<PageContext, 'urls' | 'settings'>

function serializeEditorCookie({ urls }: CookieContext, maxAge: number): string {
  const base = urls.plain('/')
  const attributes = ['Path=/', 'SameSite=Lax', `Max-Age=${Math.floor(maxAge / 1000)}`]
  if (isSecureUrl(base)) attributes.push('Secure')
  return [`${cookieName}=${encodeURIComponent(new URL(base).pathname)}`, ...attributes].join('; ')
}

/** Returns the cookie with which published pages request the editor bar, for as long as a session can last. */
export const editorCookie = (context: CookieContext): string =>
  serializeEditorCookie(context, context.settings.lifetimes.absolute)

export const expiredEditorCookie = (context: CookieContext): string => serializeEditorCookie(context, 0)
