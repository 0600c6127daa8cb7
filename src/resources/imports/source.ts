import type { Outside } from '../../content/repository/references.ts'
import type { RepositoryProblem, SourceAsset, SourceFolder, SourceText } from '../../content/repository/source.ts'
import type { ImportWarning } from '../../contract/imports.ts'
import { gitIdOf } from '../content/folder.ts'
import type { FileParts, FileServices } from '../../domain/files/store-file.ts'
import type { RunWatch } from './watch.ts'

/** Why an import cannot be carried out, in a sentence for users. */
export class ImportError extends Error {}

export interface ImportLimits {
  maxPages: number
  maxSeconds: number
}

export interface ImportServices extends FileServices {
  config: FileServices['config'] & { importLimits: ImportLimits }
}

/** An import that is being carried out. */
export interface Work {
  services: ImportServices
  organizationId: string
  watch: RunWatch
}

/** What was read, as folders that content is made from. */
export interface ReadSource {
  folders: ReadFolder[]
  warnings: ImportWarning[]
  /** How many pages were found, those included that could not be read. */
  total: number
}

export interface ReadFolder {
  source: SourceFolder
  outside?: Outside
  /** Where a file was read on the web. */
  sourceOf?: ReadonlyMap<string, string>
  warningOf: (problem: RepositoryProblem) => ImportWarning | undefined
}

/** A folder whose texts are in memory and whose other files are stored already. */
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
