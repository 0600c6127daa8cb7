import { type ListedFile, readObject } from '../../content/revision/objects.ts'
import { findInSorted } from '../../content/revision/sequence.ts'
import type { GitOperation } from '../../contract/git-sync.ts'
import { findRevision } from '../../domain/revisions/revisions.ts'
import type { SpaceContext } from '../../kernel/context.ts'

/** Adds the pages of their files to the warnings of an operation. */
export async function addWarningPages(
  { db, space, openObjects }: SpaceContext,
  operation: GitOperation,
): Promise<GitOperation> {
  const { revision: revisionId, warnings } = operation
  const revision = revisionId === undefined ? undefined : await findRevision(db, space, revisionId)
  const hash = revision?.listing_hash ?? null
  if (warnings.length === 0 || hash === null) return operation
  const objects = openObjects(db, space.organization_id)
  const { folder, files } = await readObject(objects, 'listing', hash)
  const prefix = folder === '' ? '' : `${folder}/`
  const toListedPath = (file: string) => (file.startsWith(prefix) ? file.slice(prefix.length) : file)
  const paths = [...new Set(warnings.map(({ file }) => toListedPath(file)))].toSorted()
  const listed = await findInSorted<ListedFile>(objects, files, paths)
  return {
    ...operation,
    warnings: warnings.map((warning) => {
      const { is, item } = listed.get(toListedPath(warning.file)) ?? {}
      return is === 'page' && item !== undefined ? { ...warning, page: item } : warning
    }),
  }
}
