import type { BodyOf } from '../../contract/operation.ts'
import { translationEngine } from '../../contract/translations.ts'
import { recordOrganizationEvent } from '../../domain/audit/record-event-about.ts'
import { deleteEngine, findEngine, saveEngine } from '../../domain/translations/engine-store.ts'
import type { ServerEngineConfig } from '../../domain/translations/engines.ts'
import { getTranslationUsage } from '../../domain/translations/usage-store.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import type { Row } from '../../schema/tables.ts'
import { type ServerEngine, presentEngine } from './present.ts'

export interface TranslationEngineServices {
  config: { translation: ServerEngineConfig }
}

type EngineRow = Row<'translation_engines'>
type SetEngine = BodyOf<typeof translationEngine.setTranslationEngine>

export function translationEngineRoutes({ config }: TranslationEngineServices) {
  const server = toServerEngine(config.translation)

  const present = async ({ db, organization, now, urls }: OrganizationContext, own: EngineRow | undefined) => {
    const usage = await getTranslationUsage(db, organization.id, now())
    return presentEngine({ organizationId: organization.id, own, server, usage }, urls)
  }

  return implement(translationEngine, {
    async getTranslationEngine(context) {
      return present(context, await findEngine(context.db, context.organization.id))
    },

    async setTranslationEngine(context, { body }) {
      const { db, organization, sealer, now } = context
      const before = await findEngine(db, organization.id)
      const url = parseUrlField(body.url)
      const sealedKey = body.key === undefined ? findReusableKey(before, body.kind, url) : sealer.seal(body.key)
      assertComplete(body, sealedKey)
      const engine: EngineRow = {
        organization_id: organization.id,
        kind: body.kind,
        url,
        model: body.model ?? null,
        sealed_key: sealedKey,
        updated_at: now(),
      }
      await saveEngine(db, engine)
      await recordOrganizationEvent(context, organization, 'translation-engine.set', {
        before: before ? toAuditedSettings(before) : {},
        after: { ...toAuditedSettings(engine), ...(body.key !== undefined && { key: 'replaced' }) },
      })
      return present(context, engine)
    },

    async removeTranslationEngine(context) {
      const { db, organization } = context
      const before = await findEngine(db, organization.id)
      if (!before) return
      await deleteEngine(db, organization.id)
      await recordOrganizationEvent(context, organization, 'translation-engine.remove', {
        before: toAuditedSettings(before),
      })
    },
  })
}

function toServerEngine({ engine }: ServerEngineConfig): ServerEngine | undefined {
  return engine && { kind: engine.kind, ...(engine.kind === 'openai' && { model: engine.model }) }
}

/** Returns the URL without a trailing slash. Paths are appended to it, and it is shown, so it contains nothing else. */
function parseUrlField(value: string): string {
  const { username, password, search, hash, href } = new URL(value)
  if (username !== '' || password !== '') throw invalid('body.url', 'must not contain a user name or a password')
  if (search !== '' || hash !== '') throw invalid('body.url', 'must not have a query string or a fragment')
  return href.replace(/[?#]*$/, '').replace(/\/+$/, '')
}

/** Returns the stored key if it is sent to the same server as before. */
function findReusableKey(before: EngineRow | undefined, kind: EngineRow['kind'], url: string): string | null {
  const isSameServer = before && before.kind === kind && new URL(before.url).origin === new URL(url).origin
  return isSameServer ? before.sealed_key : null
}

function assertComplete({ kind, model }: SetEngine, sealedKey: string | null): void {
  if (kind === 'openai' && model === undefined) throw invalid('body.model', 'is required for openai')
  if (kind !== 'openai' && model !== undefined) throw invalid('body.model', `is not supported by ${kind}`)
  if (kind === 'deepl' && sealedKey === null) throw invalid('body.key', 'is required for deepl')
}

/** Returns the settings that the audit log compares, without the key. */
const toAuditedSettings = ({ kind, url, model, sealed_key }: EngineRow) => ({
  kind,
  url,
  model,
  key: sealed_key === null ? 'none' : 'stored',
})
