import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { corpusFiles, corpusFolders, readCorpusFile } from './corpus.ts'

/** The repositories that were written for the tests. They contain every construct of the Markdown format. */
const ownFolder = join(import.meta.dirname, '../repositories')

/** A folder of a repository that contains the content of one space. */
export interface RepositoryFolder {
  /** The name of the repository, followed by the path of its project directory if it has one. */
  name: string
  path: string
  /** The part of the repository that is imported, as in the `repoProjectDirectory` parameter. */
  projectDirectory?: string
}

/** The repositories in `tests/repositories`, which every checkout has. */
export const ownRepositories: readonly RepositoryFolder[] = ['harbor', 'lighthouse', 'shipyard/docs'].map(toFolder)

/** The repositories in `tests/repositories`, and those of the corpus if there is one. */
export function testRepositories(): RepositoryFolder[] {
  return [...ownRepositories, ...corpusFolders().map((folder) => withProjectDirectory(folder))]
}

function toFolder(name: string): RepositoryFolder {
  return withProjectDirectory({ name, path: join(ownFolder, name) })
}

function withProjectDirectory(folder: RepositoryFolder): RepositoryFolder {
  return folder.name.endsWith('/docs') ? { ...folder, projectDirectory: 'docs' } : folder
}

/** A Markdown file of a repository. */
export interface MarkdownFile {
  /** The path from the folder of all repositories. */
  name: string
  /** Whether it is in `tests/repositories`. */
  isOwn: boolean
  read: () => string
}

/** The Markdown files in `tests/repositories`, and those of the corpus if there is one. */
export function markdownFiles(): MarkdownFile[] {
  const own = readdirSync(ownFolder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  return [
    ...own.sort().map((name) => ({ name, isOwn: true, read: () => readFileSync(join(ownFolder, name), 'utf8') })),
    ...corpusFiles().map((name) => ({ name, isOwn: false, read: () => readCorpusFile(name) })),
  ]
}
