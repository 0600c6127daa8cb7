import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { corpusFolders } from '../../tests/support/corpus.ts'
import type { GitServer, TestRepository } from '../../tests/support/git-server.ts'

/** Files of a repository by path. */
export type Files = Readonly<Record<string, Uint8Array>>

/** Repository on the server with its initial files. */
export interface BenchRepository extends TestRepository {
  files: Files
  /** Paths of the pages. */
  pages: string[]
}

/** Returns the real repository with the most pages; undefined if there is none beside the checkout. */
export function findLargestFolder(): { name: string; files: Files } | undefined {
  return readFolders().toSorted((a, b) => listPages(b.files).length - listPages(a.files).length)[0]
}

/** Returns all real repositories as one, each in a folder with the pages of one group of the table of contents. */
export function joinFolders(): Files {
  const joined: Record<string, Uint8Array> = {}
  const groups: string[] = []
  for (const { name, files } of readFolders()) {
    const folder = name.replaceAll('/', '-')
    const summary = readText(files, 'SUMMARY.md')
    // Pages that are not in the table of contents are not imported.
    const isListed = (path: string) =>
      path !== 'SUMMARY.md' && (!path.endsWith('.md') || summary.includes(`](${path})`))
    groups.push(`## ${folder}\n\n${listEntries(files, folder)}\n`)
    for (const [path, bytes] of Object.entries(files)) {
      if (path.startsWith('.gitbook/')) joined[path] = bytes
      else if (isListed(path)) joined[`${folder}/${path}`] = moveDown(files, path)
    }
  }
  return { 'SUMMARY.md': Buffer.from(`# Table of contents\n\n${groups.join('\n')}`), ...joined }
}

const readFolders = (): { name: string; files: Files }[] =>
  corpusFolders()
    .filter(({ path }) => existsSync(join(path, 'SUMMARY.md')))
    .map(({ name, path }) => ({ name, files: readFolder(path) }))

/** Returns the entries of a table of contents for pages that are moved into a folder. */
const listEntries = (files: Files, folder: string): string =>
  readText(files, 'SUMMARY.md')
    .split('\n')
    .filter((line) => /^\s*\* \[/.test(line))
    .join('\n')
    .replaceAll('](', `](${folder}/`)

/** Returns a file for a folder one level down; it refers to the same images and included files. */
function moveDown(files: Files, path: string): Uint8Array {
  if (!path.endsWith('.md')) return files[path] as Uint8Array
  return Buffer.from(readText(files, path).replaceAll(/(?:\.\.\/)*\.gitbook\//g, '../$&'))
}

export function makeRepository(server: GitServer, name: string, files: Files): BenchRepository {
  const repository = server.repository(`${name}.git`)
  repository.commit(files)
  return { ...repository, files, pages: listPages(files) }
}

/**
 * Copies the pages, each copy in a separate folder, until there are at least `count`, with one table of contents. Pages refer to
 * pages of their own copy, and all copies to the same files.
 */
export function multiply(files: Files, count: number): Files {
  const pages = listPages(files)
  const copies = Array.from({ length: Math.ceil(count / pages.length) }, (_, index) => `copy-${index + 1}`)
  const summary = copies.map((copy) => `## ${copy}\n\n${listEntries(files, copy)}\n`).join('\n')
  const made: Record<string, Uint8Array> = { 'SUMMARY.md': Buffer.from(`# Table of contents\n\n${summary}`) }
  for (const path of Object.keys(files)) {
    if (path.startsWith('.gitbook/')) made[path] = files[path] as Uint8Array
  }
  for (const path of pages) {
    const text = Buffer.from(moveDown(files, path)).toString()
    // Git stores equal files once, and pages of real repositories are not equal.
    for (const copy of copies) made[`${copy}/${path}`] = Buffer.from(`${text.trimEnd()}\n\nThis is in ${copy}.\n`)
  }
  return made
}

const readText = (files: Files, path: string): string => Buffer.from(files[path] ?? []).toString()

const listPages = (files: Files): string[] =>
  Object.keys(files).filter((path) => path.endsWith('.md') && path !== 'SUMMARY.md' && !path.startsWith('.gitbook/'))

function readFolder(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(paths.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path)]))
}
