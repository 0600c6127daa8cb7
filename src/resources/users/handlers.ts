import { type SessionLifetimes, deleteSession, findSessions } from '../../access/sessions.ts'
import { requireOwnSignIn } from '../../access/sso.ts'
import { requireSignInForTokens } from '../../access/sign-in-rules.ts'
import { users } from '../../contract/users.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { recordAccountEvent } from '../../domain/audit/record-event.ts'
import { deleteGrant, findGrants, scopesOf } from '../../domain/oauth/grants.ts'
import { updateMemberSearchColumns } from '../../domain/members/member-queries.ts'
import { isMemberOfOthers } from '../../domain/members/member-store.ts'
import { createToken } from '../../domain/users/accounts.ts'
import { parseTokenExpiry } from '../../domain/users/token-expiry.ts'
import { recordTokenCreated, recordTokenRevoked } from '../../domain/users/token-events.ts'
import { presentSession, presentToken, presentUser } from '../../domain/users/present-user.ts'
import * as store from '../../domain/users/user-store.ts'

export const userRoutes = ({ sessionLifetimes }: { sessionLifetimes: SessionLifetimes }) =>
  implement(users, {
    getAuthenticatedUser({ principal, urls }) {
      return {
        ...presentUser(principal.user, urls),
        ...(principal.user.is_operator === 1 && { operator: true as const }),
      }
    },

    async getUserById({ db, principal, urls }, { params }) {
      if (params.userId === principal.user.id) return presentUser(principal.user, urls)
      const user = await store.findFellowMember(db, principal, params.userId)
      if (!user) throw notFound('user')
      return presentUser(user, urls)
    },

    async updateUserById(context, { params, body }) {
      const { db, principal, urls, now } = context
      if (params.userId !== principal.user.id) {
        if (!(await store.findFellowMember(db, principal, params.userId))) throw notFound('user')
        throw new AppError('forbidden', 'Only the user can change their own account')
      }
      const { only } = principal.reach
      if (only !== undefined && (await isMemberOfOthers(db, principal.user.id, only)))
        requireOwnSignIn(principal, 'change a profile that other organizations see')
      const user = await store.updateUser(db, params.userId, {
        ...(body.displayName !== undefined && { display_name: body.displayName }),
        ...(body.photoURL !== undefined && { photo_url: body.photoURL }),
        updated_at: now(),
      })
      if (body.displayName !== undefined) await updateMemberSearchColumns(db, user)
      await recordAccountEvent(context, user.id, {
        action: 'user.update',
        target: { type: 'user', id: user.id, title: user.display_name },
        before: { displayName: principal.user.display_name, photoURL: principal.user.photo_url },
        after: { displayName: user.display_name, photoURL: user.photo_url },
      })
      return presentUser(user, urls)
    },

    async listTokens({ db, principal, urls }, { query }) {
      const after = decodeCursor(query.page, 1)
      const tokens = await store.findTokens(db, principal, { after, limit: query.limit })
      const count = await store.countTokens(db, principal)
      return toPage(
        tokens,
        query,
        count,
        (token) => [token.id],
        (token) => presentToken(token, urls),
      )
    },

    async createToken(context, { body }) {
      const { db, principal, urls, now, newId } = context
      await requireSignInForTokens(db, principal)
      const expiresAt = parseTokenExpiry(body, now())
      const { row, token } = await createToken(
        db,
        { now, newId },
        {
          userId: principal.user.id,
          label: body.label,
          scopes: body.scopes,
          expiresAt,
          ssoOrganizationId: principal.reach.only ?? null,
        },
      )
      await recordTokenCreated(context, row)
      return { ...presentToken(row, urls), token }
    },

    async revokeToken(context, { params }) {
      const { db, principal } = context
      if (await store.deleteToken(db, principal, params.tokenId))
        await recordTokenRevoked(context, { id: params.tokenId, user_id: principal.user.id })
    },

    async listSessions({ db, principal, urls, now }) {
      const sessions = await findSessions(db, principal, now(), sessionLifetimes)
      return { items: sessions.map((session) => presentSession(session, principal, urls)) }
    },

    async revokeSession(context, { params }) {
      const { db, principal } = context
      if (await deleteSession(db, principal, params.sessionId))
        await recordAccountEvent(context, principal.user.id, {
          action: 'session.revoke',
          target: { type: 'session', id: params.sessionId },
        })
    },

    async listAuthorizedApps({ db, principal, urls }) {
      const grants = await findGrants(db, principal.user.id, principal.reach.only)
      return {
        items: grants.map((grant) => ({
          object: 'authorized-app' as const,
          id: grant.id,
          name: grant.client_name,
          scopes: scopesOf(grant),
          createdAt: grant.created_at,
          urls: { location: urls.api(`/user/apps/${grant.id}`) },
        })),
      }
    },

    async revokeAuthorizedApp(context, { params }) {
      const { db, principal } = context
      if (await deleteGrant(db, principal.user.id, params.grantId, principal.reach.only))
        await recordAccountEvent(context, principal.user.id, {
          action: 'oauth.client-revoke',
          target: { type: 'oauth-client', id: params.grantId },
        })
    },
  })
