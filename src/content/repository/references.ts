import { type References, isDeletedTarget, isPath, readStable, writeStable } from '../markdown/references.ts'
import type { RepositoryFiles } from './files.ts'
import { folderOf, isMarkdown, joinPath, nameOf, percentDecoded } from './paths.ts'

/** What the files of a repository stand for. */
export interface RepositoryNames {
  files: RepositoryFiles
  pageOfFile: ReadonlyMap<string, string>
  reusableContentOfFile: ReadonlyMap<string, string>
  /** The pages that the table of contents names although their files are not there, by `nameOf`. */
  missingPages?: ReadonlyMap<string, string> | undefined
  /** The id of a file that is no page, once something refers to it. */
  assetOfFile: (path: string) => string | undefined
  /** Whether nothing is at a path: no content, and no other file of the folder. */
  isMissing?: (path: string) => boolean
  outside?: Outside | undefined
}

/** Where paths can be looked at that are not part of the content. They may lead out of the folder. */
export interface Outside {
  urlOf(path: string): string | undefined
  pathOf(url: string): string | undefined
}

/** What a text refers to by paths. */
export interface Mentions {
  /** See `nameOf`. */
  targets: Set<string>
  /** Destinations, as they are written, that lead nowhere. */
  broken: string[]
}

/** Reads the destinations that are written in one file. What leads nowhere is kept as it is written. */
export function referencesFrom(names: RepositoryNames, file: string, mentions?: Mentions): References {
  return {
    read(destination) {
      const url = { kind: 'url', url: destination } as const
      if (!isPath(destination)) return url
      const [written, anchor] = splitAnchor(destination)
      if (written === '') return readStable(destination) ?? url
      const path = joinPath(folderOf(file), withoutQuery(written))
      if (path !== undefined) {
        mentions?.targets.add(nameOf(percentDecoded(path)))
        // A file that is not part of the content may lie beside the one that is.
        const isContent = (one: string) => names.pageOfFile.has(one) || names.reusableContentOfFile.has(one)
        const found = names.files.findPage(path, isContent) ?? ''
        const reusableContent = names.reusableContentOfFile.get(found)
        if (reusableContent !== undefined) return { kind: 'reusable-content', reusableContent }
        const page = names.pageOfFile.get(found) ?? names.missingPages?.get(nameOf(percentDecoded(path)))
        if (page !== undefined) return anchor ? { kind: 'anchor', anchor, page } : { kind: 'page', page }
        const other = names.files.find(path)
        const asset = other === undefined || isMarkdown(other) ? undefined : names.assetOfFile(other)
        if (asset !== undefined) return { kind: 'file', file: asset }
      }
      const stable = readStable(anchor ? destination : written)
      if (stable) return stable
      const isMissing = path !== undefined && isMarkdown(percentDecoded(path)) && names.isMissing?.(path) === true
      const isBroken = isMissing || isDeletedTarget(destination)
      const outside = isBroken ? undefined : names.outside?.urlOf(rawPath(folderOf(file), written))
      if (outside !== undefined) return { kind: 'url', url: anchor ? `${outside}#${anchor}` : outside }
      mentions?.broken.push(destination)
      return url
    },
    write: writeStable,
  }
}

/** A path from the content's folder on, which may lead out of it. */
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

/** What lies outside, for paths that are seen from a folder. */
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
