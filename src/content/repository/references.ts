import { type References, readStable, writeStable } from '../markdown/references.ts'
import type { RepositoryFiles } from './files.ts'
import { folderOf, joinPath } from './paths.ts'

/** What the files of a repository stand for. */
export interface RepositoryNames {
  files: RepositoryFiles
  pageOfFile: ReadonlyMap<string, string>
  /** The ids of files that are no pages. */
  assetOfFile: ReadonlyMap<string, string>
  reusableContentOfFile: ReadonlyMap<string, string>
}

/** Reads the destinations that are written in one file. What leads nowhere is kept as it is written. */
export function referencesFrom(names: RepositoryNames, file: string): References {
  return {
    read(destination) {
      const url = { kind: 'url', url: destination } as const
      if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(destination)) return url
      const [written, anchor] = splitAnchor(destination)
      if (written === '') return readStable(destination) ?? url
      const path = joinPath(folderOf(file), written.replace(/\?.*$/, ''))
      if (path === undefined) return url
      const asset = names.assetOfFile.get(names.files.find(path) ?? '')
      if (asset !== undefined) return { kind: 'file', file: asset }
      const found = names.files.findPage(path) ?? ''
      const reusableContent = names.reusableContentOfFile.get(found)
      if (reusableContent !== undefined) return { kind: 'reusable-content', reusableContent }
      const page = names.pageOfFile.get(found)
      if (page === undefined) return url
      return anchor ? { kind: 'anchor', anchor, page } : { kind: 'page', page }
    },
    write: writeStable,
  }
}

function splitAnchor(destination: string): [string, string | undefined] {
  const at = destination.indexOf('#')
  return at < 0 ? [destination, undefined] : [destination.slice(0, at), destination.slice(at + 1)]
}
