import { hashText } from '../document/hash.ts'
import { toSlug } from '../markdown/slug.ts'
import { type Yielder, Draft, type PageBody } from '../revision/draft.ts'
import { type ListedFile, type Objects, emptyRoot } from '../revision/objects.ts'
import { readSequence } from '../revision/sequence.ts'
import { type Tree, openTree, readPageNodes } from '../revision/tree.ts'
import { type RepositoryConfig, configFileNames, contentFolders } from './config.ts'
import { RepositoryFiles } from './files.ts'
import { type FolderReader, openContentFolder } from './folder.ts'
import { matchFiles } from './match-files.ts'
import {
  type ImportFileMap as FileMap,
  findChangedPaths,
  listPageFiles,
  findMissingPages,
  createImportFileMap,
} from './import-file-map.ts'
import { readFormerRedirects, importRedirects } from './import-redirects.ts'
import { type LongTextSettings, importTexts } from './import-texts.ts'
import { ListingDraft, importVersion, readSources, withProblems } from './listing.ts'
import { resolvePageTitles } from './page-titles.ts'
import { isMarkdown } from './paths.ts'
import { type PlannedPage, type RepositoryPlan, planRepository, slugFromFile } from './plan.ts'
import { type FileUrlMapping, createFileReferences } from './references.ts'
import type { RepositoryProblem, SourceFile, SourceFolder } from './source.ts'
import { parseTags } from './tags.ts'
import { applyStructure, keepIfUnchanged, assignFormerIds, fingerprintStructure } from './structure.ts'
import { deriveFilesFromPages } from './derive-files.ts'
import { parseVariables } from './variables.ts'

/** Content, and the files that it was imported from or exported to. */
export interface ListedContent {
  /** Hash of the root. */
  root: string
  /** Hash of the listing; without it, pages are matched by the paths that their files would have. */
  listing?: string | undefined
}

export interface ImportOptions {
  /** Content to update; without it, new content is created. */
  before?: ListedContent | undefined
  newId: () => string
  now: string
  fileUrls?: FileUrlMapping | undefined
  /** Folder of the repository that contains the content; stored to locate the files of pages. */
  directory?: string | undefined
  /** Called before each text is stored; it may wait, and it may throw to cancel the import. */
  onText?: ((progress: { done: number; total: number }) => Promise<void>) | undefined
  /** Called repeatedly during the import; see `Yielder`. */
  yieldIfDue?: Yielder | undefined
  /** Parser for long texts; without it, they are parsed like others. */
  longTexts?: LongTextSettings | undefined
}

export interface ImportedContent {
  root: string
  listing: string
  problems: RepositoryProblem[]
  /** Number of pages, and number of texts that were read. */
  pages: number
  read: number
}

/** Imports a folder. Unchanged files are not read again. */
export async function importRepository(
  objects: Objects,
  source: SourceFolder,
  options: ImportOptions,
): Promise<ImportedContent> {
  const { before } = options
  const tree = before ? await openTree(objects, before.root) : { objects, root: emptyRoot }
  const listing = await ListingDraft.open(objects, before?.listing)
  await source.prefetch?.(selectFilesToPrefetch(source, listing))
  const folder = await openContentFolder(objects, source, listing.stored.config)
  const isUnlisted = before !== undefined && before.listing === undefined
  const formerFiles = isUnlisted ? await deriveFilesFromPages(tree) : listing.storedFiles
  return new RepositoryImport(folder, options, tree, listing, formerFiles).run()
}

/**
 * Returns the files that an import of a whole folder always reads and that are not listed yet. The configuration may limit the
 * content to a part of the folder, but reading it first would need another request.
 */
function selectFilesToPrefetch(source: SourceFolder, { stored, storedFiles }: ListingDraft): SourceFile[] {
  const listed = new Set([...storedFiles.values(), ...(stored.config ? [stored.config] : [])].map(({ oid }) => oid))
  const files = source.files.filter(({ path, oid }) => isAlwaysRead(path) && !listed.has(oid))
  return files.length > maxPrefetchedFiles ? [] : files
}

/** Maximum number of files to prefetch; larger folders are read step by step, so that no large file is fetched unnecessarily. */
const maxPrefetchedFiles = 5000

const isAlwaysRead = (path: string): boolean =>
  isMarkdown(path) || configFileNames.some((name) => name === path) || isInContentFolder(path)

const isInContentFolder = (path: string): boolean =>
  path.split('/').some((name) => contentFolders.some((one) => one === name))

class RepositoryImport {
  readonly #folder: FolderReader
  readonly #options: ImportOptions
  readonly #tree: Tree
  readonly #objects: Objects
  readonly #draft: Draft
  readonly #listing: ListingDraft
  /** Files of the previous import or export, by path. */
  readonly #formerFiles: ReadonlyMap<string, ListedFile>

  constructor(
    folder: FolderReader,
    options: ImportOptions,
    tree: Tree,
    listing: ListingDraft,
    formerFiles: ReadonlyMap<string, ListedFile>,
  ) {
    this.#folder = folder
    this.#options = options
    this.#tree = tree
    this.#objects = tree.objects
    this.#draft = new Draft(tree, { maxDepth: Infinity, yieldIfDue: options.yieldIfDue })
    this.#listing = listing
    this.#formerFiles = formerFiles
  }

  async run(): Promise<ImportedContent> {
    const folder = this.#folder
    const { config, files } = folder
    const { fileUrls } = this.#options
    const matches = await matchFiles({
      before: this.#formerFiles,
      after: files,
      readFormerTexts: (listed) => readSources(this.#objects, listed),
      readTexts: (wanted) => this.#folder.readTexts(wanted),
    })
    const idOf = this.#createIdAssigner(matches)
    const repositoryFiles = new RepositoryFiles(files.map(({ path }) => path))
    const { plan, structure } = await this.#plan(repositoryFiles, (file) => idOf(file, 'page'))
    const fileMap = createImportFileMap({
      folder,
      files: repositoryFiles,
      plan,
      idOf,
      fileUrls,
      isListedAsset: (path) => this.#isListedAsset(path),
    })

    const { bodies, read } = await importTexts({
      ...this.#options,
      fileMap,
      draft: this.#draft,
      listing: this.#listing,
      objects: this.#objects,
      folder: this.#folder,
      matches,
      plan,
      changedPaths: findChangedPaths(this.#formerFiles, { folder, fileMap, plan }),
    })
    await this.#importAssets(fileMap)
    await this.#readVariablesAndTags()

    const { stored } = this.#listing
    if (this.#isStructureUnchanged(structure)) {
      for (const [id, body] of bodies) await this.#draft.updatePage(id, (old) => keepIfUnchanged(old, body))
    } else {
      const { pages } = plan
      await applyStructure(this.#draft, {
        pages,
        before: await readPageNodes(this.#objects, this.#tree.root.pages),
        createBody: (page, before) => this.#createBody(page, bodies.get(page.id) ?? before, fileMap),
        formerSlugOf: (page, known) => this.#formerSlugOf(page, matches, known),
        hasCurrentSlugs: stored.version === importVersion,
        yieldIfDue: this.#options.yieldIfDue,
      })
      await importRedirects({
        draft: this.#draft,
        tree: this.#tree,
        pages,
        findPageAt: (path) => findPageAt(fileMap, path),
        isListed: (file, page) => stored.folder === config.root && this.#listing.storedFiles.get(file)?.item === page,
        configured: config.redirects,
        formerlyConfigured: await readFormerRedirects(this.#objects, stored),
      })
    }
    await this.#removeObsolete(fileMap, plan)

    const root = await this.#draft.commit()
    const configFile = this.#folder.listedConfigFile(findRedirectProblems(fileMap, config))
    const { directory } = this.#options
    const head = { folder: config.root, structure, config: configFile, directory, version: importVersion }
    const listing = await this.#listing.commit(head)
    return { root, listing, problems: this.#collectProblems(configFile), pages: plan.pageOfFile.size, read }
  }

  async #plan(
    files: RepositoryFiles,
    idOfFile: (file: string) => string,
  ): Promise<{ plan: RepositoryPlan; structure: string }> {
    const { config } = this.#folder
    const path = files.find(config.summary)
    const listed = path === undefined ? undefined : this.#listing.storedFiles.get(path)
    const file = path === undefined ? undefined : this.#folder.find(path)
    const text = file && (await this.#folder.readText(file, listed))
    const planned = planRepository({
      files,
      summary: file && { file: file.path, text: text ?? '' },
      readme: config.readme,
      newId: this.#options.newId,
      idOfFile,
    })
    const plan = { ...planned, pages: this.#assignMissingPageIds(planned) }
    if (file) {
      const hash = this.#objects.write({ kind: 'source', text: text ?? '' })
      this.#listing.set(withProblems({ id: file.path, oid: file.oid, hash, is: 'summary' }, plan.problems))
    }
    const structure = this.#fingerprintStructure(plan)
    if (this.#isStructureUnchanged(structure)) return { plan, structure }
    const matchedPlan = await this.#assignFormerIds(plan, files)
    return { plan: matchedPlan, structure: this.#fingerprintStructure(matchedPlan) }
  }

  /** Assigns pages whose files are missing the ids that they had before, unless the file was moved and is a page elsewhere. */
  #assignMissingPageIds({ pages, pageOfFile }: RepositoryPlan): PlannedPage[] {
    const used = new Set(pageOfFile.values())
    const assignId = (page: PlannedPage): PlannedPage => {
      const { missing } = page.content.type === 'document' ? page.content : {}
      const { is, item } = this.#formerFiles.get(missing ?? '') ?? {}
      const id = is === 'page' && item !== undefined && !used.has(item) ? item : page.id
      return { ...page, id, children: page.children.map(assignId) }
    }
    return pages.map(assignId)
  }

  #fingerprintStructure({ pages }: RepositoryPlan): string {
    return fingerprintStructure(pages) + hashText(JSON.stringify(this.#folder.config))
  }

  /** Whether the structure and the version of the importer are the same as in the stored listing. */
  #isStructureUnchanged(structure: string): boolean {
    const { stored } = this.#listing
    return (
      structure === stored.structure && this.#folder.config.root === stored.folder && stored.version === importVersion
    )
  }

  /** Returns the plan in which pages without files have the ids that they had before. */
  async #assignFormerIds(plan: RepositoryPlan, files: RepositoryFiles): Promise<RepositoryPlan> {
    const idsWithFiles = new Set(plan.pageOfFile.values())
    for (const { item } of this.#formerFiles.values()) if (item !== undefined) idsWithFiles.add(item)
    const { pageOfFile } = plan
    const noFiles = { reusableContentOfFile: new Map<string, string>(), assetOfFile: () => undefined }
    const references = createFileReferences({ files, pageOfFile, missingPages: findMissingPages(plan), ...noFiles }, '')
    const before = await readPageNodes(this.#objects, this.#tree.root.pages)
    const pages = assignFormerIds(plan.pages, before, {
      hasFile: (id) => idsWithFiles.has(id),
      resolveTarget: (destination) => references.resolve(destination),
    })
    return { ...plan, pages, pageOfFile: new Map(listPageFiles(pages, 'file')) }
  }

  #createIdAssigner(matches: ReadonlyMap<string, ListedFile>) {
    const assignedIds = new Map<string, string>()
    return (path: string, is: ListedFile['is']): string => {
      const key = `${is} ${path}`
      const assignedId = assignedIds.get(key)
      if (assignedId !== undefined) return assignedId
      const former = matches.get(path)
      const id = former?.is === is && former.item !== undefined ? former.item : this.#options.newId()
      assignedIds.set(key, id)
      return id
    }
  }

  /** Whether a path was listed as a file that pages may show. */
  #isListedAsset(path: string): boolean {
    return this.#listing.storedFiles.get(path)?.is === 'file'
  }

  async #importAssets({ assets }: FileMap): Promise<void> {
    const changedAssets: SourceFile[] = []
    for (const [path, id] of assets) {
      const file = this.#folder.find(path)
      const listed = this.#listing.storedFiles.get(path)
      if (file && (listed?.oid !== file.oid || listed.item !== id)) changedAssets.push(file)
    }
    for await (const { path, file, problem } of this.#folder.assets(changedAssets)) {
      const id = assets.get(path) as string
      const listed: ListedFile = { id: path, oid: this.#folder.find(path)?.oid ?? '', is: 'file', item: id }
      this.#listing.set(withProblems(listed, problem === undefined ? [] : [{ message: problem }]))
      this.#draft.files.set(id, file ?? null)
    }
  }

  async #readVariablesAndTags(): Promise<void> {
    const variables = await this.#readYaml('vars.yaml', 'variables', parseVariables)
    if (variables !== undefined) this.#draft.setVariables(variables?.variables ?? {})
    const tags = await this.#readYaml('tags.yaml', 'tags', parseTags)
    if (tags !== undefined) this.#draft.setTags(tags?.tags ?? {})
  }

  /** Reads a YAML file; returns undefined if it is unchanged and null if it was deleted. */
  async #readYaml<Read extends { problems: RepositoryProblem[] }>(
    name: string,
    is: 'variables' | 'tags',
    read: (source: string, file: string) => Read,
  ): Promise<Read | null | undefined> {
    const file = contentFolders.map((folder) => this.#folder.find(`${folder}/${name}`)).find((found) => found)
    const before = [...this.#listing.storedFiles.values()].find((listed) => listed.is === is)
    if (!file) return before ? null : undefined
    if (before?.id === file.path && before.oid === file.oid) return undefined
    const text = await this.#folder.readText(file, undefined)
    const result = read(text, file.path)
    const hash = this.#objects.write({ kind: 'source', text })
    this.#listing.set(withProblems({ id: file.path, oid: file.oid, hash, is }, result.problems))
    return result
  }

  /** Returns the body of a page from its file or its former body, with the titles of the table of contents. */
  #createBody(page: PlannedPage, existing: PageBody | undefined, fileMap: FileMap): PageBody {
    const { title, content } = page
    const { now } = this.#options
    const { linkTitle, ...body } = existing ?? { title, createdAt: now, updatedAt: now }
    const { createdAt } = body
    // A table of contents contains no link titles of groups and computed pages.
    const bodyWithLinkTitle = { ...body, ...(linkTitle !== undefined && { linkTitle }), updatedAt: now }
    switch (content.type) {
      case 'document': {
        if (content.file === undefined) return { ...resolvePageTitles(page, undefined), createdAt, updatedAt: now }
        const isUntitled = this.#listing.find(content.file)?.isUntitled === true
        return { ...body, ...resolvePageTitles(page, isUntitled ? undefined : body.title), updatedAt: now }
      }
      case 'group':
        return { ...bodyWithLinkTitle, title }
      case 'link': {
        const target = createFileReferences(fileMap, '').resolve(content.destination)
        return { ...body, ...resolvePageTitles(page, undefined), target, updatedAt: now }
      }
      case 'computed':
        return { ...bodyWithLinkTitle, computed: content.source }
    }
  }

  /**
   * Returns the slug that the repository assigned to a page before. Slugs of groups can be written in the table of contents, so
   * none of them counts as set by a person.
   */
  #formerSlugOf(
    { content, slug }: PlannedPage,
    matches: ReadonlyMap<string, ListedFile>,
    before: PageBody,
  ): string | undefined {
    if (content.type === 'group') return undefined
    if (content.type === 'computed') return slug
    const path = content.type === 'document' ? (content.file ?? content.missing) : undefined
    if (path === undefined) return toSlug(before.title)
    const former = matches.get(path) ?? this.#formerFiles.get(path)
    return former && slugFromFile(former.id)
  }

  /** Removes files, reusable contents and listed files that no longer exist or are now something else. */
  async #removeObsolete(fileMap: FileMap, plan: RepositoryPlan): Promise<void> {
    const missing = new Map(listPageFiles(plan.pages, 'missing'))
    const isCurrent = ({ id, is, item }: ListedFile): boolean => {
      if (is === 'page') return (fileMap.pageOfFile.get(id) ?? missing.get(id)) === item
      if (is === 'reusable-content') return fileMap.reusableContentOfFile.get(id) === item
      if (is === 'file') return fileMap.assets.get(id) === item && this.#folder.find(id) !== undefined
      return this.#folder.find(id) !== undefined
    }
    for (const file of this.#listing.files()) if (!isCurrent(file)) this.#listing.remove(file.id)
    for (const [path, id] of missing) this.#listing.set({ id: path, oid: '', is: 'page', item: id })

    const { files, reusableContents } = this.#tree.root
    const currentIds = new Set([...fileMap.assets.values(), ...fileMap.reusableContentOfFile.values()])
    for (const { id } of await readSequence(this.#objects, files))
      if (!currentIds.has(id)) this.#draft.files.set(id, null)
    for (const { id } of await readSequence(this.#objects, reusableContents)) {
      if (!currentIds.has(id)) this.#draft.reusableContents.set(id, null)
    }
  }

  #collectProblems(config: ListedFile | undefined): RepositoryProblem[] {
    const all = [...this.#folder.problems]
    for (const problem of config?.problems ?? []) all.push({ file: config?.id ?? '', ...problem })
    for (const { id, problems = [] } of this.#listing.files()) {
      for (const problem of problems) all.push({ file: this.#folder.toTopLevelPath(id), ...problem })
    }
    return all.sort((a, b) => (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1))
  }
}

/** Returns the page whose file a path refers to. */
const findPageAt = ({ files, pageOfFile }: FileMap, path: string): string | undefined =>
  pageOfFile.get(files.findPage(path, (file) => pageOfFile.has(file)) ?? '')

function findRedirectProblems(fileMap: FileMap, { redirects }: RepositoryConfig): { line: number; message: string }[] {
  const isBroken = (to: string) => findPageAt(fileMap, to.replace(/#.*$/, '')) === undefined
  return redirects
    .filter(({ to }) => isBroken(to))
    .map(({ from, to, line }) => ({ line, message: `The redirect ${from} points to ${to}, which is not a page` }))
}
