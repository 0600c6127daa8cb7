import { deleteSessionsOfUser } from '../access/sessions.ts'
import { createSignInLink } from '../domain/accounts/links.ts'
import { hours } from '../kernel/time.ts'
import { type Command, requireOption } from './command.ts'
import { idsAndClock, withDatabase } from './environment.ts'
import { toSignInUrl } from './first-start.ts'
import { getUserByIdOrEmail } from './tokens.ts'

const linkLifetime = hours(1)

export const loginLinkCommand: Command = {
  name: 'login-link',
  summary: 'Create a link with which a user chooses a new password or passkey, for example after losing both',
  options: { user: { value: 'id or email', description: 'User who will sign in' } },
  async run(input) {
    const key = requireOption(input, 'user')
    const url = await withDatabase(async (database, config) => {
      const { loadUrls } = await import('./admin-session.ts')
      const token = await database.transaction(async (db) => {
        const user = await getUserByIdOrEmail(db, key)
        return createSignInLink(db, idsAndClock.now(), { kind: 'setup', userId: user.id, lifetime: linkLifetime })
      })
      return toSignInUrl(await loadUrls(database.reader, config), `/setup/${token}`)
    })
    console.log(url)
    console.error('The link is valid once, for one hour.')
  },
}

export const logoutCommand: Command = {
  name: 'logout',
  summary: 'End all sessions of a user',
  options: { user: { value: 'id or email', description: 'User whose sessions end' } },
  async run(input) {
    const key = requireOption(input, 'user')
    const count = await withDatabase((database) =>
      database.transaction(async (db) => deleteSessionsOfUser(db, (await getUserByIdOrEmail(db, key)).id)),
    )
    console.log(`Ended ${count} sessions.`)
  },
}
