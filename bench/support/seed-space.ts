import { Queue } from '../../src/jobs/queue.ts'
import { createOpenObjects } from '../../src/server/app.ts'
import { Draft } from '../../src/content/revision/draft.ts'
import { type Objects, emptyRoot } from '../../src/content/revision/objects.ts'
import { newId } from '../../src/kernel/ids.ts'
import { timestamp } from '../../src/kernel/time.ts'
import { parseStandaloneDocument } from '../../src/domain/documents/document-body.ts'
import { createOrganization } from '../../src/resources/organizations/create-organization.ts'
import { createRevision, moveSpaceHead } from '../../src/domain/revisions/revisions.ts'
import { createSpace } from '../../src/resources/spaces/create-space.ts'
import type { Database } from '../../src/storage/database.ts'

/** Page without pages below it. */
export interface LeafPage {
  id: string
  path: string
}

export interface SeededSpace {
  id: string
  pageCount: number
  leaves: LeafPage[]
}

const making = { newId, now: () => timestamp(Date.now()), openObjects: createOpenObjects(Date.now) }

/** Number of different texts of pages. */
const textCount = 20

/** Returns the Markdown of a page. */
export function createPageMarkdown(subject: string): string {
  return [
    `How **${subject}** is set up, and what to look at when it does not answer. See [the project](https://example.com/).`,
    `## Before ${subject} starts`,
    `* The address of the server\n* A token that may read ${subject}\n* Room for what is kept`,
    '```sh\noctavo serve --port 8080\n```',
    '{% hint style="info" %}\nWhat was set by a variable counts more than what is in the file.\n{% endhint %}',
    '| Name | Default |\n| --- | --- |\n| `PORT` | `8080` |\n| `HOST` | `0.0.0.0` |',
    'It stops when it is told to, after the last reply was sent.',
  ].join('\n\n')
}

/** Adds a space with a number of pages per level below each page; its content is written without the API. */
export async function seedSpace(
  database: Database,
  { adminEmail, title, counts }: { adminEmail: string; title: string; counts: readonly number[] },
): Promise<SeededSpace> {
  return seedContent(database, { adminEmail, title }, (objects) => writePages(objects, counts))
}

/** Adds an organization with a space whose content is written by a function. */
export async function seedContent<Seeded extends { rootHash: string }>(
  database: Database,
  { adminEmail, title }: { adminEmail: string; title: string },
  write: (objects: Objects) => Promise<Seeded>,
): Promise<Omit<Seeded, 'rootHash'> & { id: string; organizationId: string }> {
  return database.transaction(async (db) => {
    const users = db.selectFrom('users').selectAll().where('email', '=', adminEmail)
    const admin = await users.executeTakeFirstOrThrow()
    const { id: organizationId } = await createOrganization(db, making, { title, admin })
    const about = { organizationId, container: undefined, createdBy: admin.id, title, empty: true }
    const { enqueue } = new Queue(database, Date.now)
    const space = await createSpace(db, { ...making, enqueue, client: undefined }, about)
    const objects = making.openObjects(db, organizationId)
    const { rootHash, ...seeded } = await write(objects)
    await objects.flush()
    const revision = { id: newId(), space, rootHash, type: 'edits' as const, parents: [space.revision_id] }
    await createRevision(
      { db, openObjects: making.openObjects },
      { ...revision, createdBy: admin.id, createdAt: making.now() },
    )
    await moveSpaceHead({ db, enqueue, now: making.now, openObjects: making.openObjects }, space, revision.id)
    return { id: space.id, organizationId, ...seeded }
  })
}

async function writePages(objects: Objects, counts: readonly number[]) {
  const documents = Array.from({ length: textCount }, (_, index) =>
    objects.write({
      kind: 'document',
      document: parseStandaloneDocument({ markdown: createPageMarkdown(`part ${index}`) }, 'text'),
    }),
  )
  const draft = new Draft({ objects, root: emptyRoot })
  const leaves: LeafPage[] = []
  let pageCount = 0
  const insert = async (parent: LeafPage | undefined, [count = 0, ...below]: readonly number[]): Promise<void> => {
    for (let index = 0; index < count; index++) {
      const [id, slug, now] = [newId(), `page-${index}`, making.now()]
      const body = {
        title: `Page ${pageCount}`,
        description: 'What it is for, in one sentence.',
        document: documents[pageCount++ % textCount] as string,
        createdAt: now,
        updatedAt: now,
      }
      await draft.insertPage({ id, type: 'document', slug, body }, { into: parent?.id ?? null })
      const page = { id, path: parent ? `${parent.path}/${slug}` : slug }
      if (below.length === 0) leaves.push(page)
      else await insert(page, below)
    }
  }
  await insert(undefined, counts)
  return { rootHash: await draft.commit(), pageCount, leaves }
}
