import { type ListedFile, type Objects, readObject } from '../revision/objects.ts'
import { type RepositoryConfig, configFileNames, parseRepositoryConfig } from './config.ts'
import { withProblems } from './listing.ts'
import type { RepositoryProblem, SourceAsset, SourceFile, SourceFolder, SourceText } from './source.ts'

/** Default configuration, used if a repository has none. */
export const { config: defaultConfig } = parseRepositoryConfig('', '')

/** Opens a folder at the content root that its configuration defines. */
export async function openContentFolder(
  objects: Objects,
  source: SourceFolder,
  listedConfig: ListedFile | undefined,
): Promise<FolderReader> {
  const byPath = new Map(source.files.map((file) => [file.path, file]))
  const file = configFileNames.map((name) => byPath.get(name)).find((found) => found !== undefined)
  const topFolder = new FolderReader(objects, source, defaultConfig, undefined)
  if (!file) return topFolder
  const text = await topFolder.readText(file, listedConfig?.id === file.path ? listedConfig : undefined)
  const { config, problems } = parseRepositoryConfig(text, file.path)
  const listed: ListedFile = {
    id: file.path,
    oid: file.oid,
    hash: objects.write({ kind: 'source', text }),
    is: 'config',
  }
  return new FolderReader(objects, source, config, withProblems(listed, problems))
}

/** The files of a folder, by paths relative to the content root. */
export class FolderReader {
  readonly config: RepositoryConfig
  readonly files: readonly SourceFile[]
  readonly problems: readonly RepositoryProblem[]
  readonly #objects: Objects
  readonly #source: SourceFolder
  readonly #configFile: ListedFile | undefined
  readonly #prefix: string
  readonly #byPath: ReadonlyMap<string, SourceFile>

  constructor(objects: Objects, source: SourceFolder, config: RepositoryConfig, configFile: ListedFile | undefined) {
    this.config = config
    this.problems = source.problems
    this.#objects = objects
    this.#source = source
    this.#configFile = configFile
    this.#prefix = config.root === '' ? '' : `${config.root}/`
    const contentFiles = source.files.filter(({ path }) => path.startsWith(this.#prefix))
    this.files = contentFiles.map(({ path, oid }) => ({ path: path.slice(this.#prefix.length), oid }))
    this.#byPath = new Map(this.files.map((file) => [file.path, file]))
  }

  find(path: string): SourceFile | undefined {
    return this.#byPath.get(path)
  }

  toTopLevelPath(path: string): string {
    return this.#prefix + path
  }

  /** Returns the listed configuration file with additional problems. */
  listedConfigFile(problems: readonly { line?: number; message: string }[]): ListedFile | undefined {
    const file = this.#configFile
    return file && withProblems(file, [...(file.problems ?? []), ...problems])
  }

  async *texts(files: readonly SourceFile[]): AsyncGenerator<SourceText> {
    if (files.length === 0) return
    for await (const { path, ...text } of this.#source.texts(this.#toSourceFiles(files))) {
      yield { path: path.slice(this.#prefix.length), ...text }
    }
  }

  async readTexts(files: readonly SourceFile[]): Promise<Map<string, string>> {
    const texts = new Map<string, string>()
    for await (const { path, text } of this.texts(files)) texts.set(path, text)
    return texts
  }

  /** Returns the text of a file; it is not fetched again if it equals the listed file. */
  async readText(file: SourceFile, listed: ListedFile | undefined): Promise<string> {
    if (listed?.oid === file.oid && listed.hash !== undefined) {
      return (await readObject(this.#objects, 'source', listed.hash)).text
    }
    return (await this.readTexts([file])).get(file.path) ?? ''
  }

  async *assets(files: readonly SourceFile[]): AsyncGenerator<SourceAsset> {
    if (files.length === 0) return
    for await (const { path, ...asset } of this.#source.assets(this.#toSourceFiles(files))) {
      yield { path: path.slice(this.#prefix.length), ...asset }
    }
  }

  #toSourceFiles(files: readonly SourceFile[]): SourceFile[] {
    return files.map(({ path, oid }) => ({ path: this.#prefix + path, oid }))
  }
}
