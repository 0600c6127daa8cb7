import { findSpace, requireRole } from '../../access/authorize.ts'
import { isActionAllowed } from '../../contract/roles.ts'
import { translations } from '../../contract/translations.ts'
import {
  type AuditEventValues,
  recordEventAbout,
  recordOrganizationEvent,
} from '../../domain/audit/record-event-about.ts'
import * as findings from '../../domain/translations/finding-store.ts'
import { requireCreateBeside } from '../../domain/spaces/require-create-beside.ts'
import { findSpaceRoles } from '../../domain/spaces/space-queries.ts'
import { clearTranslationMemory } from '../../domain/translations/translation-memory.ts'
import * as store from '../../domain/translations/translation-store.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Translation } from '../../contract/translation.ts'
import type { OrganizationContext, SpaceContext } from '../../kernel/context.ts'
import { conflict, invalid, notFound, unknownReference } from '../../kernel/errors.ts'
import { type OperationInput, implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { presentFinding, presentRun, presentTranslation } from './present.ts'
import { resolveFinding } from './resolve-finding.ts'
import { setMissingLanguage } from './source-language.ts'
import { type TranslationServices, missingEngineMessage } from './services.ts'
import { defaultSettings, toAuditedSettings, toSettingsRow } from './settings.ts'
import { startRun } from './start-run.ts'

type CreateBody = OperationInput<typeof translations.createTranslation>['body']

export const translationRoutes = (services: TranslationServices) =>
  implement(translations, {
    async listTranslations(context, { query }) {
      const { db, viewer } = context
      const rows = await store.findTranslations(db, viewer, {
        after: decodeCursor(query.page, 1),
        limit: query.limit,
      })
      return toPage(
        rows,
        query,
        await store.countTranslations(db, viewer),
        (row) => [row.id],
        await createPresenter(context, rows),
      )
    },

    async createTranslation(context, { body }) {
      const { db, organization, principal } = context
      const source = await requireSource(context, body)
      const translation = await insertTranslation(context, body)
      await setMissingLanguage(context, source, body.source.language)
      await recordTranslationEvent(context, source.title, translation, 'translation.create', {
        after: { source: body.source, language: body.language, ...toAuditedSettings(translation) },
      })
      if (!(await services.resolveEngine(context, organization.id))) return present(context, translation)
      await startRun(context, translation, principal.user.id)
      return present(context, (await store.findTranslation(db, translation)) as store.TranslationRow)
    },

    async getTranslation(context, { params }) {
      return present(context, await getTranslation(context, params.translationId))
    },

    async updateTranslation(context, { params, body }) {
      const translation = await getTranslation(context, params.translationId)
      const { space } = await requireEditor(context, translation)
      const updated = await store.updateTranslation(context.db, translation, {
        ...toSettingsRow(body),
        updated_at: context.now(),
      })
      await recordTranslationEvent(context, space.title, translation, 'translation.update', {
        before: toAuditedSettings(translation),
        after: toAuditedSettings(updated),
      })
      return present(context, updated)
    },

    async deleteTranslation(context, { params }) {
      const translation = await store.findVisibleTranslation(context.db, context.viewer, params.translationId)
      if (!translation) return
      const space = await findEditedSource(context, translation)
      requireRole('space', 'create', space?.role ?? context.role)
      await store.deleteTranslation(context.db, translation)
      await recordTranslationEvent(context, space?.space.title ?? '', translation, 'translation.delete')
    },

    async runTranslation(context, { params }) {
      const { organization, principal } = context
      const translation = await getTranslation(context, params.translationId)
      const { space } = await requireEditor(context, translation)
      if (!(await services.resolveEngine(context, organization.id))) throw conflict(missingEngineMessage)
      if (await startRun(context, translation, principal.user.id))
        await recordTranslationEvent(context, space.title, translation, 'translation.run')
    },

    async cancelTranslationRun(context, { params }) {
      const { db, now } = context
      const translation = await getTranslation(context, params.translationId)
      const { space } = await requireEditor(context, translation)
      const run = await store.findActiveRun(db, translation)
      if (!run) return
      const end = { status: 'cancelled', failure: 'The run was cancelled' } as const
      if (!(await store.endRun(db, run, end, now()))) return
      await recordTranslationEvent(context, space.title, translation, 'translation.cancel')
    },

    async listTranslationRuns(context, { params, query }) {
      const translation = await getTranslation(context, params.translationId)
      const after = decodeCursor(query.page, 1)
      return toPage(
        await store.findRuns(context.db, translation, { after, limit: query.limit }),
        query,
        await store.countRuns(context.db, translation),
        (run) => [run.id],
        (run) => presentRun(run, context.urls),
      )
    },

    async getTranslationRun(context, { params }) {
      const translation = await getTranslation(context, params.translationId)
      const run = await store.findRun(context.db, translation, params.runId)
      if (!run) throw notFound('run')
      return presentRun(run, context.urls)
    },

    async listTranslationFindings(context, { params, query }) {
      const translation = await getTranslation(context, params.translationId)
      await requireResultReader(context, translation)
      const { status, limit } = query
      const after = decodeCursor(query.page, 1)
      return toPage(
        await findings.findFindings(context.db, translation, { status, after, limit }),
        query,
        await findings.countFindings(context.db, translation, { status }),
        (finding) => [finding.id],
        (finding) => presentFinding(finding, context.urls),
      )
    },

    async resolveTranslationFinding(context, { params, body }) {
      const translation = await getTranslation(context, params.translationId)
      const finding = await findings.findFinding(context.db, translation, params.findingId)
      if (!finding) throw notFound('finding')
      const { space } = await requireEditor(context, translation)
      await requireResultReader(context, translation)
      const resolved = await resolveFinding(context, translation, finding, body.use)
      await recordTranslationEvent(context, space.title, translation, 'translation.resolve', {
        after: { finding: finding.id, use: body.use },
      })
      return presentFinding(resolved, context.urls)
    },

    async clearTranslationMemory(context, { query }) {
      await clearTranslationMemory(context.db, context.organization.id, query.language)
      await recordOrganizationEvent(context, context.organization, 'translation.clear-memory', {
        after: { language: query.language ?? 'all' },
      })
    },
  })

const present = async (context: OrganizationContext, row: store.TranslationRow): Promise<Translation> =>
  (await createPresenter(context, [row]))(row)

/** Returns a function that presents translations, after reading the data of their replies besides their rows. */
async function createPresenter(
  { db, viewer, organization, urls }: OrganizationContext,
  rows: readonly store.TranslationRow[],
): Promise<(row: store.TranslationRow) => Translation> {
  const ids = rows.map(({ id }) => id)
  const pages = await store.countTranslatedPages(db, organization.id, ids)
  const openFindings = await findings.countOpenFindings(db, organization.id, ids)
  const roles = await findSpaceRoles(db, viewer, [...new Set(rows.map((row) => row.source_space_id))])
  return (row) =>
    presentTranslation(
      row,
      {
        pages: pages.get(row.id) ?? 0,
        openFindings: openFindings.get(row.id) ?? 0,
        canEdit: isActionAllowed('space', 'create', roles.get(row.source_space_id) ?? null),
      },
      urls,
    )
}

async function getTranslation({ db, viewer }: OrganizationContext, id: string): Promise<store.TranslationRow> {
  const translation = await store.findVisibleTranslation(db, viewer, id)
  if (!translation) throw notFound('translation')
  return translation
}

const findEditedSource = ({ db, viewer }: OrganizationContext, { source_space_id }: store.TranslationRow) =>
  findSpace(db, viewer.userId, source_space_id, true)

/** Fails unless the caller may translate the source space, and the space is not in the trash. */
async function requireEditor(
  context: OrganizationContext,
  translation: store.TranslationRow,
): Promise<Pick<SpaceContext, 'space' | 'role'>> {
  const found = await findEditedSource(context, translation)
  if (!found) throw notFound('translation')
  requireRole('space', 'create', found.role)
  if (found.space.deleted_at !== null) throw conflict('The source space is in the trash. Restore it first')
  return found
}

/** Fails unless the caller can read the translated space, whose texts are part of findings. */
async function requireResultReader(
  { db, viewer }: OrganizationContext,
  { result_space_id: spaceId }: store.TranslationRow,
): Promise<void> {
  if (spaceId !== null && !(await findSpace(db, viewer.userId, spaceId, true))) throw notFound('translated space')
}

/** Checks the source of a new translation; returns the space. */
async function requireSource(
  { db, viewer, organization }: OrganizationContext,
  { source, language }: CreateBody,
): Promise<SpaceContext['space']> {
  if (source.language === language) throw invalid('body.language', 'must differ from the language of the source')
  const found = await findSpace(db, viewer.userId, source.space)
  if (!found || found.space.organization_id !== organization.id) throw unknownReference('body.source.space', 'space')
  requireRole('space', 'create', found.role)
  await requireCreateBeside({ db, ...found })
  if (await store.findTranslationOfResult(db, found.space))
    throw invalid('body.source.space', 'must not be the result of another translation. Translate its source instead')
  return found.space
}

async function insertTranslation(
  { db, organization, principal, newId, now }: OrganizationContext,
  body: CreateBody,
): Promise<store.TranslationRow> {
  const { source, language } = body
  try {
    return await store.insertTranslation(db, {
      organization_id: organization.id,
      id: newId(),
      source_space_id: source.space,
      source_language: source.language,
      language,
      status: 'pending',
      failure: null,
      result_space_id: null,
      result_revision_id: null,
      source_root_hash: null,
      machine_root_hash: null,
      pending_change_request_id: null,
      pending_source_root_hash: null,
      pending_machine_root_hash: null,
      run_count: 0,
      total_words: 0,
      total_characters: 0,
      total_tokens: 0,
      total_duration: 0,
      latest_duration: 0,
      latest_pages: 0,
      latest_words: 0,
      created_by: principal.user.id,
      created_at: now(),
      updated_at: now(),
      ...defaultSettings,
      ...toSettingsRow(body),
    })
  } catch (error) {
    throw isUniqueViolation(error, 'translations_source')
      ? conflict(`The space already has a translation into ${language}`)
      : error
  }
}

const recordTranslationEvent = (
  context: OrganizationContext,
  title: string,
  { organization_id, id, language }: store.TranslationRow,
  action: AuditAction,
  values?: AuditEventValues,
) => recordEventAbout(context, 'translation', { organization_id, id, title: `${title} (${language})` }, action, values)
