import type { References } from '../markdown/references.ts'
import { toSlug } from '../markdown/slug.ts'
import { type PageChange, type TreeDiff, diffTrees, type PageState, changedFields } from '../revision/diff.ts'
import type { Yielder } from '../revision/draft.ts'
import {
  type FileObject,
  type ListedFile,
  type Objects,
  type ReusableContentObject,
  emptyRoot,
  readObject,
} from '../revision/objects.ts'
import { findInSorted } from '../revision/sequence.ts'
import { type Tree, findPage, openTree, readPageNodes } from '../revision/tree.ts'
import { type RepositoryConfig, contentFolders, spliceConfigRedirects, parseRepositoryConfig } from './config.ts'
import { ExportPaths } from './export-paths.ts'
import { exportSummary } from './export-summary.ts'
import { type ExportFileMap, createExportFileMap } from './export-file-map.ts'
import {
  loadDocument,
  createExportReferences,
  printPageFile,
  printReusableContentFile,
  metadataOf,
} from './export-text.ts'
import { RepositoryFiles } from './files.ts'
import { defaultConfig } from './folder.ts'
import type { ListedContent } from './import.ts'
import { ListingDraft, importVersion, withProblems } from './listing.ts'
import { folderOf, normalizePagePath } from './paths.ts'
import { parseTextFile } from './parse-text-file.ts'
import type { FileUrlMapping } from './references.ts'
import { spliceTags } from './tags.ts'
import { spliceVariables } from './variables.ts'

/** A file to write or delete; its path is relative to the top-level folder. */
export type FileChange = { path: string } & ({ text: string } | { blob: string; size: number } | { isDeleted: true })

export interface ExportOptions {
  /** Content that the folder contains now; without it, the folder contains no exported content. */
  before?: ListedContent | undefined
  /** Hash of the root of the content to export. */
  after: string
  /** Hash of a listing of other content with the same items: their new files get the same paths and are edits of the same texts. */
  model?: string | undefined
  /** Whether a file exists at a path of the folder. */
  isTaken: (path: string) => boolean
  fileUrls?: FileUrlMapping | undefined
  /** Folder of the repository that contains the content; stored to locate the files of pages. */
  directory?: string | undefined
  /** Called before each text is printed; it may wait, and it may throw to cancel the export. */
  onText?: ((progress: { done: number; total: number }) => Promise<void>) | undefined
  /** Called repeatedly during the export; see `Yielder`. */
  yieldIfDue?: Yielder | undefined
}

export interface ExportResult {
  changes: FileChange[]
  /** Writes the listing of the folder after the export; requires the Git object ids of the changed files. */
  list(oids: ReadonlyMap<string, string>): Promise<string>
}

/** Returns the changes of a folder that export the content. Files of unchanged content are not changed. */
export async function exportRepository(objects: Objects, options: ExportOptions): Promise<ExportResult> {
  const { before, after } = options
  const trees = {
    before: before ? await openTree(objects, before.root) : { objects, root: emptyRoot },
    after: await openTree(objects, after),
  }
  const listing = await ListingDraft.open(objects, before?.listing)
  const model = await ListingDraft.open(objects, options.model)
  const { config } = listing.stored
  const text = config?.hash === undefined ? undefined : (await readObject(objects, 'source', config.hash)).text
  return new RepositoryExport(objects, options, trees, { listing, model }, text).run()
}

class RepositoryExport {
  readonly #objects: Objects
  readonly #options: ExportOptions
  readonly #before: Tree
  readonly #after: Tree
  readonly #listing: ListingDraft
  /** Files of the same items in other content, by item. */
  readonly #modelFiles: ReadonlyMap<string, ListedFile>
  readonly #configText: string | undefined
  readonly #config: RepositoryConfig
  readonly #paths: ExportPaths
  /** Changes by path relative to the content root. */
  readonly #changes = new Map<string, PendingChange>()
  /** Former paths of deleted or moved items, by id. */
  readonly #formerPaths = new Map<string, string>()
  /** Whether the structure differs from that of the folder. */
  #isStructureChanged = false

  constructor(
    objects: Objects,
    options: ExportOptions,
    trees: { before: Tree; after: Tree },
    { listing, model }: { listing: ListingDraft; model: ListingDraft },
    configText: string | undefined,
  ) {
    this.#objects = objects
    this.#options = options
    this.#before = trees.before
    this.#after = trees.after
    this.#listing = listing
    this.#modelFiles = new Map(
      [...model.storedFiles.values()].flatMap((file) => (file.item === undefined ? [] : [[file.item, file]])),
    )
    this.#configText = configText
    this.#config = configText === undefined ? defaultConfig : parseRepositoryConfig(configText, '').config
    this.#paths = new ExportPaths({
      tree: trees.after,
      knownPaths: [...listing.storedFiles.values()].flatMap(({ id, item }) => (item === undefined ? [] : [[item, id]])),
      isTaken: (path) => !listing.storedFiles.has(path) && options.isTaken(this.#toTopLevelPath(path)),
      readme: this.#config.readme,
      modelPathOf: (id) => this.#modelFiles.get(id)?.id,
    })
  }

  async run(): Promise<ExportResult> {
    const diff = await diffTrees(this.#before, this.#after)
    const pages = await this.#assignPagePaths(diff.pages)
    const contents = await this.#assignReusableContentPaths(diff.reusableContents)
    const files = await this.#assignFilePaths(diff.files)
    const fileMap = createExportFileMap({
      listing: this.#listing,
      paths: this.#paths,
      formerPaths: this.#formerPaths,
      added: { pages, contents },
      isTaken: (path) => this.#options.isTaken(this.#toTopLevelPath(path)),
      fileUrls: this.#options.fileUrls,
    })
    this.#isStructureChanged ||= diff.pages.some((change) => isStructuralChange(change))
    await this.#writeTexts(fileMap, pages, contents)
    for (const [id, { blob, size }] of files) {
      this.#addChange(this.#paths.find(id) as string, { blob, size }, { is: 'file', item: id })
    }
    await this.#writeVariablesAndTags(diff)
    const isNewStructure = await this.#writeSummary(diff.pages)
    this.#deleteFormerFiles()
    const configText = this.#spliceConfigRedirects(fileMap)
    const changes = [...this.#changes].flatMap(([path, { content }]) =>
      content ? [{ path: this.#toTopLevelPath(path), ...content }] : [],
    )
    const config = this.#listing.stored.config
    if (config && configText !== undefined) changes.push({ path: config.id, text: configText })
    const structure = isNewStructure ? '' : this.#listing.stored.structure
    return { changes, list: (oids) => this.#writeListing(oids, structure, configText) }
  }

  /** Chooses paths for pages without one and releases the paths of deleted pages; returns the ids of the pages to write. */
  async #assignPagePaths(changes: readonly PageChange[]): Promise<Set<string>> {
    const toWrite = new Set<string>()
    for (const { id, after } of changes) if (!after) this.#releasePath(id)
    for (const { id, before, after } of changes) {
      if (after?.entry.type !== 'document') continue
      const path = this.#paths.find(id)
      if (path === undefined) {
        if (before && !needsFile(after)) continue
        const { isInOwnFolder } = await this.#paths.addPage(id)
        // Without a table of contents, the folders define the structure, and a README belongs to its folder.
        this.#isStructureChanged ||= !isInOwnFolder || this.#findFileListedAs('summary') !== undefined
      } else if (before && before.entry.slug !== after.entry.slug) {
        if (this.#paths.renamePage(id, after.entry.slug) !== path) this.#formerPaths.set(id, path)
      }
      if (this.#findListedFile(id)?.oid !== '' || hasFileContent(after)) toWrite.add(id)
      else this.#listWithoutFile(id)
    }
    return toWrite
  }

  /** Lists an empty page whose file does not exist. */
  #listWithoutFile(id: string): void {
    const path = this.#paths.find(id) as string
    this.#changes.set(path, { content: undefined, listed: { id: path, oid: '', is: 'page', item: id } })
  }

  async #assignReusableContentPaths(changes: TreeDiff['reusableContents']): Promise<Set<string>> {
    const toWrite = new Set<string>()
    for (const { id, after } of changes) {
      if (!after) this.#releasePath(id)
      else {
        toWrite.add(id)
        if (this.#paths.find(id) !== undefined) continue
        const { title } = await readObject(this.#objects, 'reusable-content', after.hash)
        this.#paths.addFile(id, `${this.#contentFolder()}/includes`, `${toSlug(title)}.md`)
      }
    }
    return toWrite
  }

  async #assignFilePaths(changes: TreeDiff['files']): Promise<Map<string, FileObject>> {
    const toWrite = new Map<string, FileObject>()
    for (const { id, before, after } of changes) {
      if (!after) {
        this.#releasePath(id)
        continue
      }
      const file = await readObject(this.#objects, 'file', after.hash)
      const former = before && (await readObject(this.#objects, 'file', before.hash))
      const path = this.#paths.find(id)
      if (path === undefined) this.#paths.addFile(id, `${this.#contentFolder()}/assets`, file.name)
      else if (former?.name !== file.name) {
        this.#paths.remove(id)
        if (this.#paths.addFile(id, folderOf(path), file.name) !== path) this.#formerPaths.set(id, path)
      } else if (former.blob === file.blob) continue
      toWrite.set(id, file)
    }
    return toWrite
  }

  /** Releases the path of a deleted item. */
  #releasePath(id: string): void {
    const path = this.#paths.find(id)
    if (path === undefined) return
    this.#formerPaths.set(id, path)
    this.#paths.remove(id)
  }

  /** Returns the listed file of an item. */
  #findListedFile(id: string): ListedFile | undefined {
    const path = this.#formerPaths.get(id) ?? this.#paths.find(id)
    const listed = path === undefined ? undefined : this.#listing.storedFiles.get(path)
    return listed?.item === id ? listed : undefined
  }

  /** Returns the folder for files other than pages: the one in use, or by default the one that other tools support. */
  #contentFolder(): string {
    const [usual, ...others] = contentFolders
    const isUsed = (folder: string) =>
      [...this.#listing.storedFiles.keys()].some((path) => path.startsWith(`${folder}/`))
    return isUsed(usual) ? usual : (others.find(isUsed) ?? usual)
  }

  #toTopLevelPath(path: string): string {
    const { folder } = this.#listing.stored
    return folder === '' ? path : `${folder}/${path}`
  }

  async #writeTexts(fileMap: ExportFileMap, pages: Set<string>, contents: Set<string>): Promise<void> {
    // Files with links to moved files must be updated.
    const moved = new Set(
      [...this.#formerPaths].flatMap(([id, path]) =>
        this.#paths.find(id) === undefined ? [] : [normalizePagePath(path)],
      ),
    )
    if (moved.size > 0) {
      for (const { is, item, targets = [] } of this.#listing.storedFiles.values()) {
        if (item === undefined || this.#paths.find(item) === undefined || !targets.some((name) => moved.has(name)))
          continue
        if (is === 'page') pages.add(item)
        if (is === 'reusable-content') contents.add(item)
      }
    }
    const total = pages.size + contents.size
    let done = 0
    for (const id of pages) {
      await this.#options.onText?.({ done: done++, total })
      await this.#options.yieldIfDue?.()
      const located = await findPage(this.#after, id)
      if (!located) continue
      const document = await loadDocument(this.#objects, located.page.document)
      const keepsUntitled = this.#isStructureChanged || this.#findFileListedAs('summary') !== undefined
      await this.#writeText(fileMap, 'page', id, (source, references) =>
        printPageFile(source, located.page, document, references, { keepsUntitled }),
      )
    }
    for (const id of contents) {
      await this.#options.onText?.({ done: done++, total })
      await this.#options.yieldIfDue?.()
      const content = await this.#readReusableContent(id)
      if (!content) continue
      const document = await loadDocument(this.#objects, content.document)
      await this.#writeText(fileMap, 'reusable-content', id, (source, references) =>
        printReusableContentFile(source, content.title, document, references),
      )
    }
  }

  async #writeText(
    fileMap: ExportFileMap,
    is: 'page' | 'reusable-content',
    id: string,
    write: (source: string | undefined, references: References) => string,
  ): Promise<void> {
    const path = this.#paths.find(id) as string
    const listed = this.#findListedFile(id)
    const source = await this.#readSource(listed ?? this.#modelFiles.get(id))
    const text = write(source, createExportReferences(fileMap, path))
    if (text === source && listed?.id === path) return
    const { title, targets, problems } = parseTextFile(fileMap, path, text)
    const listedFields = {
      is,
      item: id,
      ...(title === undefined && { isUntitled: true as const }),
      ...(targets.length > 0 && { targets }),
    }
    this.#addChange(path, { text }, withProblems({ id: path, oid: '', ...listedFields }, problems))
  }

  async #readReusableContent(id: string): Promise<ReusableContentObject | undefined> {
    const entry = (await findInSorted(this.#objects, this.#after.root.reusableContents, [id])).get(id)
    return entry && readObject(this.#objects, 'reusable-content', entry.hash)
  }

  async #readSource(listed: ListedFile | undefined): Promise<string | undefined> {
    return listed?.hash === undefined ? undefined : (await readObject(this.#objects, 'source', listed.hash)).text
  }

  #addChange(path: string, content: FileContent, listedFields: Omit<ListedFile, 'id' | 'oid'>): void {
    const hash = 'text' in content && { hash: this.#objects.write({ kind: 'source', text: content.text }) }
    this.#changes.set(path, { content, listed: { ...listedFields, id: path, oid: '', ...hash } })
  }

  /** Deletes the files of deleted or moved items. */
  #deleteFormerFiles(): void {
    const used = new Set([...this.#paths.entries()].map(([, path]) => path))
    for (const path of this.#formerPaths.values()) {
      if (used.has(path)) continue
      const exists = this.#listing.storedFiles.get(path)?.oid !== ''
      this.#changes.set(path, { content: exists ? { isDeleted: true } : undefined, listed: undefined })
    }
  }

  async #writeVariablesAndTags({ variables, tags }: TreeDiff): Promise<void> {
    const { root } = this.#after
    if (variables.length > 0) {
      await this.#writeYaml('variables', 'vars.yaml', (source) => spliceVariables(source, root.variables))
    }
    if (tags.length > 0) await this.#writeYaml('tags', 'tags.yaml', (source) => spliceTags(source, root.tags))
  }

  async #writeYaml(
    is: 'variables' | 'tags',
    name: string,
    print: (source: string | undefined) => string,
  ): Promise<void> {
    const listed = this.#findFileListedAs(is)
    const source = await this.#readSource(listed)
    const text = print(source)
    if (text !== source) this.#addChange(listed?.id ?? `${this.#contentFolder()}/${name}`, { text }, { is })
  }

  #findFileListedAs(is: ListedFile['is']): ListedFile | undefined {
    return [...this.#listing.storedFiles.values()].find((listed) => listed.is === is)
  }

  /** Writes the table of contents if it may have changed; returns whether it was printed again. */
  async #writeSummary(changes: readonly PageChange[]): Promise<boolean> {
    const listed = this.#findFileListedAs('summary')
    const isRenamed = changes.some(({ before, after }) => before?.page.title !== after?.page.title)
    // Without a table of contents, the folders define the structure, and the files contain the titles.
    if (!this.#isStructureChanged && !(listed && (isRenamed || this.#formerPaths.size > 0))) return false
    const formerPages = new Map(changes.map(({ id, before }) => [id, before?.page]))
    const formerFiles = new RepositoryFiles(this.#listing.storedFiles.keys())
    const file = listed?.id ?? this.#config.summary
    const source = await this.#readSource(listed)
    const pages = await readPageNodes(this.#objects, this.#after.root.pages)
    const text = exportSummary({
      file,
      source,
      pages,
      pathOf: (id) => this.#paths.find(id),
      formerPathOf: (id) => this.#findListedFile(id)?.id,
      formerFileAt: (path) => formerFiles.findPage(path),
      formerTitlesOf: ({ entry, page }) => (formerPages.has(entry.id) ? formerPages.get(entry.id) : page),
      isTitled: (path) => this.#isTitled(path),
    })
    if (text !== source) this.#addChange(file, { text }, { is: 'summary' })
    return true
  }

  /** Whether a file contains the title of its page. */
  #isTitled(path: string): boolean {
    const listed = this.#changes.get(path)?.listed ?? this.#listing.storedFiles.get(path)
    return listed?.hash !== undefined && listed.isUntitled !== true
  }

  /** Returns the configuration with redirects to the new paths of moved files; undefined if there are none. */
  #spliceConfigRedirects({ files }: ExportFileMap): string | undefined {
    const source = this.#configText
    if (source === undefined) return undefined
    const targets = new Map<string, string>()
    const formerFiles = new RepositoryFiles(this.#listing.storedFiles.keys())
    for (const { from, to } of this.#config.redirects) {
      const [path = '', anchor] = to.split('#')
      const id = this.#listing.storedFiles.get(formerFiles.findPage(path) ?? '')?.item
      const newPath = id === undefined ? undefined : this.#paths.find(id)
      if (newPath !== undefined && files.findPage(path) !== newPath)
        targets.set(from, anchor ? `${newPath}#${anchor}` : newPath)
    }
    return targets.size === 0 ? undefined : spliceConfigRedirects(source, targets)
  }

  async #writeListing(
    oids: ReadonlyMap<string, string>,
    structure: string,
    configText: string | undefined,
  ): Promise<string> {
    const { stored } = this.#listing
    for (const [path, { listed }] of this.#changes) {
      if (!listed) this.#listing.remove(path)
      else this.#listing.set({ ...listed, oid: oids.get(this.#toTopLevelPath(path)) ?? '' })
    }
    const config = stored.config && {
      ...stored.config,
      ...(configText !== undefined && {
        oid: oids.get(stored.config.id) ?? '',
        hash: this.#objects.write({ kind: 'source', text: configText }),
      }),
    }
    const { directory, before } = this.#options
    // Unchanged files were read by the stored version.
    const version = before?.listing === undefined ? importVersion : stored.version
    return this.#listing.commit({ folder: stored.folder, structure, config, directory, version })
  }
}

type FileContent = { text: string } | { blob: string; size: number }

interface PendingChange {
  /** Content to write, or a deletion; undefined if the file does not exist. */
  content: FileContent | { isDeleted: true } | undefined
  listed: ListedFile | undefined
}

/** Whether a page needs a file. An empty page does not if its entry in the table of contents contains all of it. */
function needsFile(state: PageState): boolean {
  const { title, linkTitle } = state.page
  return hasFileContent(state) || linkTitle !== undefined || state.entry.slug !== toSlug(title)
}

/** Whether a page has content that is stored in its file. */
function hasFileContent({ page }: PageState): boolean {
  return page.document !== undefined || Object.keys(metadataOf(page)).length > 0
}

/** Whether a change requires an update of the table of contents, apart from titles. */
function isStructuralChange({ before, after, isReordered }: PageChange): boolean {
  if (!before || !after || isReordered || before.parent !== after.parent) return true
  const fields: readonly string[] = changedFields(before, after)
  return (
    ['slug', 'linkTitle', 'target', 'computed'].some((field) => fields.includes(field)) || isRenamedGroup(before, after)
  )
}

/** Whether the title of a page that is not a document changed; such titles are stored in the table of contents. */
function isRenamedGroup(before: PageState, after: PageState): boolean {
  return after.entry.type !== 'document' && before.page.title !== after.page.title
}
