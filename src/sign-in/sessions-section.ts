import { deleteSession, deleteSessionsOfUser, findSessions } from '../access/sessions.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup, nothing } from '../render/html.ts'
import type { Row } from '../schema/tables.ts'
import type { AccountContext, PageContext, PageRoute } from './context.ts'
import { recordPageEvent } from './events.ts'
import { redirectTo, renderForm, requireSession } from './page.ts'
import { describeUserAgent } from './user-agent.ts'

/** Renders the list of browsers in which the user is signed in. */
export async function renderSessionsSection(context: AccountContext): Promise<Html> {
  const { database, principal, settings, now } = context
  const sessions = await findSessions(database.reader, principal, now(), settings.lifetimes)
  const endOthers =
    sessions.length > 1 &&
    renderForm(context, {
      action: '/account/sessions',
      fields: nothing,
      submit: 'End all other sessions',
      isPlain: true,
    })
  return markup`<section aria-labelledby="sessions"><h2 id="sessions">Sessions</h2><p>Browsers in which you are signed in.</p><ul class="entries">${sessions.map((session) => renderSession(context, session))}</ul>${endOthers}</section>`
}

function renderSession(context: AccountContext, session: Row<'sessions'>): Html {
  const isCurrent = session.id === context.principal.session.id
  const end = renderForm(context, {
    action: `/account/sessions/${session.id}`,
    fields: nothing,
    submit: 'End session',
    isPlain: true,
  })
  return markup`<li><span><strong>${describeUserAgent(session.user_agent)}</strong><small>${session.client_address}, last used <time datetime="${session.last_used_at}">${session.last_used_at.slice(0, 16).replace('T', ' ')} UTC</time></small></span>${isCurrent ? markup`<em>This browser</em>` : end}</li>`
}

async function endSession(pageContext: PageContext): Promise<PageReply> {
  const context = requireSession(pageContext)
  const { database, principal, params } = context
  const id = params['sessionId'] ?? ''
  await database.transaction(async (db) => {
    if (await deleteSession(db, principal, id))
      await recordPageEvent(db, context, principal.user, 'session.revoke', { target: { type: 'session', id } })
  })
  return redirectTo(context, '/account?done=session')
}

async function endOtherSessions(pageContext: PageContext): Promise<PageReply> {
  const context = requireSession(pageContext)
  const { database, principal } = context
  const others = { except: principal.session.id, ssoOrganizationId: principal.reach.only }
  await database.transaction(async (db) => {
    const count = await deleteSessionsOfUser(db, principal.user.id, others)
    await recordPageEvent(db, context, principal.user, 'session.revoke', { after: { count } })
  })
  return redirectTo(context, '/account?done=sessions')
}

export const sessionRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/account/sessions', kind: 'form', handler: endOtherSessions },
  { method: 'POST', path: '/account/sessions/{sessionId}', kind: 'form', handler: endSession },
]
