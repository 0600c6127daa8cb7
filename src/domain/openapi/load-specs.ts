import type { ContentRef } from '../../content/document/nodes.ts'
import type { OpenApiSpec } from '../../openapi/spec.ts'
import type { Db } from '../../schema/tables.ts'
import { findLatestVersion, findSpec } from './openapi-store.ts'
import type { SpecDocuments } from './spec-documents.ts'

/** Maximum number of specifications that one page shows. */
const maxSpecs = 50

/** The specifications that documents refer to. */
export interface LoadedSpecs {
  /** Returns the latest version of a specification; undefined if it does not exist. */
  find: (ref: ContentRef) => OpenApiSpec | undefined
  /** IDs of the versions by the slug or ID in the reference; empty if the specification has no version. */
  versions: ReadonlyMap<string, string>
}

/** Loads the latest versions of the specifications that references name, if the organization has them. */
export async function loadSpecs(
  { db, documents }: { db: Db; documents: SpecDocuments },
  organizationId: string,
  refs: readonly ContentRef[],
): Promise<LoadedSpecs> {
  const names = [...new Set(refs.flatMap((ref) => (ref.kind === 'openapi' ? [ref.spec] : [])))].slice(0, maxSpecs)
  const versions = new Map<string, string>()
  const specs = new Map<string, OpenApiSpec>()
  for (const name of names) {
    const version = (await findLatestVersion(db, organizationId, name))?.version
    versions.set(name, version?.id ?? '')
    const spec = version && (await documents.open(version.document_blob))
    if (spec) specs.set(name, spec)
  }
  return { find: (ref) => (ref.kind === 'openapi' ? specs.get(ref.spec) : undefined), versions }
}

/** Returns the ID of the latest version of a specification; empty if there is none. */
export const findLatestVersionId = async (db: Db, organizationId: string, slugOrId: string): Promise<string> =>
  (await findSpec(db, organizationId, slugOrId))?.version_id ?? ''
