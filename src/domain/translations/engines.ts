import type { Fetch } from '../../fetch/fetch.ts'
import type { BaseContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { type EngineSettings, type ServiceSettings, createEngine } from '../../translators/create-engine.ts'
import { EngineError, type TranslationEngine } from '../../translators/engine.ts'
import { findEngine } from './engine-store.ts'

/** Translation engine, and whether the organization or the server configures it. */
export interface ResolvedEngine extends TranslationEngine {
  origin: 'organization' | 'server'
}

/** Returns the engine that an organization uses: its own, or else the one of the server; undefined if there is none. */
export type ResolveEngine = (
  context: Pick<BaseContext, 'db' | 'sealer'>,
  organizationId: string,
) => Promise<ResolvedEngine | undefined>

/** Settings of the operator that the resolution of engines needs. */
export interface ServerEngineConfig {
  engine: EngineSettings | undefined
  timeout: number
  concurrency: number
}

export interface EngineServices {
  /** Fetches URLs of organizations. */
  fetch: Fetch
  /** Fetches URLs that the operator has configured, which may be in a private network. */
  operatorFetch: Fetch
  translation: ServerEngineConfig
}

/** Creates the function that finds the engine of an organization. */
export function createEngineResolver({ fetch, operatorFetch, translation }: EngineServices): ResolveEngine {
  const { engine: settings, timeout, concurrency } = translation
  const serverEngine = settings && createEngine(settings, { fetch: operatorFetch, timeout, concurrency })
  return async ({ db, sealer }, organizationId) => {
    const row = await findEngine(db, organizationId)
    if (row) return { ...createOwnEngine(row, sealer, fetch), origin: 'organization' }
    return serverEngine && { ...serverEngine, origin: 'server' }
  }
}

function createOwnEngine(
  row: Row<'translation_engines'>,
  sealer: BaseContext['sealer'],
  fetch: Fetch,
): TranslationEngine {
  const key = row.sealed_key === null ? undefined : sealer.open(row.sealed_key)
  const engine = createEngine(toServiceSettings(row, key), { fetch, showsDetails: true })
  return row.sealed_key !== null && key === undefined ? withoutKey(engine) : engine
}

function toServiceSettings({ kind, url, model }: Row<'translation_engines'>, key: string | undefined): ServiceSettings {
  return kind === 'openai' ? { kind, url, key, model: model ?? '' } : { kind, url, key }
}

/** Returns an engine that sends nothing, because its key cannot be read. */
function withoutKey({ name, limits }: TranslationEngine): TranslationEngine {
  const message =
    'The stored key of the translation engine cannot be decrypted, because OCTAVO_SECRET_KEY has changed. Set it again'
  return { name, limits, translate: () => Promise.reject(new EngineError('rejected', message)) }
}
