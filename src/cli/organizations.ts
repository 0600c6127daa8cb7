import { AppError, notFound } from '../kernel/errors.ts'
import { recordOrganizationEvent } from '../domain/audit/record-event-about.ts'
import { findFirstAdmin } from '../domain/members/member-queries.ts'
import { createOrganization } from '../resources/organizations/create-organization.ts'
import type { Db, Row } from '../schema/tables.ts'
import { type Command, UsageError, printTable, requireOption } from './command.ts'
import { commandContext, withDatabase } from './environment.ts'
import { formatChoices, maxChoices, toPrintable } from './format.ts'
import { getUserByIdOrEmail } from './tokens.ts'

export const orgCreateCommand: Command = {
  name: 'org create',
  summary: 'Create an organization',
  options: {
    title: { value: 'title', description: 'Title of the organization' },
    admin: { value: 'id or email', description: 'Administrator of the organization' },
  },
  async run(input) {
    const title = requireOption(input, 'title').trim()
    const key = requireOption(input, 'admin')
    if (title.length < 2 || title.length > 255) throw new UsageError('--title must have 2 to 255 characters')
    const organization = await withDatabase((database) =>
      database.transaction(async (db) => {
        const admin = await getUserByIdOrEmail(db, key)
        const created = await createOrganization(db, commandContext, { title, admin })
        await recordOrganizationEvent({ ...commandContext, db }, created, 'organization.create')
        return created
      }),
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

/** The option of commands for one organization. */
export const organizationOption = {
  organization: { value: 'id', description: 'ID of the organization; optional when there is only one' },
}

/** Returns the organization with this id; without an id, the only one. */
export async function getOrganization(db: Db, id: string | undefined): Promise<Row<'organizations'>> {
  const query = db.selectFrom('organizations').selectAll().orderBy('id')
  const found = await (id === undefined ? query.limit(2) : query.where('id', '=', id)).execute()
  const [organization] = found
  if (organization && found.length === 1) return organization
  if (found.length === 0 && id === undefined)
    throw new AppError('notFound', 'No organization exists yet. Start the server once, or use `octavo org create`.')
  const others = formatChoices(await query.limit(maxChoices + 1).execute())
  throw id === undefined
    ? new AppError('invalid', `There are several organizations. Choose one with --organization.${others}`)
    : new AppError('notFound', `The organization ${toPrintable(id)} does not exist.${others}`)
}

export async function getFirstAdmin(db: Db, organizationId: string): Promise<Row<'users'>> {
  const id = await findFirstAdmin(db, organizationId)
  if (id === undefined) throw notFound('administrator of the organization')
  return getUserByIdOrEmail(db, id)
}
