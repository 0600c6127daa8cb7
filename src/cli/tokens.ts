import { TokenScope, tokenScopes } from '../contract/roles.ts'
import { notFound } from '../kernel/errors.ts'
import { days, timestamp } from '../kernel/time.ts'
import { createToken } from '../domain/users/accounts.ts'
import { recordTokenCreated, recordTokenRevoked } from '../domain/users/token-events.ts'
import type { Db } from '../schema/tables.ts'
import { type Command, UsageError, printTable, requireOption } from './command.ts'
import { commandContext, withDatabase } from './environment.ts'

const userOption = { value: 'id or email', description: 'User of the token' }

export const tokenCreateCommand: Command = {
  name: 'token create',
  summary: 'Create an API token and print it; it is shown only once',
  options: {
    user: userOption,
    label: { value: 'text', description: 'Label of the token' },
    scopes: {
      value: 'list',
      description: `Scopes of the token, separated by commas: ${tokenScopes.slice(0, 4).join(', ')}, …`,
    },
    'expires-in-days': {
      value: 'number',
      description: 'Number of days until the token expires; it does not expire by default',
    },
  },
  async run(input) {
    const key = requireOption(input, 'user')
    const label = input.options['label'] ?? 'Command line'
    if (label.length > 50) throw new UsageError('--label must have at most 50 characters')
    const limited = input.options['scopes']?.split(',').map((name) => parseScope(name.trim())) ?? null
    const expiresAt = parseDays(input.options['expires-in-days'])
    const { token } = await withDatabase((database) =>
      database.transaction(async (db) => {
        const { id: userId } = await getUserByIdOrEmail(db, key)
        const values = { userId, label, scopes: limited, expiresAt, isFromOperator: true }
        const created = await createToken(db, commandContext, values)
        await recordTokenCreated({ ...commandContext, db }, created.row)
        return created
      }),
    )
    console.log(token)
  },
}

export const tokenListCommand: Command = {
  name: 'token list',
  summary: 'List API tokens of a user or of all users',
  options: { user: userOption },
  async run({ options }) {
    const tokens = await withDatabase(async ({ reader }) => {
      const userId = options['user'] === undefined ? undefined : (await getUserByIdOrEmail(reader, options['user'])).id
      return reader
        .selectFrom('tokens')
        .innerJoin('users', 'users.id', 'tokens.user_id')
        .$if(userId !== undefined, (query) => query.where('tokens.user_id', '=', userId as string))
        .selectAll('tokens')
        .select('users.email')
        .orderBy('tokens.id')
        .execute()
    })
    printTable(
      ['ID', 'USER', 'LABEL', 'SCOPES', 'CREATED', 'LAST USED', 'EXPIRES'],
      tokens.map((token) => [
        token.id,
        token.email,
        token.label,
        token.scopes === null ? 'all' : (JSON.parse(token.scopes) as string[]).join(','),
        token.created_at,
        token.last_used_at ?? 'never',
        token.expires_at ?? 'never',
      ]),
      'There are no tokens.',
    )
  },
}

export const tokenRevokeCommand: Command = {
  name: 'token revoke',
  summary: 'Revoke an API token immediately',
  parameters: ['token id'],
  async run({ parameters: [id] }) {
    await withDatabase((database) =>
      database.transaction(async (db) => {
        const token = await db
          .deleteFrom('tokens')
          .where('id', '=', id as string)
          .returning(['id', 'user_id'])
          .executeTakeFirst()
        if (!token) throw notFound('token')
        await recordTokenRevoked({ ...commandContext, db }, token)
      }),
    )
    console.log(`Revoked ${id}.`)
  },
}

export async function getUserByIdOrEmail(db: Db, key: string) {
  const found = await db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', key), eb('email', '=', key.toLowerCase())]))
    .executeTakeFirst()
  if (!found) throw notFound(`user ${key}`)
  return found
}

function parseScope(name: string): TokenScope {
  const scope = TokenScope.safeParse(name)
  if (!scope.success) throw new UsageError(`${name} is not a scope. Available scopes: ${tokenScopes.join(', ')}`)
  return scope.data
}

function parseDays(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new UsageError('--expires-in-days must be a whole number')
  return timestamp(Date.now() + days(Number(text)))
}
