import {
  type References,
  isDeletedTarget,
  isPath,
  parseStableDestination,
  printStableDestination,
} from '../markdown/references.ts'
import type { RepositoryFiles } from './files.ts'
import { folderOf, isMarkdown, resolvePath, normalizePagePath, decodeFilePath } from './paths.ts'

/** Maps the files of a repository to items. */
export interface RepositoryFileMap {
  files: RepositoryFiles
  pageOfFile: ReadonlyMap<string, string>
  reusableContentOfFile: ReadonlyMap<string, string>
  /** Pages that are in the table of contents and whose files do not exist, by `normalizePagePath`. */
  missingPages?: ReadonlyMap<string, string> | undefined
  /** Returns the id of a file that is not a page, when a link refers to it. */
  assetOfFile: (path: string) => string | undefined
  /** Whether neither content nor another file of the folder exists at a path. */
  isMissing?: (path: string) => boolean
  fileUrls?: FileUrlMapping | undefined
}

/** URLs of paths that are not part of the content; the paths may be outside the folder. */
export interface FileUrlMapping {
  urlOf(path: string): string | undefined
  pathOf(url: string): string | undefined
}

/** Targets of the relative links of a text. */
export interface CollectedLinks {
  /** Names of the targets; see `normalizePagePath`. */
  targets: Set<string>
  /** Link destinations, as written, that do not exist. */
  broken: string[]
}

/** Resolves the link destinations of one file. Broken ones are kept as written. */
export function createFileReferences(fileMap: RepositoryFileMap, file: string, links?: CollectedLinks): References {
  return {
    resolve(destination) {
      const url = { kind: 'url', url: destination } as const
      if (!isPath(destination)) return url
      const [writtenPath, anchor] = splitAnchor(destination)
      if (writtenPath === '') return parseStableDestination(destination) ?? url
      const path = resolvePath(folderOf(file), stripQuery(writtenPath))
      if (path !== undefined) {
        links?.targets.add(normalizePagePath(decodeFilePath(path)))
        // A file that is not part of the content may match the same path as one that is.
        const isContent = (one: string) => fileMap.pageOfFile.has(one) || fileMap.reusableContentOfFile.has(one)
        const found = fileMap.files.findPage(path, isContent) ?? ''
        const reusableContent = fileMap.reusableContentOfFile.get(found)
        if (reusableContent !== undefined) return { kind: 'reusable-content', reusableContent }
        const page = fileMap.pageOfFile.get(found) ?? fileMap.missingPages?.get(normalizePagePath(decodeFilePath(path)))
        if (page !== undefined) return anchor ? { kind: 'anchor', anchor, page } : { kind: 'page', page }
        const other = fileMap.files.find(path)
        const asset = other === undefined || isMarkdown(other) ? undefined : fileMap.assetOfFile(other)
        if (asset !== undefined) return { kind: 'file', file: asset }
      }
      const stable = parseStableDestination(anchor ? destination : writtenPath)
      if (stable) return stable
      const isMissing = path !== undefined && isMarkdown(decodeFilePath(path)) && fileMap.isMissing?.(path) === true
      const isBroken = isMissing || isDeletedTarget(destination)
      const outsideUrl = isBroken ? undefined : fileMap.fileUrls?.urlOf(joinUnresolved(folderOf(file), writtenPath))
      if (outsideUrl !== undefined) return { kind: 'url', url: anchor ? `${outsideUrl}#${anchor}` : outsideUrl }
      links?.broken.push(destination)
      return url
    },
    print: printStableDestination,
  }
}

/** Returns a path relative to the content root, which may be outside of it. */
function joinUnresolved(folder: string, path: string): string {
  return path.startsWith('/') ? path.slice(1) : folder === '' ? path : `${folder}/${path}`
}

function stripQuery(path: string): string {
  const at = path.indexOf('?')
  return at < 0 ? path : path.slice(0, at)
}

function splitAnchor(destination: string): [string, string | undefined] {
  const at = destination.indexOf('#')
  return at < 0 ? [destination, undefined] : [destination.slice(0, at), destination.slice(at + 1)]
}

/** Maps paths relative to a folder to URLs, and back. */
export function scopeFileUrlMapping(mapping: FileUrlMapping, folder: string): FileUrlMapping {
  if (folder === '') return mapping
  const parentPrefix = '../'.repeat(folder.split('/').length)
  return {
    urlOf: (path) => mapping.urlOf(`${folder}/${path}`),
    pathOf(url) {
      const path = mapping.pathOf(url)
      if (path === undefined) return undefined
      return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : parentPrefix + path
    },
  }
}
