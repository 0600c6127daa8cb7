import { printSummary } from '../../content/markdown/summary.ts'
import { configFileNames, contentFolders } from '../../content/repository/config.ts'
import { isMarkdown } from '../../content/repository/paths.ts'
import { uniqueSlug } from '../../content/markdown/slug.ts'
import { ArchiveError, type RangedArchive, readArchive, stripTopFolder } from '../../files/archive.ts'
import type { Db } from '../../schema/tables.ts'
import { convertHtmlFiles, isHtmlFile } from '../../website/html-files.ts'
import { maxTextSize, storeAsset, decodeTextFile } from '../content/folder.ts'
import { type StoredFile, maxFileSize } from '../../domain/files/store-file.ts'
import { getUploadedFile } from '../../domain/files/uploaded-file.ts'
import { ImportError, type ReadFolder, type ReadSource, type ImportTask, createSourceFolder } from './source.ts'

/** Limits of an unpacked archive. */
const archiveLimits = { maxFiles: 20_000, maxBytes: 1024 ** 3, maxFileBytes: maxFileSize }
/** Maximum number of characters of all texts together, which are kept in memory. */
const maxCharacters = 128 * 1024 ** 2

/** Reads uploads: Markdown and HTML files together as one folder, in the given order, then each archive as a separate folder. */
export async function readUploads(task: ImportTask, db: Db, keys: readonly string[]): Promise<ReadSource> {
  const looseFiles = new FolderBuilder(task)
  const folders: FolderBuilder[] = [looseFiles]
  const names: string[] = []
  for (const [index, key] of keys.entries()) {
    task.monitor.signal.throwIfAborted()
    const upload = await getUploadedFile(db, task.organizationId, { key, field: `file ${index + 1}` })
    if (/\.zip$/i.test(upload.name)) folders.push(await readZip(task, upload))
    else {
      const name = uniqueFileName(upload.name, names)
      names.push(name)
      await looseFiles.add(name, await readUploadBytes(task, upload))
    }
  }
  const read: ReadFolder[] = []
  let total = 0
  for (const folder of folders) {
    const pages = await folder.convertHtml(folder === looseFiles ? names : undefined)
    total += pages
    task.monitor.setProgress(0, total)
    if (total > task.services.config.importLimits.maxPages) {
      throw new ImportError(`The files contain more than ${task.services.config.importLimits.maxPages} pages`)
    }
    if (pages > 0) read.push(folder.toReadFolder())
  }
  if (total === 0) throw new ImportError('The files contain no pages: neither Markdown nor HTML was found')
  return { folders: read, warnings: [], total }
}

/** Files of a folder, by how they are imported. */
class FolderBuilder {
  readonly #task: ImportTask
  readonly #texts = new Map<string, string>()
  readonly #html = new Map<string, string>()
  readonly #assets = new Map<string, StoredFile>()
  readonly #problems = new Map<string, string>()
  #characters = 0

  constructor(task: ImportTask) {
    this.#task = task
  }

  async add(path: string, bytes: Uint8Array): Promise<void> {
    const { services } = this.#task
    if (!isHtmlFile(path) && !isText(path)) {
      const { file, problem } = await storeAsset(services, path, bytes)
      if (file) this.#assets.set(path, file)
      if (problem !== undefined) this.#problems.set(path, problem)
      return
    }
    const { text, problem } = decodeTextFile(bytes)
    this.#characters += text.length
    if (this.#characters > maxCharacters)
      throw new ImportError('The files contain more text than the limit of an import')
    if (isHtmlFile(path)) this.#html.set(path, text)
    else this.#texts.set(path, text)
    if (problem !== undefined) this.#problems.set(path, problem)
  }

  /** Removes the top folder from all paths, if it contains everything. */
  withoutCommonFolder(): FolderBuilder {
    const paths = [...this.#texts.keys(), ...this.#html.keys(), ...this.#assets.keys()]
    const shorter = stripTopFolder(paths)
    const nameOf = new Map(paths.map((path, index) => [path, shorter[index] as string]))
    const moved = new FolderBuilder(this.#task)
    const move = <T>(from: ReadonlyMap<string, T>, to: Map<string, T>) => {
      for (const [path, value] of from) to.set(nameOf.get(path) ?? path, value)
    }
    move(this.#texts, moved.#texts)
    move(this.#html, moved.#html)
    move(this.#assets, moved.#assets)
    move(this.#problems, moved.#problems)
    return moved
  }

  /** Converts HTML files to Markdown; returns the number of Markdown files. `names` lists the pages in order. */
  async convertHtml(names: readonly string[] | undefined): Promise<number> {
    const { signal } = this.#task.monitor
    const pages = await convertHtmlFiles({
      html: this.#html,
      isTaken: (path) => this.#texts.has(path),
      onFile: () => signal.throwIfAborted(),
    })
    for (const [path, text] of pages) this.#texts.set(path, text)
    const count = [...this.#texts.keys()].filter((path) => isMarkdown(path)).length
    if (names && names.length > 0) this.#texts.set('SUMMARY.md', createSummary(names))
    return count
  }

  toReadFolder(): ReadFolder {
    return {
      source: createSourceFolder(this.#texts, this.#assets, this.#problems),
      toWarning: (problem) => problem,
    }
  }
}

async function readZip(task: ImportTask, upload: StoredFile): Promise<FolderBuilder> {
  const builder = new FolderBuilder(task)
  try {
    for await (const { path, bytes } of readArchive(toArchiveBytes(task, upload), archiveLimits)) {
      task.monitor.signal.throwIfAborted()
      if (!isHidden(path)) await builder.add(path, bytes)
    }
  } catch (error) {
    throw error instanceof ArchiveError ? new ImportError(`${upload.name}: ${error.message}`, { cause: error }) : error
  }
  return builder.withoutCommonFolder()
}

const settingsFiles: readonly string[] = [
  ...configFileNames,
  ...contentFolders.flatMap((folder) => [`${folder}/vars.yaml`, `${folder}/tags.yaml`]),
]

/** Whether a file is read as text rather than stored as a file that pages can show. */
const isText = (path: string): boolean =>
  isMarkdown(path) || settingsFiles.some((name) => path === name || path.endsWith(`/${name}`))

/** Whether a file belongs to a tool: dot files except those of the content, and `node_modules`. */
const isHidden = (path: string): boolean =>
  /(?:^|\/)\.(?!gitbook[./]|octavo[./])/.test(path) || /(?:^|\/)node_modules\//.test(path)

const withoutExtension = (name: string) => name.replace(/\.\w+$/, '')

/** Returns a unique file name for an upload, different from the name of the table of contents. */
function uniqueFileName(name: string, names: readonly string[]): string {
  const plain = name.replace(/[/\\\p{C}]/gu, '-')
  const bare = withoutExtension(plain)
  const taken = new Set(['summary', ...names.map((one) => withoutExtension(one).toLowerCase())])
  return uniqueSlug(bare, (one) => taken.has(one.toLowerCase())) + plain.slice(bare.length)
}

/** Prints a table of contents that lists files in the given order. */
function createSummary(names: readonly string[]): string {
  return printSummary(
    names.map((name) => {
      const bare = withoutExtension(name)
      const path = isHtmlFile(name) ? `${bare.replace(/^index$/i, 'README')}.md` : name
      return { type: 'page', line: 0, title: bare, path, children: [] }
    }),
  )
}

async function readUploadBytes({ services }: ImportTask, { name, blob, size }: StoredFile): Promise<Uint8Array> {
  if (size > maxTextSize) throw new ImportError(`${name} is larger than ${maxTextSize / 1024 ** 2} MB`)
  const bytes = await services.blobs.get(blob)
  if (!bytes) throw new Error(`The bytes ${blob} of an upload are missing`)
  return bytes
}

/** Returns a reader for the bytes of an upload that keeps only parts of them in memory. */
function toArchiveBytes({ services }: ImportTask, { blob, size }: StoredFile): RangedArchive {
  return {
    size,
    async *read(start, end) {
      if (end <= start) return
      const opened = await services.blobs.open(blob, { start, end: end - 1 })
      if (!opened) throw new Error(`The bytes ${blob} of an upload are missing`)
      yield* opened.stream
    },
  }
}
