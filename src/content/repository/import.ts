import { hashText } from '../document/hash.ts'
import { toSlug } from '../markdown/slug.ts'
import { type Yielder, Draft, type PageBody } from '../revision/draft.ts'
import { type ListedFile, type Objects, emptyRoot } from '../revision/objects.ts'
import { readSequence } from '../revision/sequence.ts'
import { type Tree, openTree, readPageNodes } from '../revision/tree.ts'
import { type RepositoryConfig, configFiles, contentFolders } from './config.ts'
import { RepositoryFiles } from './files.ts'
import { type FolderReader, openFolder } from './folder.ts'
import { matchFiles } from './identity.ts'
import { type ImportedNames as Names, changedNames, filesIn, missingPages, namesIn } from './import-names.ts'
import { formerRedirects, importRedirects } from './import-redirects.ts'
import { type LongTexts, importTexts } from './import-texts.ts'
import { ListingDraft, importVersion, readSources, withProblems } from './listing.ts'
import { titlesOf } from './page-titles.ts'
import { isMarkdown } from './paths.ts'
import { type PlannedPage, type RepositoryPlan, planRepository, slugOfFile } from './plan.ts'
import { type Outside, referencesFrom } from './references.ts'
import type { RepositoryProblem, SourceFile, SourceFolder } from './source.ts'
import { readTags } from './tags.ts'
import { applyStructure, changedBody, keepIds, structureOf } from './structure.ts'
import { unlistedFiles } from './unlisted.ts'
import { readVariables } from './variables.ts'

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
  outside?: Outside | undefined
  /** Folder of the repository that contains the content; stored to locate the files of pages. */
  directory?: string | undefined
  /** Called before each text is stored; it may wait, and it may throw to cancel the import. */
  onText?: ((progress: { done: number; total: number }) => Promise<void>) | undefined
  /** Called repeatedly during the import; see `Breathe`. */
  breathe?: Yielder | undefined
  /** Parser for long texts; without it, they are parsed like others. */
  longTexts?: LongTexts | undefined
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
  await source.prefetch?.(filesToPrefetch(source, listing))
  const folder = await openFolder(objects, source, listing.stored.config)
  const isUnlisted = before !== undefined && before.listing === undefined
  const former = isUnlisted ? await unlistedFiles(tree) : listing.storedFiles
  return new Import(folder, options, tree, listing, former).run()
}

/**
 * Returns the files that an import of a whole folder always reads and that are not listed yet. The configuration may limit the
 * content to a part of the folder, but reading it first would need another request.
 */
function filesToPrefetch(source: SourceFolder, { stored, storedFiles }: ListingDraft): SourceFile[] {
  const listed = new Set([...storedFiles.values(), ...(stored.config ? [stored.config] : [])].map(({ oid }) => oid))
  const files = source.files.filter(({ path, oid }) => isAlwaysRead(path) && !listed.has(oid))
  return files.length > maxPrefetched ? [] : files
}

/** Maximum number of files to prefetch; larger folders are read step by step, so that no large file is fetched unnecessarily. */
const maxPrefetched = 5000

const isAlwaysRead = (path: string): boolean =>
  isMarkdown(path) || configFiles.some((name) => name === path) || isInContentFolder(path)

const isInContentFolder = (path: string): boolean =>
  path.split('/').some((name) => contentFolders.some((one) => one === name))

class Import {
  readonly #folder: FolderReader
  readonly #options: ImportOptions
  readonly #tree: Tree
  readonly #objects: Objects
  readonly #draft: Draft
  readonly #listing: ListingDraft
  /** Files of the previous import or export, by path. */
  readonly #former: ReadonlyMap<string, ListedFile>

  constructor(
    folder: FolderReader,
    options: ImportOptions,
    tree: Tree,
    listing: ListingDraft,
    former: ReadonlyMap<string, ListedFile>,
  ) {
    this.#folder = folder
    this.#options = options
    this.#tree = tree
    this.#objects = tree.objects
    this.#draft = new Draft(tree, { maxDepth: Infinity, yieldIfDue: options.breathe })
    this.#listing = listing
    this.#former = former
  }

  async run(): Promise<ImportedContent> {
    const folder = this.#folder
    const { config, files } = folder
    const { outside } = this.#options
    const matches = await matchFiles({
      before: this.#former,
      after: files,
      formerTexts: (listed) => readSources(this.#objects, listed),
      texts: (wanted) => this.#folder.textsOf(wanted),
    })
    const idOf = this.#idsBy(matches)
    const repositoryFiles = new RepositoryFiles(files.map(({ path }) => path))
    const { plan, structure } = await this.#plan(repositoryFiles, (file) => idOf(file, 'page'))
    const names = namesIn({ folder, files: repositoryFiles, plan, idOf, outside, isFile: (path) => this.#isFile(path) })

    const { bodies, read } = await importTexts({
      ...this.#options,
      names,
      draft: this.#draft,
      listing: this.#listing,
      objects: this.#objects,
      folder: this.#folder,
      matches,
      plan,
      changedNames: changedNames(this.#former, { folder, names, plan }),
    })
    await this.#takeAssets(names)
    await this.#readVariablesAndTags()

    const { stored } = this.#listing
    if (this.#isKnown(structure)) {
      for (const [id, body] of bodies) await this.#draft.updatePage(id, (old) => changedBody(old, body))
    } else {
      const { pages } = plan
      await applyStructure(this.#draft, {
        pages,
        before: await readPageNodes(this.#objects, this.#tree.root.pages),
        bodyOf: (page, before) => this.#bodyOf(page, bodies.get(page.id) ?? before, names),
        formerSlugOf: (page, known) => this.#formerSlugOf(page, matches, known),
        hasCurrentSlugs: stored.version === importVersion,
        breathe: this.#options.breathe,
      })
      await importRedirects({
        draft: this.#draft,
        tree: this.#tree,
        pages,
        pageAt: (path) => pageAt(names, path),
        isListed: (file, page) => stored.folder === config.root && this.#listing.storedFiles.get(file)?.item === page,
        named: config.redirects,
        formerlyNamed: await formerRedirects(this.#objects, stored),
      })
    }
    await this.#removeGone(names, plan)

    const root = await this.#draft.commit()
    const configFile = this.#folder.configFile(redirectProblems(names, config))
    const { directory } = this.#options
    const head = { folder: config.root, structure, config: configFile, directory, version: importVersion }
    const listing = await this.#listing.close(head)
    return { root, listing, problems: this.#allProblems(configFile), pages: plan.pageOfFile.size, read }
  }

  async #plan(
    files: RepositoryFiles,
    idOfFile: (file: string) => string,
  ): Promise<{ plan: RepositoryPlan; structure: string }> {
    const { config } = this.#folder
    const path = files.find(config.summary)
    const listed = path === undefined ? undefined : this.#listing.storedFiles.get(path)
    const file = path === undefined ? undefined : this.#folder.find(path)
    const text = file && (await this.#folder.textOf(file, listed))
    const planned = planRepository({
      files,
      summary: file && { file: file.path, text: text ?? '' },
      readme: config.readme,
      newId: this.#options.newId,
      idOfFile,
    })
    const plan = { ...planned, pages: this.#knowMissing(planned) }
    if (file) {
      const hash = this.#objects.write({ kind: 'source', text: text ?? '' })
      this.#listing.set(withProblems({ id: file.path, oid: file.oid, hash, is: 'summary' }, plan.problems))
    }
    const structure = this.#structureOf(plan)
    if (this.#isKnown(structure)) return { plan, structure }
    const kept = await this.#keepIds(plan, files)
    return { plan: kept, structure: this.#structureOf(kept) }
  }

  /** Assigns pages whose files are missing the ids that they had before, unless the file was moved and is a page elsewhere. */
  #knowMissing({ pages, pageOfFile }: RepositoryPlan): PlannedPage[] {
    const used = new Set(pageOfFile.values())
    const know = (page: PlannedPage): PlannedPage => {
      const { missing } = page.what.type === 'document' ? page.what : {}
      const { is, item } = this.#former.get(missing ?? '') ?? {}
      const id = is === 'page' && item !== undefined && !used.has(item) ? item : page.id
      return { ...page, id, children: page.children.map(know) }
    }
    return pages.map(know)
  }

  #structureOf({ pages }: RepositoryPlan): string {
    return structureOf(pages) + hashText(JSON.stringify(this.#folder.config))
  }

  /** Whether the structure and the version of the importer are the same as in the stored listing. */
  #isKnown(structure: string): boolean {
    const { stored } = this.#listing
    return (
      structure === stored.structure && this.#folder.config.root === stored.folder && stored.version === importVersion
    )
  }

  /** Returns the plan in which pages without files have the ids that they had before. */
  async #keepIds(plan: RepositoryPlan, files: RepositoryFiles): Promise<RepositoryPlan> {
    const filed = new Set(plan.pageOfFile.values())
    for (const { item } of this.#former.values()) if (item !== undefined) filed.add(item)
    const { pageOfFile } = plan
    const noFiles = { reusableContentOfFile: new Map<string, string>(), assetOfFile: () => undefined }
    const references = referencesFrom({ files, pageOfFile, missingPages: missingPages(plan), ...noFiles }, '')
    const before = await readPageNodes(this.#objects, this.#tree.root.pages)
    const pages = keepIds(plan.pages, before, {
      isFiled: (id) => filed.has(id),
      targetOf: (destination) => references.resolve(destination),
    })
    return { ...plan, pages, pageOfFile: new Map(filesIn(pages, 'file')) }
  }

  #idsBy(matches: ReadonlyMap<string, ListedFile>) {
    const given = new Map<string, string>()
    return (path: string, is: ListedFile['is']): string => {
      const key = `${is} ${path}`
      const known = given.get(key)
      if (known !== undefined) return known
      const former = matches.get(path)
      const id = former?.is === is && former.item !== undefined ? former.item : this.#options.newId()
      given.set(key, id)
      return id
    }
  }

  /** Whether a path was listed as a file that pages may show. */
  #isFile(path: string): boolean {
    return this.#listing.storedFiles.get(path)?.is === 'file'
  }

  async #takeAssets({ assets }: Names): Promise<void> {
    const wanted: SourceFile[] = []
    for (const [path, id] of assets) {
      const file = this.#folder.find(path)
      const listed = this.#listing.storedFiles.get(path)
      if (file && (listed?.oid !== file.oid || listed.item !== id)) wanted.push(file)
    }
    for await (const { path, file, problem } of this.#folder.assets(wanted)) {
      const id = assets.get(path) as string
      const listed: ListedFile = { id: path, oid: this.#folder.find(path)?.oid ?? '', is: 'file', item: id }
      this.#listing.set(withProblems(listed, problem === undefined ? [] : [{ message: problem }]))
      this.#draft.files.set(id, file ?? null)
    }
  }

  async #readVariablesAndTags(): Promise<void> {
    const variables = await this.#readYaml('vars.yaml', 'variables', readVariables)
    if (variables !== undefined) this.#draft.setVariables(variables?.variables ?? {})
    const tags = await this.#readYaml('tags.yaml', 'tags', readTags)
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
    const text = await this.#folder.textOf(file, undefined)
    const result = read(text, file.path)
    const hash = this.#objects.write({ kind: 'source', text })
    this.#listing.set(withProblems({ id: file.path, oid: file.oid, hash, is }, result.problems))
    return result
  }

  /** Returns the body of a page from its file or its former body, with the titles of the table of contents. */
  #bodyOf(page: PlannedPage, known: PageBody | undefined, names: Names): PageBody {
    const { title, what } = page
    const { now } = this.#options
    const { linkTitle, ...body } = known ?? { title, createdAt: now, updatedAt: now }
    const { createdAt } = body
    // A table of contents contains no link titles of groups and computed pages.
    const kept = { ...body, ...(linkTitle !== undefined && { linkTitle }), updatedAt: now }
    switch (what.type) {
      case 'document': {
        if (what.file === undefined) return { ...titlesOf(page, undefined), createdAt, updatedAt: now }
        const isUntitled = this.#listing.find(what.file)?.isUntitled === true
        return { ...body, ...titlesOf(page, isUntitled ? undefined : body.title), updatedAt: now }
      }
      case 'group':
        return { ...kept, title }
      case 'link': {
        const target = referencesFrom(names, '').resolve(what.destination)
        return { ...body, ...titlesOf(page, undefined), target, updatedAt: now }
      }
      case 'computed':
        return { ...kept, computed: what.source }
    }
  }

  /**
   * Returns the slug that the repository assigned to a page before. Slugs of groups can be written in the table of contents, so
   * none of them counts as set by a person.
   */
  #formerSlugOf(
    { what, slug }: PlannedPage,
    matches: ReadonlyMap<string, ListedFile>,
    before: PageBody,
  ): string | undefined {
    if (what.type === 'group') return undefined
    if (what.type === 'computed') return slug
    const path = what.type === 'document' ? (what.file ?? what.missing) : undefined
    if (path === undefined) return toSlug(before.title)
    const former = matches.get(path) ?? this.#former.get(path)
    return former && slugOfFile(former.id)
  }

  /** Removes files, reusable contents and listed files that no longer exist or are now something else. */
  async #removeGone(names: Names, plan: RepositoryPlan): Promise<void> {
    const missing = new Map(filesIn(plan.pages, 'missing'))
    const isStill = ({ id, is, item }: ListedFile): boolean => {
      if (is === 'page') return (names.pageOfFile.get(id) ?? missing.get(id)) === item
      if (is === 'reusable-content') return names.reusableContentOfFile.get(id) === item
      if (is === 'file') return names.assets.get(id) === item && this.#folder.find(id) !== undefined
      return this.#folder.find(id) !== undefined
    }
    for (const file of this.#listing.files()) if (!isStill(file)) this.#listing.remove(file.id)
    for (const [path, id] of missing) this.#listing.set({ id: path, oid: '', is: 'page', item: id })

    const { files, reusableContents } = this.#tree.root
    const kept = new Set([...names.assets.values(), ...names.reusableContentOfFile.values()])
    for (const { id } of await readSequence(this.#objects, files)) if (!kept.has(id)) this.#draft.files.set(id, null)
    for (const { id } of await readSequence(this.#objects, reusableContents)) {
      if (!kept.has(id)) this.#draft.reusableContents.set(id, null)
    }
  }

  #allProblems(config: ListedFile | undefined): RepositoryProblem[] {
    const all = [...this.#folder.problems]
    for (const problem of config?.problems ?? []) all.push({ file: config?.id ?? '', ...problem })
    for (const { id, problems = [] } of this.#listing.files()) {
      for (const problem of problems) all.push({ file: this.#folder.pathFromTop(id), ...problem })
    }
    return all.sort((a, b) => (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1))
  }
}

/** Returns the page whose file a path refers to. */
const pageAt = ({ files, pageOfFile }: Names, path: string): string | undefined =>
  pageOfFile.get(files.findPage(path, (file) => pageOfFile.has(file)) ?? '')

function redirectProblems(names: Names, { redirects }: RepositoryConfig): { line: number; message: string }[] {
  const isBroken = (to: string) => pageAt(names, to.replace(/#.*$/, '')) === undefined
  return redirects
    .filter(({ to }) => isBroken(to))
    .map(({ from, to, line }) => ({ line, message: `The redirect ${from} points to ${to}, which is not a page` }))
}
