import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { corpusFolders } from '../../tests/support/corpus.ts'
import type { GitServer, TestRepository } from '../../tests/support/git-server.ts'

/** The files of a repository, by their paths. */
export type Files = Readonly<Record<string, Uint8Array>>

/** A repository on the server, with the files that it began with. */
export interface Repository extends TestRepository {
  files: Files
  /** The paths of its pages. */
  pages: string[]
}

/** The real repository with the most pages; undefined when there is none beside the checkout. */
export function findLargestFolder(): { name: string; files: Files } | undefined {
  const folders = corpusFolders()
    .filter(({ path }) => existsSync(join(path, 'SUMMARY.md')))
    .map(({ name, path }) => ({ name, files: readFolder(path) }))
  return folders.toSorted((a, b) => pagesOf(b.files).length - pagesOf(a.files).length)[0]
}

export function makeRepository(server: GitServer, name: string, files: Files): Repository {
  const repository = server.repository(`${name}.git`)
  repository.commit(files)
  return { ...repository, files, pages: pagesOf(files) }
}

/**
 * So many copies of the pages, each in a folder of its own, that there are at least `count`; with one table of contents.
 * Pages refer to those of their own copy, and all copies to the same files.
 */
export function multiply(files: Files, count: number): Files {
  const pages = pagesOf(files)
  const copies = Array.from({ length: Math.ceil(count / pages.length) }, (_, index) => `copy-${index + 1}`)
  const lines = textOf(files, 'SUMMARY.md').split('\n')
  const entries = lines.filter((line) => /^\s*\* /.test(line)).join('\n')
  const summary = copies.map((copy) => `## ${copy}\n\n${entries.replaceAll('](', `](${copy}/`)}\n`).join('\n')
  const made: Record<string, Uint8Array> = { 'SUMMARY.md': Buffer.from(`# Table of contents\n\n${summary}`) }
  for (const path of Object.keys(files)) {
    if (path.startsWith('.gitbook/')) made[path] = files[path] as Uint8Array
  }
  for (const path of pages) {
    const text = textOf(files, path).replaceAll(/(?:\.\.\/)*\.gitbook\/assets\//g, '../$&')
    // A repository keeps equal files once, and pages of real ones are not equal.
    for (const copy of copies) made[`${copy}/${path}`] = Buffer.from(`${text.trimEnd()}\n\nThis is in ${copy}.\n`)
  }
  return made
}

const textOf = (files: Files, path: string): string => Buffer.from(files[path] ?? []).toString()

const pagesOf = (files: Files): string[] =>
  Object.keys(files).filter((path) => path.endsWith('.md') && path !== 'SUMMARY.md' && !path.startsWith('.gitbook/'))

function readFolder(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(paths.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path)]))
}
