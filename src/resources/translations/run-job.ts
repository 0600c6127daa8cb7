import { z } from 'zod'
import { emptyRoot } from '../../content/revision/objects.ts'
import { selectTerms, TermFinder } from '../../translation/glossary.ts'
import { type TextOwner, TreeTranslation } from '../../translation/translate-tree.ts'
import { Budget, type BudgetLimit, TranslationError } from '../../translators/budget.ts'
import { EngineError } from '../../translators/engine.ts'
import { type LocatedProblem, TextTranslator } from '../../translators/text-translator.ts'
import { findLiveSpace } from '../../domain/spaces/space-queries.ts'
import { getRevision } from '../../domain/revisions/revisions.ts'
import { findUntranslatedLocations } from '../../domain/translations/finding-store.ts'
import { findGlossaryTranslations } from '../../domain/translations/glossary-store.ts'
import { runTranslationJob } from '../../domain/translations/jobs.ts'
import { findStoredTranslations, storeTranslations } from '../../domain/translations/translation-memory.ts'
import * as store from '../../domain/translations/translation-store.ts'
import { addUsage, readUsage } from '../../domain/translations/usage-store.ts'
import { job } from '../../jobs/job.ts'
import type { JobContext } from '../../kernel/context.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { AppError, OutageError } from '../../kernel/errors.ts'
import { storePendingObjects, storePendingObjectsIfMany } from '../../storage/store-pending-objects.ts'
import { findBaseState } from './base-state.ts'
import { completeRun } from './complete-run.ts'
import type { StartedRun, TranslatedContent } from './run-content.ts'
import { plainTextOfDocument } from './instructions.ts'
import { toRetriedItems } from './finding-locations.ts'
import { RunEndedError, watchRun } from './watch-run.ts'
import { type TranslationServices, missingEngineMessage } from './services.ts'

/** The job that runs a translation. An interrupted run starts over, but texts that were translated are stored. */
export const translationRunJob = (services: TranslationServices) =>
  job({
    ...runTranslationJob,
    attempts: 20,
    atOnce: 2,
    payload: z.object({ organizationId: z.string(), translationId: z.string(), runId: z.string() }),
    async run(context, { organizationId, translationId, runId }) {
      const started = await startRun(context, { organization_id: organizationId, id: translationId }, runId)
      if (!started) return
      const watch = watchRun(context, started.run)
      try {
        const content = await translateContent(services, { ...context, signal: watch.signal }, started)
        await watch.stop()
        await completeRun(context, started, content)
      } catch (error) {
        await watch.stop()
        await storeFailure(context, started, watch.signal.reason instanceof RunEndedError ? watch.signal.reason : error)
      }
    },
  })

/** Marks a run as running; returns undefined if it has ended or was deleted. */
function startRun(
  { transaction, now }: JobContext,
  key: store.TranslationKey,
  runId: string,
): Promise<StartedRun | undefined> {
  return transaction(async (db) => {
    const found = await store.findRun(db, key, runId)
    const run =
      found &&
      (await store.updateActiveRun(db, found, {
        status: 'running',
        started_at: found.started_at ?? now(),
        done_page_count: 0,
        text_count: 0,
      }))
    if (!run) return undefined
    await store.recordTranslationEvent({ db, now }, key)
    return { run, translation: await store.updateTranslation(db, key, { status: 'running' }) }
  })
}

/** Translates the changes since the latest run, without changing the translated space. */
async function translateContent(
  services: TranslationServices,
  context: JobContext,
  { run, translation }: StartedRun,
): Promise<TranslatedContent> {
  const { db, transaction, openObjects, now, signal } = context
  const { organization_id: organizationId } = translation
  const source = await findLiveSpace(db, { organization_id: organizationId, id: translation.source_space_id })
  if (!source) throw new TranslationError('The source space was deleted')
  const objects = openObjects(db, organizationId)
  const revision = await getRevision(db, source, source.revision_id)
  const base = await findBaseState(db, translation)
  const empty = objects.write(emptyRoot)
  const tree = await TreeTranslation.open(
    objects,
    {
      source: revision.root_hash,
      previous: { source: base.sourceRoot ?? empty, translation: base.machineRoot ?? empty },
    },
    {
      yieldIfDue: createYielder(signal),
      onBatch: () => storePendingObjectsIfMany(transaction, objects),
      retried: toRetriedItems(await findUntranslatedLocations(db, translation)),
    },
  )
  const translator = await createTranslator(services, context, { run, translation })
  const progress = { page_count: tree.size, done_page_count: 0, text_count: 0 }
  const translatedItems: TextOwner[] = []
  const update = () =>
    transaction(async (tx) => {
      await store.updateActiveRun(tx, run, { ...progress })
      await store.recordTranslationEvent({ db: tx, now }, translation)
    })
  await update()
  // All texts are translated before anything is written, because written objects without references are kept for an hour only.
  for await (const items of tree.readItems()) {
    await translator.translate(items)
    progress.done_page_count += items.length
    progress.text_count += items.reduce((sum, { texts }) => sum + texts.length, 0)
    for (const { owner } of items) translatedItems.push(owner)
    await update()
  }
  const problems: LocatedProblem[] = []
  const machineRoot = await tree.write(async (items) => {
    const translations = await translator.translate(items)
    for (const item of items) problems.push(...translator.findProblems(item))
    return (text) => translations.get(text)
  })
  await storePendingObjects(transaction, objects)
  return { base, empty, sourceRevision: revision, machineRoot, items: translatedItems, problems }
}

async function createTranslator(
  services: TranslationServices,
  context: JobContext,
  { run, translation }: StartedRun,
): Promise<TextTranslator> {
  const { db, transaction, now, signal } = context
  const { organization_id: organizationId, source_language: source, language: target } = translation
  const engine = await services.resolveEngine(context, organizationId)
  if (!engine) throw new TranslationError(missingEngineMessage)
  await transaction((tx) => store.updateActiveRun(tx, run, { engine: engine.name }))
  const memory = { organizationId, source, target }
  return new TextTranslator({
    engine,
    source,
    target,
    instructions: plainTextOfDocument(translation.instructions),
    terms: new TermFinder(selectTerms(await findGlossaryTranslations(db, organizationId), source, target)),
    budget: new Budget(
      await findBudgetLimits(
        context,
        { run, translation },
        engine.origin === 'server' ? services.config.translation.monthlyCharacters : 0,
      ),
    ),
    signal,
    find: (texts) => findStoredTranslations(db, memory, texts),
    store: ({ translations, ...usage }) =>
      transaction(async (tx) => {
        await storeTranslations(tx, memory, translations, now())
        await addUsage(tx, run, now(), usage)
      }),
  })
}

/** Returns the limits that apply to a run; `serverLimit` is that of the server, 0 for none. */
async function findBudgetLimits(
  { db, now }: JobContext,
  { run, translation }: StartedRun,
  serverLimit: number,
): Promise<BudgetLimit[]> {
  const used = await readUsage(db, translation.organization_id, now())
  const sent = used.get(translation.id)?.characters ?? 0
  const sentByOrganization = [...used.values()].reduce((sum, { characters }) => sum + characters, 0)
  const { run_character_limit: perRun, month_character_limit: perMonth } = translation
  return [
    ...toLimit(perRun, run.characters, (limit) => `The run would send more than ${limit} characters, its limit`),
    ...toLimit(
      perMonth,
      sent,
      (limit) => `The translation would send more than ${limit} characters this month, its limit`,
    ),
    ...toLimit(
      serverLimit === 0 ? null : serverLimit,
      sentByOrganization,
      (limit) =>
        `The organization would send more than ${limit} characters this month, the limit of this server (OCTAVO_TRANSLATION_MONTHLY_CHARACTERS)`,
    ),
  ]
}

const toLimit = (limit: number | null, used: number, describe: (limit: number) => string): BudgetLimit[] =>
  limit === null ? [] : [{ remaining: limit - used, message: describe(limit) }]

/** Stores why a run failed; errors that only interrupt the job are rethrown for the queue. */
async function storeFailure(
  { transaction, now, log, signal }: JobContext,
  { run, translation }: StartedRun,
  error: unknown,
): Promise<void> {
  if (error instanceof RunEndedError) return
  if (signal.aborted || error instanceof OutageError) throw error
  const isKnown = [TranslationError, EngineError, AppError].some((kind) => error instanceof kind)
  if (!isKnown) log.error('A translation failed', { translation: translation.id, run: run.id, error })
  const failure = isKnown
    ? (error as Error).message
    : 'The translation failed because of an internal error. The server log contains details'
  await transaction((db) => store.endRun(db, run, { status: 'failed', failure }, now()))
}
