import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { canonicalJson } from '../content/document/canonical-json.ts'
import {
  MissingObjectError,
  type ObjectReadOptions,
  type Objects,
  type StoredObject,
} from '../content/revision/objects.ts'
import { iterateReachableHashes } from '../content/revision/reachable-objects.ts'
import type { ObjectStore } from '../kernel/context.ts'
import { toBatches } from './batches.ts'
import { isPostgres } from './is-postgres.ts'
import { defineUncachedLookup } from './lookup.ts'
import type { ObjectCache } from './object-cache.ts'
import { chargeBlobs } from './storage-usage.ts'
import type { Db } from '../schema/tables.ts'

/** Looks up one object, because most reads descend a tree one object at a time. */
const findBody = defineUncachedLookup((db, { organizationId, hash }: { organizationId: string; hash: string }) =>
  db.selectFrom('objects').select('body').where('organization_id', '=', organizationId).where('hash', '=', hash),
)

interface WrittenObject {
  /** Missing if only the JSON text is kept. */
  object?: StoredObject
  /** Canonical JSON of the object. */
  body: string
}

/** Objects of an organization. Written objects are stored by `flush`, if the transaction commits. */
export class DatabaseObjects implements ObjectStore {
  readonly #db: Db
  readonly #organizationId: string
  readonly #cache: ObjectCache
  readonly #now: () => string
  readonly #written = new Map<string, WrittenObject>()
  #pending = 0

  constructor(db: Db, organizationId: string, cache: ObjectCache, now: () => string) {
    this.#db = db
    this.#organizationId = organizationId
    this.#cache = cache
    this.#now = now
  }

  async read(hashes: readonly string[], { skipCache = false }: ObjectReadOptions = {}): Promise<StoredObject[]> {
    const available = hashes.map((hash) => this.#writtenObject(hash) ?? this.#cache.get(this.#key(hash)))
    const missing = new Set(hashes.filter((_, index) => !available[index]))
    const fetched = missing.size > 0 ? await this.#fetch([...missing], skipCache) : undefined
    return hashes.map((hash, index) => {
      const object = available[index] ?? fetched?.get(hash)
      if (!object) throw new MissingObjectError(`The object ${hash} of organization ${this.#organizationId} is missing`)
      return object
    })
  }

  #writtenObject(hash: string): StoredObject | undefined {
    const written = this.#written.get(hash)
    return written && (written.object ?? (JSON.parse(written.body) as StoredObject))
  }

  async #fetch(hashes: readonly string[], inPassing: boolean): Promise<Map<string, StoredObject>> {
    const fetched = new Map<string, StoredObject>()
    const addFetched = (hash: string, body: string): void => {
      const object = JSON.parse(body) as StoredObject
      fetched.set(hash, object)
      // Objects that are read only once would evict frequently used ones.
      if (!inPassing) this.#cache.put(this.#key(hash), object)
    }
    const [only] = hashes
    if (hashes.length === 1 && only !== undefined) {
      const row = await findBody(this.#db, { organizationId: this.#organizationId, hash: only })
      if (row) addFetched(only, row.body)
      return fetched
    }
    for (const batch of toBatches(hashes)) {
      const query = selectBodies(this.#db, this.#organizationId, batch)
      const { rows } = await this.#db.executeQuery<{ hash: string; body: string }>(query)
      for (const { hash, body } of rows) addFetched(hash, body)
    }
    return fetched
  }

  write(object: StoredObject): string {
    const body = canonicalJson(object)
    // The text of a file is rarely read again; with its object it would be in memory twice, and then in the cache.
    return this.#put(object.kind === 'source' ? { body } : { object, body })
  }

  /** Writes an object without caching it, because documents in JSON are written in large numbers. */
  writeCanonical(json: string): string {
    return this.#put({ body: json })
  }

  #put(written: WrittenObject): string {
    const { body } = written
    const hash = createHash('sha256').update(body).digest('hex')
    if (!this.#written.has(hash)) {
      this.#written.set(hash, written)
      this.#pending += body.length
    }
    return hash
  }

  get pending(): number {
    return this.#pending
  }

  async flush(): Promise<void> {
    await this.store(this.#db)
    this.forget()
  }

  /** Stores each object once per organization, however often it was written. */
  async store(db: Db): Promise<void> {
    const now = this.#now()
    let isFirst = true
    for (const batch of toInsertBatches(this.#written)) {
      // SQLite blocks the event loop while a statement runs, so other requests get a turn between two statements.
      if (!isFirst) await nextTurn()
      isFirst = false
      const rows = batch.flatMap(([hash, { object, body }]) => [
        this.#organizationId,
        hash,
        body,
        now,
        object?.kind === 'file' ? object.blob : null,
      ])
      await db.executeQuery(CompiledQuery.raw(getInsertSql(db, batch.length), rows))
    }
    const files = [...this.#written.values()].flatMap(({ object }) =>
      object?.kind === 'file' ? [{ hash: object.blob, size: object.size }] : [],
    )
    // Most blobs were already charged when their bytes were received.
    if (files.length > 0) await chargeBlobs(db, this.#organizationId, files)
  }

  forget(): void {
    for (const [hash, { object }] of this.#written) if (object) this.#cache.put(this.#key(hash), object)
    this.#written.clear()
    this.#pending = 0
  }

  #key(hash: string): string {
    return `${this.#organizationId}/${hash}`
  }
}

/** Returns the query for some objects. Its text does not depend on their number, because compiling it takes longer than running it. */
const selectBodies = (db: Db, organizationId: string, hashes: readonly string[]): CompiledQuery =>
  isPostgres(db)
    ? CompiledQuery.raw('select hash, body from objects where organization_id = $1 and hash = any($2::text[])', [
        organizationId,
        hashes,
      ])
    : CompiledQuery.raw(
        'select hash, body from objects where organization_id = ? and hash in (select value from json_each(?))',
        [organizationId, JSON.stringify(hashes)],
      )

/** Maximum number of objects, and of their characters, in one insert statement. */
const insertLimits = { objects: 100, characters: 512 * 1024 }

function* toInsertBatches(written: Iterable<[string, WrittenObject]>): Generator<[string, WrittenObject][]> {
  let [batch, size]: [[string, WrittenObject][], number] = [[], 0]
  for (const entry of written) {
    const { length } = entry[1].body
    if (batch.length === insertLimits.objects || (batch.length > 0 && size + length > insertLimits.characters)) {
      yield batch
      ;[batch, size] = [[], 0]
    }
    batch.push(entry)
    size += length
  }
  if (batch.length > 0) yield batch
}

const insertSqlCache = new WeakMap<object, Map<number, string>>()

/** Returns the SQL of an insert of `count` objects, which is cached because compiling it takes longer than running it. */
function getInsertSql(db: Db, count: number): string {
  const { adapter } = db.getExecutor()
  const cached = insertSqlCache.get(adapter) ?? new Map<number, string>()
  insertSqlCache.set(adapter, cached)
  const sql = cached.get(count) ?? compileInsertSql(db, count)
  cached.set(count, sql)
  return sql
}

function compileInsertSql(db: Db, count: number): string {
  const row = { organization_id: '', hash: '', body: '', written_at: '', blob: null }
  const query = db
    .insertInto('objects')
    .values(Array.from({ length: count }, () => row))
    // The new time shows a concurrent sweep that the object is in use again.
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'hash']).doUpdateSet({ written_at: (eb) => eb.ref('excluded.written_at') }),
    )
  return query.compile().sql
}

/** Returns the hashes of all objects that revisions of some spaces, or everything of an organization, refer to directly. */
export async function findRootHashes(db: Db, organizationId: string, spaceIds?: readonly string[]): Promise<string[]> {
  if (spaceIds?.length === 0) return []
  const rows = await db
    .selectFrom('revisions')
    .select(['root_hash', 'computed_root_hash', 'listing_hash', 'listed_root_hash'])
    .distinct()
    .where('organization_id', '=', organizationId)
    .$if(spaceIds !== undefined, (query) => query.where('space_id', 'in', spaceIds ?? []))
    .execute()
  const hashes = rows.flatMap((row) =>
    [row.root_hash, row.computed_root_hash, row.listing_hash, row.listed_root_hash].filter((hash) => hash !== null),
  )
  if (spaceIds === undefined) {
    hashes.push(
      ...(await findTemplateRoots(db, organizationId)),
      ...(await findComparedRoots(db, organizationId)),
      ...(await findTranslationRoots(db, organizationId)),
    )
  }
  return [...new Set(hashes)]
}

/** Returns the roots with which the next content is compared to update derived rows; generated pages may have changed since. */
async function findComparedRoots(db: Db, organizationId: string): Promise<string[]> {
  const hashes: (string | null)[] = []
  for (const table of ['search_states', 'highlight_states', 'link_states'] as const) {
    const rows = await db
      .selectFrom(table as 'search_states')
      .select(['root_hash', 'pending_hash'])
      .where('organization_id', '=', organizationId)
      .execute()
    for (const row of rows) hashes.push(row.root_hash, row.pending_hash)
  }
  return hashes.filter((hash) => hash !== null)
}

async function findTemplateRoots(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('templates')
    .select('root_hash')
    .distinct()
    .where('organization_id', '=', organizationId)
    .execute()
  return rows.map((row) => row.root_hash)
}

/** Returns the roots with which the next run of a translation compares its source and its result. */
async function findTranslationRoots(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('translations')
    .select(['source_root_hash', 'machine_root_hash', 'pending_source_root_hash', 'pending_machine_root_hash'])
    .where('organization_id', '=', organizationId)
    .execute()
  return rows.flatMap((row) => Object.values(row).filter((hash) => hash !== null))
}

/** Copies all objects reachable from these roots to another organization. */
export async function copyObjects(
  db: Db,
  objects: Objects,
  { from, to, now }: { from: string; to: string; now: string },
  rootHashes: readonly string[],
): Promise<void> {
  for await (const hashes of iterateReachableHashes(objects, rootHashes)) {
    for (const batch of toBatches(hashes)) {
      await db
        .insertInto('objects')
        .columns(['organization_id', 'hash', 'body', 'written_at', 'blob'])
        .expression((eb) =>
          eb
            .selectFrom('objects')
            .select((e) => [e.val(to).as('organization_id'), 'hash', 'body', e.val(now).as('written_at'), 'blob'])
            .where('organization_id', '=', from)
            .where('hash', 'in', batch),
        )
        // The new time shows a concurrent sweep of the other organization that these objects are in use.
        .onConflict((conflict) => conflict.columns(['organization_id', 'hash']).doUpdateSet({ written_at: now }))
        .execute()
      await chargeCopiedFiles(db, { from, to }, batch)
    }
  }
}

/** Charges an organization for the files among objects that were copied to it. */
async function chargeCopiedFiles(
  db: Db,
  { from, to }: { from: string; to: string },
  hashes: readonly string[],
): Promise<void> {
  const files = await db
    .selectFrom('objects')
    .innerJoin('organization_blobs', (join) =>
      join
        .onRef('organization_blobs.organization_id', '=', 'objects.organization_id')
        .onRef('organization_blobs.hash', '=', 'objects.blob'),
    )
    .select(['organization_blobs.hash', 'organization_blobs.size'])
    .where('objects.organization_id', '=', from)
    .where('objects.hash', 'in', hashes)
    .execute()
  if (files.length > 0) await chargeBlobs(db, to, files)
}
