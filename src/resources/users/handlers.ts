import { type SessionLifetimes, deleteSession, findSessions } from '../../access/sessions.ts'
import { users } from '../../contract/users.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { updateMemberSearchColumns } from '../../domain/members/member-queries.ts'
import { createToken } from '../../domain/users/accounts.ts'
import { presentSession, presentToken, presentUser } from '../../domain/users/present-user.ts'
import * as store from '../../domain/users/user-store.ts'

export const userRoutes = ({ sessionLifetimes }: { sessionLifetimes: SessionLifetimes }) =>
  implement(users, {
    getAuthenticatedUser({ principal, urls }) {
      return presentUser(principal.user, urls)
    },

    async getUserById({ db, principal, urls }, { params }) {
      if (params.userId === principal.user.id) return presentUser(principal.user, urls)
      const user = await store.findFellowMember(db, principal, params.userId)
      if (!user) throw notFound('user')
      return presentUser(user, urls)
    },

    async updateUserById({ db, principal, urls, now }, { params, body }) {
      if (params.userId !== principal.user.id) {
        if (!(await store.findFellowMember(db, principal, params.userId))) throw notFound('user')
        throw new AppError('forbidden', 'Only the user can change their own account')
      }
      const user = await store.updateUser(db, params.userId, {
        ...(body.displayName !== undefined && { display_name: body.displayName }),
        ...(body.photoURL !== undefined && { photo_url: body.photoURL }),
        updated_at: now(),
      })
      if (body.displayName !== undefined) await updateMemberSearchColumns(db, user)
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

    async createToken({ db, principal, urls, now, newId }, { body }) {
      // Compared as times rather than strings, because a timestamp may omit its fraction of a second.
      if (body.expiresAt !== undefined && Date.parse(body.expiresAt) <= Date.parse(now())) {
        throw invalid('body.expiresAt', 'must be in the future')
      }
      const expiresAt = body.expiresAt && new Date(body.expiresAt).toISOString()
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
      return { ...presentToken(row, urls), token }
    },

    async revokeToken({ db, principal }, { params }) {
      await store.deleteToken(db, principal, params.tokenId)
    },

    async listSessions({ db, principal, urls, now }) {
      const sessions = await findSessions(db, principal, now(), sessionLifetimes)
      return { items: sessions.map((session) => presentSession(session, principal, urls)) }
    },

    async revokeSession({ db, principal }, { params }) {
      await deleteSession(db, principal, params.sessionId)
    },
  })
