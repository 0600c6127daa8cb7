import { createDocument, leaf, paragraph } from '../../src/content/document/build.ts'
import type { InlineNode } from '../../src/content/document/nodes.ts'
import { Draft } from '../../src/content/revision/draft.ts'
import { openTree } from '../../src/content/revision/tree.ts'
import { findSpaceHead } from '../../src/derived/heads.ts'
import { createRevision, moveSpaceHead } from '../../src/domain/revisions/revisions.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { TestServer } from './server.ts'

const now = () => '2026-01-01T00:00:00.000Z'

interface InsertOptions {
  /** Only one of so many pages is at the top level, and the next ones are below it. */
  perParent?: number
  /** Returns the paragraph of a page; `ids` are the pages before it. */
  write?: (number: number, ids: readonly string[]) => readonly InlineNode[]
  /** IDs of pages that are deleted in the same revision. */
  removed?: readonly string[]
}

const writeWords = (number: number): readonly InlineNode[] => [
  { object: 'text', leaves: [leaf(`word${number} in common`)] },
]

/** Writes pages into a space directly, because the API would be slow for so many pages. Returns their IDs. */
export async function insertPages(
  octavo: TestServer,
  spaceId: string,
  count: number,
  { perParent = 1, write = writeWords, removed = [] }: InsertOptions = {},
): Promise<string[]> {
  const { database, openObjects, queue } = octavo.server.app
  return database.transaction(async (db) => {
    const space = await db.selectFrom('spaces').selectAll().where('id', '=', spaceId).executeTakeFirstOrThrow()
    const objects = openObjects(db, space.organization_id)
    const head = await findSpaceHead(db, spaceId)
    const draft = new Draft(await openTree(objects, head?.rootHash ?? ''))
    const ids: string[] = []
    for (let number = 0; number < count; number++) {
      const document = objects.write({
        kind: 'document',
        document: createDocument([paragraph([...write(number, ids)])]),
      })
      const id = newId()
      const into = number % perParent === 0 ? null : (ids[number - (number % perParent)] ?? null)
      const body = { title: `Page ${number}`, document, createdAt: now(), updatedAt: now() }
      await draft.insertPage({ id, type: 'document', slug: `page-${number}`, body }, { into })
      ids.push(id)
    }
    for (const id of removed) await draft.deletePage(id)
    const rootHash = await draft.commit()
    await objects.flush()
    const revision = { id: newId(), space, rootHash, type: 'edits' as const, parents: [space.revision_id] }
    await createRevision({ db, openObjects }, { ...revision, createdBy: octavo.admin.id, createdAt: now() })
    await moveSpaceHead({ db, enqueue: queue.enqueue, now, openObjects }, space, revision.id)
    return ids
  })
}
