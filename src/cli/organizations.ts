import { createOrganization } from '../resources/organizations/create.ts'
import { type Command, UsageError, printTable, required } from './command.ts'
import { making, withDatabase } from './open.ts'
import { getUser } from './tokens.ts'

export const orgCreateCommand: Command = {
  name: 'org create',
  summary: 'Create an organization',
  options: {
    title: { value: 'title', description: 'Its title' },
    admin: { value: 'id or e-mail', description: 'The account that administers it' },
  },
  async run(input) {
    const title = required(input, 'title').trim()
    const key = required(input, 'admin')
    if (title.length < 2 || title.length > 255) throw new UsageError('--title must have 2 to 255 characters')
    const organization = await withDatabase((database) =>
      database.transaction(async (db) => createOrganization(db, making, { title, admin: await getUser(db, key) })),
    )
    console.log(organization.id)
  },
}

export const orgListCommand: Command = {
  name: 'org list',
  summary: 'List all organizations',
  async run() {
    const organizations = await withDatabase(({ reader }) =>
      reader.selectFrom('organizations').selectAll().orderBy('id').execute(),
    )
    printTable(
      ['ID', 'TITLE', 'MEMBERS', 'CREATED'],
      organizations.map((organization) => [
        organization.id,
        organization.title,
        String(organization.member_count),
        organization.created_at,
      ]),
      'There are no organizations.',
    )
  },
}
