import { z } from 'zod'
import { JsonDocument } from './document.ts'
import { operation } from './operation.ts'
import { HttpUrl, Id, ListQuery, paginated } from './shared.ts'
import {
  GlossaryEntry,
  GlossaryTranslations,
  Translation,
  TranslationEngineKind,
  TranslationEngineSettings,
  TranslationFinding,
  TranslationLanguage,
  TranslationRun,
  TranslationSource,
  translationSettings,
} from './translation.ts'

const read = { access: 'organization:listMembers', scope: 'organization:read' } as const
const write = { access: 'organization:createContent', scope: 'organization:write' } as const
const administer = { access: 'organization:admin', scope: 'organization:write' } as const

const optionalSettings = z.object(translationSettings).partial().shape

const visible = 'Only members who can read the source space see a translation.'

/** Maximum number of changes of the glossary in one request. */
const maxGlossaryOperations = 1000

export const translations = {
  listTranslations: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/translations',
    summary: 'List translations',
    description: `Sorted by creation time, newest first. ${visible}`,
    ...read,
    query: ListQuery,
    reply: paginated(Translation),
  }),
  createTranslation: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/translations',
    summary: 'Create a translation',
    description:
      'Translates a space into another language, as a new space. Requires the role `create` in the source space. A space has at most one translation for each language. If the source space has no language, it gets the language in `source`. A run starts if an engine is configured; otherwise the status is `pending`.',
    ...write,
    body: z.object({
      language: TranslationLanguage,
      source: TranslationSource,
      instructions: JsonDocument.optional(),
      ...optionalSettings,
    }),
    status: 201,
    reply: Translation,
    errors: [404, 409],
  }),
  getTranslation: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/translations/{translationId}',
    summary: 'Get a translation',
    ...read,
    reply: Translation,
    errors: [404],
  }),
  updateTranslation: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/translations/{translationId}',
    summary: 'Update a translation',
    description:
      'Changed instructions apply only to texts that are translated afterwards. Settings that are omitted do not change.',
    ...write,
    body: z.object({ instructions: JsonDocument.optional(), ...optionalSettings }),
    reply: Translation,
    errors: [404],
  }),
  deleteTranslation: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/translations/{translationId}',
    summary: 'Delete a translation',
    description: 'Cancels its run. The translated space remains as an ordinary space.',
    ...write,
  }),
  runTranslation: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/translations/{translationId}/run',
    summary: 'Run a translation',
    description:
      'Translates what has changed in the source since the latest run. Edits of the translated space are kept. Has no effect while a run is waiting or running.',
    ...write,
    status: 204,
    errors: [404, 409],
  }),
  cancelTranslationRun: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/translations/{translationId}/cancel',
    summary: 'Cancel the run of a translation',
    description: 'Has no effect if no run is waiting or running. Texts that were translated already are reused later.',
    ...write,
    status: 204,
    errors: [404],
  }),
  listTranslationRuns: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/translations/{translationId}/runs',
    summary: 'List the runs of a translation',
    description: 'Sorted by creation time, newest first. The newest 100 runs are kept.',
    ...read,
    query: ListQuery,
    reply: paginated(TranslationRun),
    errors: [404],
  }),
  getTranslationRun: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/translations/{translationId}/runs/{runId}',
    summary: 'Get a run of a translation',
    ...read,
    reply: TranslationRun,
    errors: [404],
  }),
  listTranslationFindings: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/translations/{translationId}/findings',
    summary: 'List the findings of a translation',
    description: 'Sorted by creation time, oldest first.',
    ...read,
    query: ListQuery.extend({ status: z.enum(['open', 'resolved']).optional() }),
    reply: paginated(TranslationFinding),
    errors: [404],
  }),
  resolveTranslationFinding: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/translations/{translationId}/findings/{findingId}/resolve',
    summary: 'Resolve a finding',
    description:
      '`keep` keeps the text of the translated space. `machine` replaces it with the text of the engine, and requires the role `edit` in the translated space; it returns 409 if the text has changed since the finding.',
    ...write,
    body: z.object({ use: z.enum(['keep', 'machine']) }),
    reply: TranslationFinding,
    errors: [404, 409],
  }),
  clearTranslationMemory: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/translations-memory',
    summary: 'Clear the translation memory',
    description:
      'Deletes the stored translations of texts, for all languages or for one. Translated spaces do not change; texts that occur again are sent to the engine again.',
    ...administer,
    query: z.object({ language: TranslationLanguage.optional() }),
  }),
}

export const glossary = {
  listGlossaryEntries: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/translations-glossary',
    summary: 'List the entries of the glossary',
    description: 'Sorted by the term in the language `orderBy`, or by creation time, newest first.',
    ...read,
    query: ListQuery.extend({ orderBy: TranslationLanguage.optional() }),
    reply: paginated(GlossaryEntry),
  }),
  updateGlossaryEntries: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/translations-glossary',
    summary: 'Update the glossary',
    description:
      'Applies all operations or none. Two entries may not have different translations of one term into the same language (409).',
    ...write,
    body: z.object({
      operations: z
        .array(
          z.discriminatedUnion('type', [
            z.object({ type: z.literal('insert'), translations: GlossaryTranslations }),
            z.object({ type: z.literal('update'), id: Id, translations: GlossaryTranslations }),
            z.object({ type: z.literal('delete'), id: Id }),
          ]),
        )
        .max(maxGlossaryOperations),
    }),
    status: 204,
    errors: [404, 409],
  }),
  getGlossaryEntry: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/translations-glossary/{glossaryEntryId}',
    summary: 'Get an entry of the glossary',
    ...read,
    reply: GlossaryEntry,
    errors: [404],
  }),
}

export const translationEngine = {
  getTranslationEngine: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/translation-engine',
    summary: 'Get the translation engine of an organization',
    description: 'The key is never returned.',
    ...administer,
    scope: 'organization:read',
    reply: TranslationEngineSettings,
  }),
  setTranslationEngine: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/translation-engine',
    summary: 'Set the translation engine of an organization',
    description: 'Replaces the engine of the server for this organization. The key is stored encrypted.',
    ...administer,
    body: z.object({
      kind: TranslationEngineKind,
      url: HttpUrl,
      model: z.string().trim().min(1).max(200).optional(),
      key: z
        .string()
        .trim()
        .max(4096)
        .regex(/^[\x21-\x7e]+$/, 'must consist of ASCII characters without spaces')
        .optional()
        .describe('If it is omitted, the stored key is kept, unless the kind or the host changes'),
    }),
    reply: TranslationEngineSettings,
  }),
  removeTranslationEngine: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/translation-engine',
    summary: 'Remove the translation engine of an organization',
    description: 'The organization then uses the engine of the server, if one is configured.',
    ...administer,
  }),
}
