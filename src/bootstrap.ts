import type { App } from './app.ts'
import { importRepository } from './content/repository/import.ts'
import { newId } from './kernel/ids.ts'
import { timestamp } from './kernel/time.ts'
import { readManual } from './manual.ts'
import { openFiles } from './resources/content/folder.ts'
import { createOrganization } from './resources/organizations/create.ts'
import { createSpace } from './resources/spaces/create.ts'
import { createToken, createUser } from './resources/users/accounts.ts'

export interface FirstStart {
  email: string
  organizationId: string
  spaceId: string
  token: string
}

/** On the very first start, creates an administrator, an organization, a space with the manual, and a token; on later ones, nothing. */
export async function bootstrap(app: App): Promise<FirstStart | undefined> {
  const { database, config, clock, openObjects, queue } = app
  const known = await database.reader.selectFrom('instance').selectAll().where('key', '=', 'id').executeTakeFirst()
  if (known) return undefined
  const making = { newId, now: () => timestamp(clock()), openObjects, enqueue: queue.enqueue }
  const manual = readManual()
  const folder = manual && (await openFiles(app, manual))
  return database.transaction(async (db) => {
    // Of several processes that start at once, one writes this row; the others find it when they try again.
    const isFirst = await db
      .insertInto('instance')
      .values({ key: 'id', value: newId() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
    if (!isFirst) return undefined
    const admin = await createUser(db, making, { email: config.adminEmail, displayName: 'Administrator' })
    const organization = await createOrganization(db, making, { title: 'My organization', admin })
    const objects = openObjects(db, organization.id)
    const content = folder && (await importRepository(objects, folder, { newId, now: making.now() }))
    await objects.flush()
    const space = await createSpace(db, making, {
      organizationId: organization.id,
      container: undefined,
      createdBy: admin.id,
      title: 'Octavo',
      emoji: '📘',
      content,
    })
    const { token } = await createToken(db, making, {
      userId: admin.id,
      label: 'First start',
      token: config.bootstrapToken,
    })
    return { email: admin.email, organizationId: organization.id, spaceId: space.id, token }
  })
}
