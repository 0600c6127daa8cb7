import { type References, isDeletedTarget, isPath, parseStableDestination, printStableDestination } from '../markdown/references.ts'
import type { RepositoryFiles } from './files.ts'
import { folderOf, isMarkdown, joinPath, normalizedName, percentDecoded } from './paths.ts'

/** Maps the files of a repository to items. */
export interface RepositoryNames {
  files: RepositoryFiles
  pageOfFile: ReadonlyMap<string, string>
  reusableContentOfFile: ReadonlyMap<string, string>
  /** Pages that are in the table of contents and whose files do not exist, by `normalizedName`. */
  missingPages?: ReadonlyMap<string, string> | undefined
  /** Returns the id of a file that is not a page, when a link refers to it. */
  assetOfFile: (path: string) => string | undefined
  /** Whether neither content nor another file of the folder exists at a path. */
  isMissing?: (path: string) => boolean
  outside?: Outside | undefined
}

/** URLs of paths that are not part of the content; the paths may be outside the folder. */
export interface Outside {
  urlOf(path: string): string | undefined
  pathOf(url: string): string | undefined
}

/** Targets of the relative links of a text. */
export interface Mentions {
  /** Names of the targets; see `normalizedName`. */
  targets: Set<string>
  /** Link destinations, as written, that do not exist. */
  broken: string[]
}

/** Resolves the link destinations of one file. Broken ones are kept as written. */
export function referencesFrom(names: RepositoryNames, file: string, mentions?: Mentions): References {
  return {
    resolve(destination) {
      const url = { kind: 'url', url: destination } as const
      if (!isPath(destination)) return url
      const [written, anchor] = splitAnchor(destination)
      if (written === '') return parseStableDestination(destination) ?? url
      const path = joinPath(folderOf(file), withoutQuery(written))
      if (path !== undefined) {
        mentions?.targets.add(normalizedName(percentDecoded(path)))
        // A file that is not part of the content may match the same path as one that is.
        const isContent = (one: string) => names.pageOfFile.has(one) || names.reusableContentOfFile.has(one)
        const found = names.files.findPage(path, isContent) ?? ''
        const reusableContent = names.reusableContentOfFile.get(found)
        if (reusableContent !== undefined) return { kind: 'reusable-content', reusableContent }
        const page = names.pageOfFile.get(found) ?? names.missingPages?.get(normalizedName(percentDecoded(path)))
        if (page !== undefined) return anchor ? { kind: 'anchor', anchor, page } : { kind: 'page', page }
        const other = names.files.find(path)
        const asset = other === undefined || isMarkdown(other) ? undefined : names.assetOfFile(other)
        if (asset !== undefined) return { kind: 'file', file: asset }
      }
      const stable = parseStableDestination(anchor ? destination : written)
      if (stable) return stable
      const isMissing = path !== undefined && isMarkdown(percentDecoded(path)) && names.isMissing?.(path) === true
      const isBroken = isMissing || isDeletedTarget(destination)
      const outside = isBroken ? undefined : names.outside?.urlOf(rawPath(folderOf(file), written))
      if (outside !== undefined) return { kind: 'url', url: anchor ? `${outside}#${anchor}` : outside }
      mentions?.broken.push(destination)
      return url
    },
    print: printStableDestination,
  }
}

/** Returns a path relative to the content root, which may be outside of it. */
function rawPath(folder: string, path: string): string {
  return path.startsWith('/') ? path.slice(1) : folder === '' ? path : `${folder}/${path}`
}

function withoutQuery(path: string): string {
  const at = path.indexOf('?')
  return at < 0 ? path : path.slice(0, at)
}

function splitAnchor(destination: string): [string, string | undefined] {
  const at = destination.indexOf('#')
  return at < 0 ? [destination, undefined] : [destination.slice(0, at), destination.slice(at + 1)]
}

/** Maps paths relative to a folder to URLs, and back. */
export function outsideOf(outside: Outside, folder: string): Outside {
  if (folder === '') return outside
  const up = '../'.repeat(folder.split('/').length)
  return {
    urlOf: (path) => outside.urlOf(`${folder}/${path}`),
    pathOf(url) {
      const path = outside.pathOf(url)
      if (path === undefined) return undefined
      return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : up + path
    },
  }
}
