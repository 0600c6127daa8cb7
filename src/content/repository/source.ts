import type { FileObject } from '../revision/objects.ts'

/** A file to import: from a commit, a disk or an archive. */
export interface SourceFile {
  /** Path from the top-level folder, separated by slashes. */
  path: string
  /** Git object id, by which equal files are recognized without reading them. */
  oid: string
}

export interface SourceText {
  path: string
  text: string
  /** Problem with the bytes of the file. */
  problem?: string
}

export interface SourceAsset {
  path: string
  /** The stored file; absent if there is a problem. */
  file?: Omit<FileObject, 'kind'>
  problem?: string
}

export interface RepositoryProblem {
  file: string
  line?: number
  message: string
}

/** A folder of files to import. */
export interface SourceFolder {
  files: readonly SourceFile[]
  /** Prefetches files that will probably be read; without it, each call below fetches its own files. */
  prefetch?(files: readonly SourceFile[]): Promise<void>
  /** Yields the texts of files, in the given order. */
  texts(files: readonly SourceFile[]): AsyncIterable<SourceText>
  /** Stores the bytes of files, in the given order. */
  assets(files: readonly SourceFile[]): AsyncIterable<SourceAsset>
  /** Entries that cannot be imported, such as symbolic links and submodules. */
  problems: readonly RepositoryProblem[]
}
