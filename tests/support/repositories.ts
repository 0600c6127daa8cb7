import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { corpusFiles, corpusFolders, readCorpusFile } from './corpus.ts'
import { isLong } from './long.ts'

/** Repositories that were written for the tests. They contain every construct of the Markdown format. */
const ownFolder = join(import.meta.dirname, '../repositories')

/** Folder of a repository that contains the content of one space. */
export interface RepositoryFolder {
  /** Name of the repository, followed by the path of its project directory if it has one. */
  name: string
  path: string
  /** Part of the repository that is imported, as in the `repoProjectDirectory` parameter. */
  projectDirectory?: string
}

/** Repositories in `tests/repositories`, which every checkout has. */
export const ownRepositories: readonly RepositoryFolder[] = ['harbor', 'lighthouse', 'shipyard/docs'].map(toFolder)

/** Returns the repositories in `tests/repositories`, and those of the corpus if there is one. */
export function testRepositories(): RepositoryFolder[] {
  return [...ownRepositories, ...corpusFolders().map((folder) => withProjectDirectory(folder))]
}

/**
 * Returns the repositories in `tests/repositories` and a part of the corpus, for tests that take long: the folders of `evolve` are
 * similar to each other, so two of them are enough, and `elsa` has no construct that the others do not have.
 */
export function sampleRepositories(): RepositoryFolder[] {
  const all = testRepositories()
  if (isLong) return all
  const ofEvolve = new Set(all.filter(({ name }) => name.startsWith('evolve')).slice(0, 2))
  return all.filter((folder) => !/^(?:elsa|evolve)/.test(folder.name) || ofEvolve.has(folder))
}

function toFolder(name: string): RepositoryFolder {
  return withProjectDirectory({ name, path: join(ownFolder, name) })
}

function withProjectDirectory(folder: RepositoryFolder): RepositoryFolder {
  return folder.name.endsWith('/docs') ? { ...folder, projectDirectory: 'docs' } : folder
}

/** Markdown file of a repository. */
export interface MarkdownFile {
  /** Path from the folder of all repositories. */
  name: string
  /** Whether it is in `tests/repositories`. */
  isOwn: boolean
  read: () => string
}

/** Returns the Markdown files in `tests/repositories`, and those of the corpus if there is one. */
export function markdownFiles(): MarkdownFile[] {
  const own = readdirSync(ownFolder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  return [
    ...own.sort().map((name) => ({ name, isOwn: true, read: () => readFileSync(join(ownFolder, name), 'utf8') })),
    ...corpusFiles().map((name) => ({ name, isOwn: false, read: () => readCorpusFile(name) })),
  ]
}
