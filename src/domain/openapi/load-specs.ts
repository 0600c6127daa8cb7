import { hash } from 'node:crypto'
import type { ContentRef } from '../../content/document/nodes.ts'
import type { Tree } from '../../content/revision/tree.ts'
import { seconds, timestamp } from '../../kernel/time.ts'
import type { OpenApiSpec } from '../../openapi/spec.ts'
import type { Db } from '../../schema/tables.ts'
import {
  type LinkedSource,
  findLinkedSources,
  isLinkedSpecDue,
  isLinkedSpecExpected,
  isLinkedSpecTouchDue,
  linkedSourceNameOf,
} from './linked-specs.ts'
import { type LinkedSpecRow, findLinkedDocuments, findLinkedSpec, findLinkedSpecs } from './linked-spec-store.ts'
import { findLatestVersion, findLatestVersionIds, findSpec } from './openapi-store.ts'
import type { SpecDocuments } from './spec-documents.ts'

/** Time after which a linked specification that is not queued is requested again. */
const requestInterval = seconds(5)

/** Maximum number of specifications that one page shows. */
const maxSpecs = 50

/** The specifications that documents refer to. */
export interface LoadedSpecs {
  /** Returns the latest document of a specification; undefined if there is none. */
  find: (ref: ContentRef) => OpenApiSpec | undefined
  /** Versions of the specifications; see `findSpecVersion`. */
  versions: ReadonlyMap<string, string>
  /** Files and URLs that should be processed, and those that should be recorded as used; see `requestLinkedSpecs`. */
  linked: { due: LinkedSource[]; used: LinkedSource[] }
  /** Whether a file or URL has no document yet, but probably has one soon. */
  isWaiting: boolean
  /** Time after which the specifications should be loaded again, although their versions may be the same; undefined if there is none. */
  reloadAt: string | undefined
}

/** A space whose pages show specifications. */
interface SpecReader {
  organizationId: string
  spaceId: string
  tree: Tree
}

/** Loads the latest documents of the specifications of the organization, and of the files and URLs that references name. */
export async function loadSpecs(
  { db, documents, now }: { db: Db; documents: SpecDocuments; now: () => string },
  { organizationId, spaceId, tree }: SpecReader,
  refs: readonly ContentRef[],
): Promise<LoadedSpecs> {
  const versions = new Map<string, string>()
  const specs = new Map<string, OpenApiSpec>()
  const names = [...new Set(refs.flatMap((ref) => (ref.kind === 'openapi' ? [ref.spec] : [])))].slice(0, maxSpecs)
  for (const name of names) {
    const version = (await findLatestVersion(db, organizationId, name))?.version
    versions.set(`spec ${name}`, version?.id ?? '')
    const spec = version && (await documents.open(version.document_blob))
    if (spec) specs.set(`spec ${name}`, spec)
  }
  const linked: LoadedSpecs['linked'] = { due: [], used: [] }
  const sources = [...(await findLinkedSources({ spaceId, tree }, refs))].slice(0, maxSpecs)
  const rows = await findLinkedSpecs(
    db,
    organizationId,
    sources.map(([, { key }]) => key),
  )
  let isWaiting = false
  let reloadAt: string | undefined
  const reloadBy = (time: string) => {
    if (reloadAt === undefined || time < reloadAt) reloadAt = time
  }
  for (const [name, source] of sources) {
    const row = rows.get(source.key)
    versions.set(`linked ${source.key}`, linkedVersionOf(row))
    const spec = row?.document_blob ? await documents.open(row.document_blob) : undefined
    if (spec) specs.set(name, spec)
    else isWaiting ||= isLinkedSpecExpected(row, now())
    if (isLinkedSpecDue(row, now())) {
      linked.due.push(source)
      // Not all of them can be queued at once.
      reloadBy(timestamp(Date.parse(now()) + requestInterval))
    } else {
      if (row && isLinkedSpecTouchDue(row, now())) linked.used.push(source)
      if (row?.refresh_at) reloadBy(row.refresh_at)
    }
  }
  return { find: (ref) => specs.get(specNameOf(ref)), versions, linked, isWaiting, reloadAt }
}

const specNameOf = (ref: ContentRef): string =>
  ref.kind === 'openapi' ? `spec ${ref.spec}` : (linkedSourceNameOf(ref) ?? '')

const linkedVersionOf = (row: LinkedSpecRow | undefined): string => row?.document_blob ?? ''

/** Returns the current version of a specification by its name in `LoadedSpecs.versions`; empty if it has no document. */
export async function findSpecVersion(db: Db, organizationId: string, name: string): Promise<string> {
  const [, kind, key = ''] = /^(spec|linked) (.*)$/s.exec(name) ?? []
  if (kind === 'linked') return linkedVersionOf(await findLinkedSpec(db, { organization_id: organizationId, key }))
  return (await findSpec(db, organizationId, key))?.version_id ?? ''
}

/** Returns a value that changes when a document of any specification of an organization changes. */
export async function findSpecsState(db: Db, organizationId: string): Promise<string> {
  const [specs, linked] = [
    await findLatestVersionIds(db, organizationId),
    await findLinkedDocuments(db, organizationId),
  ]
  return hash('sha256', [...specs, ...linked].toSorted().join(' '), 'base64url')
}
