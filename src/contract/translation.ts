import { z } from 'zod'
import { JsonDocument } from './document.ts'
import { languages } from './languages.ts'
import { Language } from './space.ts'
import { Count, HttpUrl, Id, Timestamp, limitedRecord } from './shared.ts'

export const TranslationLanguage = Language.describe('Language code')

export const TranslationStatus = z
  .enum(['pending', 'running', 'completed'])
  .describe('`pending` until a run starts; a run that fails ends with `completed` and a `failure`')
  .meta({ id: 'TranslationStatus' })
export type TranslationStatus = z.infer<typeof TranslationStatus>

export const TranslationResultMode = z
  .enum(['live', 'change-request'])
  .describe('`live` changes the translated space directly; `change-request` creates a change request for review')
  .meta({ id: 'TranslationResultMode' })
export type TranslationResultMode = z.infer<typeof TranslationResultMode>

const CharacterLimit = z.int().min(1).max(1_000_000_000).nullable()

/** Settings of a translation that the official API does not have. */
export const translationSettings = {
  runAfterMerge: z.boolean().describe('Whether the translation runs again after the source space has changed'),
  resultMode: TranslationResultMode,
  limits: z
    .object({
      run: CharacterLimit.optional().describe('Maximum number of characters that one run sends to the engine'),
      month: CharacterLimit.optional().describe('Maximum number of characters that this translation sends in a month'),
    })
    .describe('Budgets; a run that reaches one fails and continues from there when it is started again'),
}

export const TranslationSource = z
  .object({ space: Id.describe('ID of the source space'), language: TranslationLanguage })
  .meta({ id: 'TranslationSource' })

export const Translation = z
  .object({
    object: z.literal('translation'),
    id: Id,
    status: TranslationStatus,
    failure: z.string().optional().describe('Why the latest run failed; absent if it did not'),
    source: TranslationSource,
    language: TranslationLanguage,
    instructions: JsonDocument.describe('Instructions for the translation engine'),
    result: z
      .object({ space: Id, revision: Id, language: TranslationLanguage })
      .optional()
      .describe('The translated space and the revision that the latest run wrote; absent before the first run'),
    ...translationSettings,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    stats: z.object({
      runs: Count,
      totalWords: Count.describe('Number of words that were sent to the engine'),
      totalPages: Count.describe('Number of different pages that were translated'),
      totalDuration: Count.describe('Duration of all runs, in seconds'),
      latestRunDuration: Count,
      latestPages: Count,
      latestWords: Count,
      totalCharacters: Count.describe('Number of characters that were sent to the engine'),
      totalTokens: Count.describe('Number of tokens, if the engine counts them'),
    }),
    openFindings: Count.describe('Number of unresolved findings'),
    permissions: z.object({ view: z.boolean(), edit: z.boolean() }),
    urls: z.object({ location: z.url() }),
  })
  .meta({ id: 'Translation' })
export type Translation = z.infer<typeof Translation>

export const TranslationRunStatus = z
  .enum(['pending', 'running', 'completed', 'failed', 'cancelled'])
  .meta({ id: 'TranslationRunStatus' })
export type TranslationRunStatus = z.infer<typeof TranslationRunStatus>

export const TranslationRun = z
  .object({
    object: z.literal('translation-run'),
    id: Id,
    status: TranslationRunStatus,
    failure: z.string().optional(),
    engine: z.string().optional().describe('Name of the translation engine'),
    progress: z.object({
      pages: Count.describe('Number of pages that have changed since the latest run'),
      donePages: Count,
      texts: Count.describe('Number of texts in these pages, as far as they were read'),
      sentTexts: Count.describe('Number of texts that were sent to the engine'),
    }),
    usage: z.object({ words: Count, characters: Count, tokens: Count }),
    changeRequest: Id.optional().describe('Change request with the result'),
    revision: Id.optional().describe('Revision of the translated space that the run wrote'),
    createdAt: Timestamp,
    startedAt: Timestamp.optional(),
    endedAt: Timestamp.optional(),
    urls: z.object({ location: z.url() }),
  })
  .meta({ id: 'TranslationRun' })
export type TranslationRun = z.infer<typeof TranslationRun>

export const TranslationFindingKind = z
  .enum(['source-changed', 'not-translated', 'glossary', 'removed'])
  .describe(
    '`source-changed`: the source of a text that was edited in the translated space has changed; the edited text was kept. `not-translated`: the engine returned no usable translation, and the text is in the language of the source. `glossary`: the translation does not contain a term of the glossary. `removed`: the source of an edited page was removed.',
  )
  .meta({ id: 'TranslationFindingKind' })
export type TranslationFindingKind = z.infer<typeof TranslationFindingKind>

export const TranslationFinding = z
  .object({
    object: z.literal('translation-finding'),
    id: Id,
    kind: TranslationFindingKind,
    status: z.enum(['open', 'resolved']),
    page: z.object({ id: Id, title: z.string() }).optional().describe('Absent for reusable contents'),
    reusableContent: Id.optional(),
    block: z.string().optional().describe('Key of the block; absent for fields of the page, for example its title'),
    field: z.string().optional().describe('Name of the field of the page or block'),
    source: z.string().describe('Text of the source'),
    machine: z.string().describe('Translation of the engine; empty if the engine returned none'),
    current: z.string().describe('Text in the translation when the finding was created'),
    message: z.string().optional(),
    run: Id.describe('ID of the run that created the finding'),
    resolvedAt: Timestamp.optional(),
    createdAt: Timestamp,
    urls: z.object({ location: z.url() }),
  })
  .meta({ id: 'TranslationFinding' })
export type TranslationFinding = z.infer<typeof TranslationFinding>

const GlossaryText = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .regex(/^[^\n\r]*$/, 'must be one line')

const LanguageKey = z
  .string()
  .refine((key) => languages.some((language) => language === key), 'must be a language code, for example fr')

export const GlossaryTranslations = limitedRecord(LanguageKey, GlossaryText, languages.length).describe(
  'Terms by language code',
)

export const GlossaryEntry = z
  .object({
    object: z.literal('glossary-entry'),
    id: Id,
    translations: GlossaryTranslations,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: z.object({ location: z.url() }),
  })
  .meta({ id: 'GlossaryEntry' })
export type GlossaryEntry = z.infer<typeof GlossaryEntry>

export const TranslationEngineKind = z.enum(['openai', 'deepl', 'libretranslate']).meta({ id: 'TranslationEngineKind' })

export const TranslationEngineSettings = z
  .object({
    object: z.literal('translation-engine'),
    origin: z
      .enum(['organization', 'server', 'none'])
      .describe('Whether the organization or the server configures the engine'),
    kind: z.string().optional().describe('Absent if no engine is configured'),
    url: HttpUrl.optional().describe('Absent for engines of the server'),
    model: z.string().optional(),
    hasKey: z.boolean(),
    usage: z
      .object({ month: z.string(), characters: Count, tokens: Count })
      .describe('Usage of the organization in this month'),
    urls: z.object({ location: z.url() }),
  })
  .meta({ id: 'TranslationEngine' })
export type TranslationEngineSettings = z.infer<typeof TranslationEngineSettings>
