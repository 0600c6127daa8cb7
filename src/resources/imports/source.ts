import type { FileUrlMapping } from '../../content/repository/references.ts'
import type { RepositoryProblem, SourceAsset, SourceFolder, SourceText } from '../../content/repository/source.ts'
import type { ImportSource, ImportWarning } from '../../contract/imports.ts'
import type { TemplateUse } from '../../contract/template.ts'
import { hashGitBlob } from '../content/folder.ts'
import type { StoredFile, FileServices } from '../../domain/files/store-file.ts'
import type { RunMonitor } from './run-monitor.ts'

/** Error that ends an import, with a message for users. */
export class ImportError extends Error {}

/** The source of an import as it is stored: one that a request names, or a template of the organization. */
export type StoredSource = ImportSource | { type: 'template'; use: TemplateUse }

export interface ImportLimits {
  maxPages: number
  maxSeconds: number
}

export interface ImportServices extends FileServices {
  config: FileServices['config'] & { importLimits: ImportLimits }
}

/** An import that is running. */
export interface ImportTask {
  services: ImportServices
  organizationId: string
  monitor: RunMonitor
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
  fileUrls?: FileUrlMapping
  /** URLs of the files of a website, by path. */
  sourceUrls?: ReadonlyMap<string, string>
  toWarning: (problem: RepositoryProblem) => ImportWarning | undefined
}

/** Creates a folder from texts in memory and other files that are stored already. */
export function createSourceFolder(
  texts: ReadonlyMap<string, string>,
  assets: ReadonlyMap<string, StoredFile>,
  problems: ReadonlyMap<string, string> = new Map(),
): SourceFolder {
  const files = [
    ...Array.from(texts, ([path, text]) => ({ path, oid: hashGitBlob(Buffer.from(text)) })),
    ...Array.from(assets, ([path, { blob }]) => ({ path, oid: blob })),
  ]
  return {
    files,
    problems: [],
    async *texts(wanted): AsyncGenerator<SourceText> {
      for (const { path } of wanted) yield { path, text: texts.get(path) ?? '', ...findProblem(problems, path) }
    },
    async *assets(wanted): AsyncGenerator<SourceAsset> {
      for (const { path } of wanted) {
        const file = assets.get(path)
        yield file ? { path, file } : { path, problem: 'is not a supported file type' }
      }
    },
  }
}

function findProblem(problems: ReadonlyMap<string, string>, path: string) {
  const problem = problems.get(path)
  return problem === undefined ? {} : { problem }
}
