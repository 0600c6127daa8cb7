import { stat } from 'node:fs/promises'
import { exportAllFiles } from '../content/repository/export-all-files.ts'
import { type ImportedContent, type ListedContent, importRepository } from '../content/repository/import.ts'
import type { Conflict } from '../content/revision/conflict.ts'
import { mergeTrees } from '../content/revision/merge.ts'
import { emptyRoot } from '../content/revision/objects.ts'
import { openTree } from '../content/revision/tree.ts'
import type { Language } from '../contract/space.ts'
import { AppError } from '../kernel/errors.ts'
import { deriveId } from '../kernel/ids.ts'
import { timestamp } from '../kernel/time.ts'
import { longTextSettings } from '../parsing/parse.ts'
import { ownerOfLocation, toRetriedItems } from '../resources/translations/finding-locations.ts'
import { FindingTexts } from '../resources/translations/finding-texts.ts'
import { type Finding, describeConflict, describeProblem } from '../resources/translations/describe-findings.ts'
import type { TermFinder } from '../translation/glossary.ts'
import { TreeTranslation } from '../translation/translate-tree.ts'
import { Budget } from '../translators/budget.ts'
import type { TranslationEngine } from '../translators/engine.ts'
import { type LocatedProblem, TextTranslator } from '../translators/text-translator.ts'
import { describeAsset } from './check-folder.ts'
import { openLocalFolder } from './folder.ts'
import { toPrintable } from './format.ts'
import { openSourceBlobs, readItemPaths } from './listed-files.ts'
import type { Progress } from './progress.ts'
import { TargetFolder } from './target-folder.ts'
import { type LatestRun, TranslationState, stateFile } from './translation-state.ts'
import { type FolderPlan, planFolder, writeFolder } from './write-folder.ts'

export interface TranslationRequest {
  sourceFolder: string
  targetFolder: string
  target: Language
  /** Language of the source; by default that of the latest run, or English. */
  source: Language | undefined
  instructions: string
  selectTerms: (source: Language) => TermFinder
}

interface RunContext {
  progress: Progress
  signal: AbortSignal
  yieldIfDue: () => Promise<void>
}

/** Texts that a run would send. */
export interface PlannedTexts {
  pages: number
  texts: number
  characters: number
}

export interface TranslatedFolder {
  pages: number
  /** Texts and characters that were sent. */
  texts: number
  characters: number
  plan: FolderPlan
  /** Texts that people should check, with the path of the file. */
  findings: (Finding & { file: string })[]
}

/** Timestamp of all pages, so that the stored state depends on the content only. */
const fixedTime = timestamp(0)

/** A folder of Markdown, and the state of its translation into another folder. */
export class FolderTranslation {
  readonly state: TranslationState
  readonly #request: TranslationRequest
  readonly #context: RunContext
  readonly #target: TargetFolder
  readonly #languages: LatestRun['languages']
  #idCount = 0

  private constructor(request: TranslationRequest, context: RunContext, target: TargetFolder, state: TranslationState) {
    this.state = state
    this.#request = request
    this.#context = context
    this.#target = target
    this.#languages = { source: request.source ?? state.latest?.languages.source ?? 'en', target: request.target }
  }

  /** Opens both folders; fails if the target folder contains another translation. */
  static async open(request: TranslationRequest, context: RunContext): Promise<FolderTranslation> {
    const target = await TargetFolder.open(request.targetFolder)
    const state = await TranslationState.open(target)
    const translation = new FolderTranslation(request, context, target, state)
    const { source, target: language } = translation.#languages
    if (source === language) throw new AppError('invalid', 'The languages of --from and --to must be different')
    const former = state.latest?.languages
    if (former && (former.source !== source || former.target !== language))
      throw new AppError(
        'invalid',
        `${toPrintable(request.targetFolder)} contains a translation from ${former.source} into ${former.target}. Use another folder for --out`,
      )
    return translation
  }

  /** Counts the texts that a run would send, without writing anything. */
  async count(): Promise<PlannedTexts> {
    const tree = await this.#openTree(await this.#importSource())
    const counted = { pages: 0, texts: 0, characters: 0 }
    const seen = new Set<string>()
    for await (const items of tree.readItems()) {
      counted.pages += items.filter(({ owner }) => owner.kind === 'page').length
      const texts = items.flatMap((item) => item.texts.map(({ text }) => text)).filter((text) => !seen.has(text))
      for (const text of texts) seen.add(text)
      const known = this.state.find(this.#languages, texts)
      for (const text of new Set(texts)) {
        if (known.has(text)) continue
        counted.texts++
        counted.characters += text.length
      }
    }
    return counted
  }

  /** Translates what has changed since the latest run, and writes it to the target folder. */
  async run(engine: TranslationEngine): Promise<TranslatedFolder> {
    const { objects, latest } = this.state
    const { targetFolder } = this.#request
    const source = await this.#importSource()
    const current = latest && (await this.#importFolder(targetFolder, latest.result))
    const { machineRoot, problems, ...counts } = await this.#translate(source, engine)
    const { root, conflicts } = await mergeTrees(
      objects,
      { base: latest?.machineRoot ?? machineRoot, ours: machineRoot, theirs: current?.root ?? machineRoot },
      { language: this.#languages.target, keepsTheirTexts: true, yieldIfDue: this.#context.yieldIfDue },
    )
    const { plan, listing } = await this.#write(source, current, root)
    const found = await this.#describe({ source: source.root, result: root }, problems, conflicts)
    const paths = new Map([
      ...(latest ? await readItemPaths(objects, latest.result.listing) : []),
      ...(await readItemPaths(objects, listing)),
    ])
    const isUnchanged = counts.pages === 0 && plan.write.length === 0 && plan.remove.length === 0
    if (!latest || !isUnchanged || source.root !== latest.source.root || root !== latest.result.root)
      await this.state.save({
        languages: this.#languages,
        source: { root: source.root, listing: source.listing },
        machineRoot,
        result: { root, listing },
        untranslated: found.flatMap(({ kind, location }) => (kind === 'not-translated' ? [location] : [])),
      })
    const findings = found.map((finding) => ({ ...finding, file: fileOfFinding(finding, paths) }))
    return { ...counts, plan, findings }
  }

  async #importSource(): Promise<ImportedContent> {
    const { sourceFolder } = this.#request
    const stats = await stat(sourceFolder).catch(() => undefined)
    if (!stats) throw new AppError('notFound', `The folder ${toPrintable(sourceFolder)} does not exist`)
    if (!stats.isDirectory()) throw new AppError('invalid', `${toPrintable(sourceFolder)} is not a folder`)
    const imported = await this.#importFolder(sourceFolder, this.state.latest?.source)
    if (imported.pages === 0) throw new AppError('invalid', `No pages were found in ${toPrintable(sourceFolder)}`)
    return imported
  }

  async #importFolder(path: string, before: ListedContent | undefined): Promise<ImportedContent> {
    const { progress, yieldIfDue } = this.#context
    const { latest, objects } = this.state
    const seed = latest ? `${latest.source.listing} ${latest.result.listing}` : ''
    return importRepository(objects, await openLocalFolder(path, describeAsset), {
      before,
      newId: () => deriveId(`${seed} ${this.#idCount++}`),
      now: fixedTime,
      onText: async (done) => {
        progress.report('pages read', done)
        await yieldIfDue()
      },
      yieldIfDue,
      longTexts: longTextSettings,
    })
  }

  #openTree(source: ListedContent): Promise<TreeTranslation> {
    const { objects, latest } = this.state
    const empty = objects.write(emptyRoot)
    return TreeTranslation.open(
      objects,
      {
        source: source.root,
        previous: { source: latest?.source.root ?? empty, translation: latest?.machineRoot ?? empty },
      },
      { yieldIfDue: this.#context.yieldIfDue, retried: toRetriedItems(latest?.untranslated ?? []) },
    )
  }

  async #translate(source: ListedContent, engine: TranslationEngine) {
    const { progress, signal } = this.#context
    const tree = await this.#openTree(source)
    const sent = { pages: 0, texts: 0, characters: 0 }
    const translator = new TextTranslator({
      engine,
      ...this.#languages,
      instructions: this.#request.instructions,
      terms: this.#request.selectTerms(this.#languages.source),
      budget: new Budget([]),
      signal,
      find: async (texts) => this.state.find(this.#languages, texts),
      store: async ({ translations, texts, characters }) => {
        sent.texts += texts
        sent.characters += characters
        await this.state.add(this.#languages, translations)
      },
    })
    // All texts are translated before anything is written.
    for await (const items of tree.readItems()) {
      progress.report('pages translated', { done: sent.pages, total: tree.size })
      await translator.translate(items)
      sent.pages += items.filter(({ owner }) => owner.kind === 'page').length
    }
    const problems: LocatedProblem[] = []
    const machineRoot = await tree.write(async (items) => {
      const translations = await translator.translate(items)
      for (const item of items) problems.push(...translator.findProblems(item))
      return (text) => translations.get(text)
    })
    return { machineRoot, problems, ...sent }
  }

  /** Describes the texts that people should check. */
  async #describe(
    roots: { source: string; result: string },
    problems: readonly LocatedProblem[],
    conflicts: readonly Conflict[],
  ): Promise<Finding[]> {
    const { objects } = this.state
    const source = new FindingTexts(await openTree(objects, roots.source))
    const result = new FindingTexts(await openTree(objects, roots.result))
    const found: Finding[] = []
    for (const problem of problems) found.push(...(await describeProblem(source, result, problem)))
    for (const conflict of conflicts) found.push(...(await describeConflict(source, conflict)))
    return found
  }

  /** Writes the files that have changed; returns the plan and the listing of the folder. */
  async #write(
    source: ListedContent,
    current: ListedContent | undefined,
    root: string,
  ): Promise<{ plan: FolderPlan; listing: string }> {
    const { progress, yieldIfDue } = this.#context
    const { objects } = this.state
    // The first run edits the files of the source, so that everything except the texts remains as it is.
    const exported = await exportAllFiles(objects, {
      before: current ?? source,
      after: root,
      model: source.listing,
      onText: yieldIfDue,
    })
    const stores = { objects, blobs: await openSourceBlobs(objects, source, this.#request.sourceFolder) }
    const knownIds = new Map(current ? Array.from(exported.listedOids, ([path, oid]) => [path, [oid]]) : [])
    const plan = await planFolder(stores, this.#target, exported.files, knownIds)
    if (plan.conflicting.length > 0) throw createConflictError(plan.conflicting, current !== undefined)
    await writeFolder(stores, this.#target, plan, async (_, index) => {
      progress.report('files', { done: index + 1, total: plan.write.length })
      await yieldIfDue()
    })
    const oids = new Map([...plan.upToDate, ...plan.write.map(({ file, oid }) => [file.path, oid] as const)])
    return { plan, listing: await exported.list(oids) }
  }
}

const maxPrintedPaths = 20

function createConflictError(paths: readonly string[], hasState: boolean): AppError {
  const some = paths.slice(0, maxPrintedPaths).map((path) => `\n  ${toPrintable(path)}`)
  const more = paths.length > maxPrintedPaths ? `\n  … and ${paths.length - maxPrintedPaths} more` : ''
  const reason = hasState
    ? 'these files are not part of the translation'
    : `the folder contains other files, and no ${stateFile} of an earlier run`
  return new AppError('conflict', `nothing was written, because ${reason}:${some.join('')}${more}`)
}

/** Returns the file that contains the text of a finding; titles of groups are in the table of contents. */
function fileOfFinding({ location }: Finding, paths: ReadonlyMap<string, string>): string {
  const { kind, id } = ownerOfLocation(location)
  if (kind === 'tag') return '.gitbook/tags.yaml'
  return kind === 'variable' ? '.gitbook/vars.yaml' : (paths.get(id) ?? 'SUMMARY.md')
}
