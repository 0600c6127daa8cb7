import { createOpenObjects } from '../../src/app.ts'
import { type Objects, type PageEntry, type ParentEntry, emptyRoot } from '../../src/content/revision/objects.ts'
import { writeSequence } from '../../src/content/revision/sequence.ts'
import { newId } from '../../src/kernel/ids.ts'
import { timestamp } from '../../src/kernel/time.ts'
import { storedDocument } from '../../src/resources/content/documents.ts'
import { createOrganization } from '../../src/resources/organizations/create.ts'
import { createRevision, moveHead } from '../../src/resources/revisions/revisions.ts'
import { createSpace } from '../../src/resources/spaces/create.ts'
import type { Database } from '../../src/storage/database.ts'

/** A page that has none below it. */
export interface Leaf {
  id: string
  path: string
}

export interface SeededSpace {
  id: string
  pageCount: number
  leaves: Leaf[]
}

const making = { newId, now: () => timestamp(Date.now()), openObjects: createOpenObjects(Date.now) }

/** Pages have one of so many texts. */
const textCount = 20

/** What a page says. */
export function textOf(subject: string): string {
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

/** Adds a space whose pages have, from the top down, so many pages below them; its content is written without the API. */
export async function seedSpace(
  database: Database,
  { adminEmail, title, counts }: { adminEmail: string; title: string; counts: readonly number[] },
): Promise<SeededSpace> {
  const [topCount = 0, ...below] = counts
  const { admin, space, documents } = await database.transaction(async (db) => {
    const users = db.selectFrom('users').selectAll().where('email', '=', adminEmail)
    const user = await users.executeTakeFirstOrThrow()
    const { id: organizationId } = await createOrganization(db, making, { title, admin: user })
    const options = { organizationId, container: undefined, createdBy: user.id, title, empty: true }
    const objects = making.openObjects(db, organizationId)
    const hashes = Array.from({ length: textCount }, (_, index) =>
      objects.write({ kind: 'document', document: storedDocument({ markdown: textOf(`part ${index}`) }, 'text') }),
    )
    await objects.flush()
    return { admin: user, space: await createSpace(db, making, options), documents: hashes }
  })
  const writer = new PageWriter(documents)
  const top: PageEntry[] = []
  for (let index = 0; index < topCount; index++) {
    await database.transaction(async (db) => {
      const objects = making.openObjects(db, space.organization_id)
      top.push(writer.write(objects, { index, below, parent: null, above: '' }))
      await objects.flush()
    })
  }
  await database.transaction(async (db) => {
    const objects = making.openObjects(db, space.organization_id)
    const parents = writeSequence(
      objects,
      writer.parents.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
    const rootHash = objects.write({ ...emptyRoot, pages: writeSequence(objects, top), parents })
    await objects.flush()
    const revision = { id: newId(), space, rootHash, type: 'edits' as const, parents: [space.revision_id] }
    await createRevision(db, { ...revision, createdBy: admin.id, createdAt: making.now() })
    await moveHead(db, space, revision.id, making.now())
  })
  return { id: space.id, pageCount: writer.parents.length, leaves: writer.leaves }
}

/** Writes pages from below, so that each object is written once. */
class PageWriter {
  readonly parents: ParentEntry[] = []
  readonly leaves: Leaf[] = []
  readonly #documents: readonly string[]

  constructor(documents: readonly string[]) {
    this.#documents = documents
  }

  write(
    objects: Objects,
    place: { index: number; below: readonly number[]; parent: string | null; above: string },
  ): PageEntry {
    const [count = 0, ...below] = place.below
    const [id, slug] = [newId(), `page-${place.index}`]
    const path = place.above === '' ? slug : `${place.above}/${slug}`
    this.parents.push({ id, parent: place.parent })
    if (count === 0) this.leaves.push({ id, path })
    const children = Array.from({ length: count }, (_, index) =>
      this.write(objects, { index, below, parent: id, above: path }),
    )
    const now = making.now()
    const hash = objects.write({
      kind: 'page',
      title: `Page ${this.parents.length}`,
      description: 'What it is for, in one sentence.',
      document: this.#documents[this.parents.length % textCount] as string,
      createdAt: now,
      updatedAt: now,
      pages: writeSequence(objects, children),
    })
    return { id, slug, type: 'document', hash }
  }
}
