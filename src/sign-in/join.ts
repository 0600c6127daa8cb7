import { findUsersByEmail } from '../domain/users/user-store.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup, nothing } from '../render/html.ts'
import { isInviteProof } from '../resources/invites/invite-mail.ts'
import { type Invite, acceptInvite } from '../resources/invites/join.ts'
import type { AccountContext, PageContext, PageRoute } from './context.ts'
import { renderEmailField } from './email-field.ts'
import { getInvite, toJoinPath, toOrganizationPath } from './invite.ts'
import { renderProviderLinks } from './oidc/pages.ts'
import { toHref } from './href.ts'
import { redirectTo, renderForm, renderHidden, renderPage, requireSession } from './page.ts'
import { toAuditContext } from './events.ts'
import { renderSignUpForm, signUpRoutes } from './sign-up.ts'

/** Shows an invite: a button for users, and the ways to sign in or to sign up for others. */
async function showJoin(context: PageContext): Promise<PageReply> {
  const invite = await getInvite(context.database.reader, context)
  const { title } = invite.organization
  const { principal } = context
  const choice = principal ? renderJoinForm({ ...context, principal }, invite) : await renderWaysIn(context, invite)
  return renderPage(context, { title: `Join ${title}`, content: markup`<h1>Join ${title}</h1>${choice}` })
}

function renderJoinForm(context: AccountContext, invite: Invite): Html {
  const { user } = context.principal
  if (invite.kind === 'email' && invite.row.email !== user.email) {
    const signOut = renderForm(context, { action: '/logout', fields: nothing, submit: 'Sign out' })
    return markup`<p>You are signed in as <strong>${user.email}</strong>, and this invite is for another address. Sign out, and open the link again.</p>${signOut}`
  }
  const form = renderForm(context, {
    action: pathOf(invite),
    fields: nothing,
    submit: `Join ${invite.organization.title}`,
  })
  return markup`<p>You are signed in as <strong>${user.email}</strong>.</p>${form}`
}

const pathOf = ({ row }: Invite): string => toJoinPath(row.organization_id, row.id)

async function renderWaysIn(context: PageContext, invite: Invite): Promise<Html> {
  const path = pathOf(invite)
  const signIn = markup`<a class="button secondary" href="${toHref(context, `/login?next=${encodeURIComponent(path)}`)}">Sign in</a>`
  const providers = renderProviderLinks(context, path)
  if (invite.kind === 'email') {
    const [user] = await findUsersByEmail(context.database.reader, [invite.row.email])
    const text = markup`<p>This invite is for <strong>${invite.row.email}</strong>.</p>`
    if (user) return markup`${text}${signIn}${providers}`
    return markup`${text}${renderEmailSignUp(context, invite)}<p class="or">or</p>${providers}${signIn}`
  }
  const signUp = context.settings.hasMail
    ? renderForm(context, { action: `${path}/link`, fields: renderEmailField(), submit: 'Create an account' })
    : markup`<p>If you have no account, ask for an invite to your email address.</p>`
  return markup`${signIn}${providers}<p class="or">or</p>${signUp}`
}

/** Renders how the owner of an invited address creates an account. If the server sends mail, only a mailed link proves the address. */
function renderEmailSignUp(context: PageContext, invite: Extract<Invite, { kind: 'email' }>): Html {
  const key = context.request.url.searchParams.get('key') ?? ''
  const isProven = !context.settings.hasMail || isInviteProof(context.signer, invite.row, key)
  if (isProven) {
    return renderSignUpForm(context, {
      action: `${pathOf(invite)}/sign-up`,
      email: invite.row.email,
      hidden: renderHidden('key', key),
    })
  }
  return renderForm(context, {
    action: `${pathOf(invite)}/link`,
    fields: markup`<p>If you have no account, we send you a link with which you create one.</p>`,
    submit: `Send a link to ${invite.row.email}`,
  })
}

async function join(pageContext: PageContext): Promise<PageReply> {
  const context = requireSession(pageContext)
  const { database, principal } = context
  const { organization } = await database.transaction(async (db) => {
    const invite = await getInvite(db, context)
    if (invite.kind === 'email' && invite.row.email !== principal.user.email)
      throw new AppError('forbidden', 'This invite is for another address')
    await acceptInvite(toAuditContext(db, context), invite, principal.user)
    return invite
  })
  return redirectTo(context, toOrganizationPath(organization.id))
}

export const joinRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/app/join/{organizationId}/{inviteId}', handler: showJoin },
  { method: 'POST', path: '/app/join/{organizationId}/{inviteId}', kind: 'form', handler: join },
  ...signUpRoutes,
]
