import { z } from 'zod'
import { createUser } from '../domain/users/accounts.ts'
import { findUsersByEmail, updateUser } from '../domain/users/user-store.ts'
import { toFlag } from '../schema/values.ts'
import { type Command, UsageError, printTable, requireOption } from './command.ts'
import { idsAndClock, withDatabase } from './environment.ts'

export const userCreateCommand: Command = {
  name: 'user create',
  summary: 'Create an account',
  options: {
    email: { value: 'address', description: 'Email address of the user' },
    name: { value: 'name', description: 'Display name; defaults to the part of the email address before the @' },
  },
  async run(input) {
    const email = requireOption(input, 'email')
    if (!z.email().max(254).safeParse(email).success) throw new UsageError(`${email} is not an email address`)
    const displayName = input.options['name'] ?? email.slice(0, email.indexOf('@'))
    if (displayName.length < 1 || displayName.length > 64) throw new UsageError('--name must have 1 to 64 characters')
    const user = await withDatabase((database) =>
      database.transaction((db) => createUser(db, idsAndClock, { email, displayName })),
    )
    console.log(user.id)
  },
}

export const userOperatorCommand: Command = {
  name: 'user operator',
  summary: 'Let a user operate the server in the web app',
  options: {
    email: { value: 'address', description: 'Email address of the user' },
    off: { description: 'Revoke the permission' },
  },
  async run(input) {
    const email = requireOption(input, 'email')
    const isOperator = !input.switches.has('off')
    const isFound = await withDatabase((database) =>
      database.transaction(async (db) => {
        const [user] = await findUsersByEmail(db, [email.toLowerCase()])
        if (!user) return false
        await updateUser(db, user.id, { is_operator: toFlag(isOperator), updated_at: idsAndClock.now() })
        return true
      }),
    )
    if (!isFound) throw new UsageError(`There is no account with the address ${email}`)
    console.log(isOperator ? `${email} operates the server.` : `${email} no longer operates the server.`)
  },
}

export const userListCommand: Command = {
  name: 'user list',
  summary: 'List all accounts',
  async run() {
    const users = await withDatabase(({ reader }) => reader.selectFrom('users').selectAll().orderBy('id').execute())
    printTable(
      ['ID', 'EMAIL', 'NAME', 'CREATED'],
      users.map((user) => [user.id, user.email, user.display_name, user.created_at]),
      'There are no accounts.',
    )
  },
}
