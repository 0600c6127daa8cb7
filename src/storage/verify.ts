import { createHash } from 'node:crypto'
import type { Objects, StoredObject } from '../content/revision/objects.ts'
import { iterateReachableHashes } from '../content/revision/reachable-objects.ts'
import type { Blobs } from './blobs.ts'
import { toBatches } from './batches.ts'
import { findRootHashes } from './objects.ts'
import type { Db } from '../schema/tables.ts'

export interface VerificationResult {
  objects: number
  files: number
  /** Messages about missing or damaged content. */
  faults: string[]
}

/** Returns the IDs of spaces whose current revision or its root is missing. */
export async function findSpacesWithoutContent(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('spaces')
    .leftJoin('revisions', (join) =>
      join
        .onRef('revisions.organization_id', '=', 'spaces.organization_id')
        .onRef('revisions.id', '=', 'spaces.revision_id'),
    )
    .leftJoin('objects', (join) =>
      join
        .onRef('objects.organization_id', '=', 'revisions.organization_id')
        .onRef('objects.hash', '=', 'revisions.root_hash'),
    )
    .where('objects.hash', 'is', null)
    .select('spaces.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Reads all content that is reachable from any revision and verifies its hashes. */
export async function verifyContent(db: Db, blobs: Blobs): Promise<VerificationResult> {
  const result: VerificationResult = { objects: 0, files: 0, faults: [] }
  const organizations = await db.selectFrom('organizations').select('id').orderBy('id').execute()
  const checkedBlobs = new Set<string>()
  for (const { id } of organizations) {
    const objects = new VerifyingObjects(db, id, result.faults)
    for await (const hashes of iterateReachableHashes(objects, await findRootHashes(db, id))) {
      result.objects += hashes.length
    }
    for (const blob of objects.blobs) {
      if (checkedBlobs.has(blob)) continue
      checkedBlobs.add(blob)
      result.files++
      if (!(await isBlobIntact(blobs, blob))) result.faults.push(`the bytes ${blob} of a file are missing or damaged`)
    }
  }
  return result
}

async function isBlobIntact(blobs: Blobs, hash: string): Promise<boolean> {
  const opened = await blobs.open(hash)
  if (!opened) return false
  const digest = createHash('sha256')
  for await (const chunk of opened.stream) digest.update(chunk)
  return digest.digest('hex') === hash
}

/** Replacement for an object that cannot be read, so that nothing below it is visited. */
const placeholderObject: StoredObject = { kind: 'sequence', entries: [] }

/** Reads objects and verifies their hashes; missing ones are recorded, and the traversal continues. */
class VerifyingObjects implements Objects {
  readonly blobs = new Set<string>()
  readonly #db: Db
  readonly #organizationId: string
  readonly #faults: string[]

  constructor(db: Db, organizationId: string, faults: string[]) {
    this.#db = db
    this.#organizationId = organizationId
    this.#faults = faults
  }

  async read(hashes: readonly string[]): Promise<StoredObject[]> {
    const bodies = new Map<string, string>()
    for (const batch of toBatches(hashes)) {
      const rows = await this.#db
        .selectFrom('objects')
        .select(['hash', 'body'])
        .where('organization_id', '=', this.#organizationId)
        .where('hash', 'in', batch)
        .execute()
      for (const { hash, body } of rows) bodies.set(hash, body)
    }
    return hashes.map((hash) => this.#check(hash, bodies.get(hash)))
  }

  #check(hash: string, body: string | undefined): StoredObject {
    const isIntact = body !== undefined && createHash('sha256').update(body).digest('hex') === hash
    if (!isIntact) {
      const what = body === undefined ? 'missing' : 'damaged'
      this.#faults.push(`the content ${hash} of organization ${this.#organizationId} is ${what}`)
      return placeholderObject
    }
    const object = JSON.parse(body) as StoredObject
    if (object.kind === 'file') this.blobs.add(object.blob)
    return object
  }

  write(): never {
    throw new Error('Nothing is written while content is checked')
  }

  writeCanonical(): never {
    return this.write()
  }
}
