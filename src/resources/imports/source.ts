import type { Outside } from '../../content/repository/references.ts'
import type { RepositoryProblem, SourceAsset, SourceFolder, SourceText } from '../../content/repository/source.ts'
import type { ImportWarning } from '../../contract/imports.ts'
import { gitIdOf } from '../content/folder.ts'
import type { FileParts, FileServices } from '../../domain/files/store-file.ts'
import type { RunWatch } from './watch.ts'

/** Error that ends an import, with a message for users. */
export class ImportError extends Error {}

export interface ImportLimits {
  maxPages: number
  maxSeconds: number
}

export interface ImportServices extends FileServices {
  config: FileServices['config'] & { importLimits: ImportLimits }
}

/** An import that is running. */
export interface Work {
  services: ImportServices
  organizationId: string
  watch: RunWatch
}

/** Folders that were read from a source, to be imported. */
export interface ReadSource {
  folders: ReadFolder[]
  warnings: ImportWarning[]
  /** Number of pages found, including those that could not be read. */
  total: number
}

export interface ReadFolder {
  source: SourceFolder
  outside?: Outside
  /** URLs of the files of a website, by path. */
  sourceOf?: ReadonlyMap<string, string>
  warningOf: (problem: RepositoryProblem) => ImportWarning | undefined
}

/** Creates a folder from texts in memory and other files that are stored already. */
export function readyFolder(
  texts: ReadonlyMap<string, string>,
  assets: ReadonlyMap<string, FileParts>,
  problems: ReadonlyMap<string, string> = new Map(),
): SourceFolder {
  const files = [
    ...Array.from(texts, ([path, text]) => ({ path, oid: gitIdOf(Buffer.from(text)) })),
    ...Array.from(assets, ([path, { blob }]) => ({ path, oid: blob })),
  ]
  return {
    files,
    problems: [],
    async *texts(wanted): AsyncGenerator<SourceText> {
      for (const { path } of wanted) yield { path, text: texts.get(path) ?? '', ...problemAt(problems, path) }
    },
    async *assets(wanted): AsyncGenerator<SourceAsset> {
      for (const { path } of wanted) {
        const file = assets.get(path)
        yield file ? { path, file } : { path, problem: 'is not a supported file type' }
      }
    },
  }
}

function problemAt(problems: ReadonlyMap<string, string>, path: string) {
  const problem = problems.get(path)
  return problem === undefined ? {} : { problem }
}
