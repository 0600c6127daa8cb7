import type { FileObject } from '../revision/objects.ts'

/** A file somewhere: in a commit, on a disk, in an archive. */
export interface SourceFile {
  /** From the top of the folder, with slashes. */
  path: string
  /** The id that Git gives to its bytes, so that equal files are known without being read. */
  oid: string
}

export interface SourceText {
  path: string
  text: string
  /** What was wrong with the bytes. */
  problem?: string
}

export interface SourceAsset {
  path: string
  /** What has become of it; without it, there is a problem. */
  file?: Omit<FileObject, 'kind'>
  problem?: string
}

export interface RepositoryProblem {
  file: string
  line?: number
  message: string
}

/** A folder of files that content is made from. */
export interface SourceFolder {
  files: readonly SourceFile[]
  /** Gets files ready that will probably be read; without it, each call below gets its own. */
  prefetch?(files: readonly SourceFile[]): Promise<void>
  /** The texts of files, in the order asked for. */
  texts(files: readonly SourceFile[]): AsyncIterable<SourceText>
  /** Takes the bytes of files in, in the order asked for. */
  assets(files: readonly SourceFile[]): AsyncIterable<SourceAsset>
  /** What lies there and cannot be taken: links, submodules. */
  problems: readonly RepositoryProblem[]
}
