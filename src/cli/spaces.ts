import type { FileUrlMapping } from '../content/repository/references.ts'
import { maxSpaceTitleLength } from '../contract/spaces.ts'
import { AppError } from '../kernel/errors.ts'
import { createFileUrlMapping } from '../domain/git/repository-urls.ts'
import { findGitConnection } from '../domain/git/git-store.ts'
import { selectLiveSpaces } from '../domain/spaces/space-queries.ts'
import type { Db, Row } from '../schema/tables.ts'
import { type Command, UsageError, printTable, requireOption } from './command.ts'
import { withDatabase } from './environment.ts'
import { getOrganization, organizationOption } from './organizations.ts'
import { formatChoices, maxChoices, toPrintable } from './format.ts'

export const spaceCreateCommand: Command = {
  name: 'space create',
  summary: 'Create a space and print its id',
  options: {
    title: { value: 'title', description: 'Title of the space' },
    ...organizationOption,
    empty: { description: 'Create the space without an initial page' },
  },
  async run(input) {
    const title = requireOption(input, 'title').trim()
    if (title.length < 1 || title.length > maxSpaceTitleLength)
      throw new UsageError(`--title must have 1 to ${maxSpaceTitleLength} characters`)
    const space = await withDatabase(async (database, config) => {
      const { openAdminSession } = await import('./admin-session.ts')
      const { createSpace } = await import('../resources/spaces/create-space.ts')
      const { organization, transaction } = await openAdminSession(database, config, input.options)
      return transaction((context) =>
        createSpace(context.db, context, {
          organizationId: organization.id,
          container: undefined,
          createdBy: context.principal.user.id,
          title,
          empty: input.switches.has('empty'),
        }),
      )
    })
    console.log(space.id)
  },
}

export const spaceListCommand: Command = {
  name: 'space list',
  summary: 'List spaces',
  options: { organization: { value: 'id', description: 'Only spaces of this organization' } },
  async run({ options: { organization } }) {
    const spaces = await withDatabase(async ({ reader }) => {
      const owner = organization === undefined ? undefined : await getOrganization(reader, organization)
      return selectLiveSpaces(reader, owner?.id).selectAll().orderBy('id').execute()
    })
    printTable(
      ['ID', 'TITLE', 'ORGANIZATION', 'UPDATED'],
      spaces.map((space) => [space.id, toPrintable(space.title), space.organization_id, space.updated_at]),
      'There are no spaces.',
    )
  },
}

/** Returns a space by its id, in one organization or in any; fails with a list of spaces if it does not exist. */
export async function getSpaceById(db: Db, id: string, organizationId?: string): Promise<Row<'spaces'>> {
  const live = selectLiveSpaces(db, organizationId)
  const space = await live.selectAll().where('id', '=', id).executeTakeFirst()
  if (space) return space
  const others = await live
    .select(['id', 'title'])
    .orderBy('id')
    .limit(maxChoices + 1)
    .execute()
  const where = organizationId === undefined ? '' : ' in the organization'
  throw new AppError('notFound', `The space ${toPrintable(id)} does not exist${where}.${formatChoices(others)}`)
}

/** Returns the resolver of links to files outside of the content, if the space is connected to a repository. */
export async function fileUrlsOfSpace(db: Db, space: Row<'spaces'>): Promise<FileUrlMapping | undefined> {
  const connection = await findGitConnection(db, space)
  return connection && createFileUrlMapping(connection)
}
