import type { TranslationEngineSettings } from '../../contract/translation.ts'
import type { TranslationUsage } from '../../domain/translations/usage-store.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'

/** Data about the engine of the server that organizations can see. */
export interface ServerEngine {
  kind: string
  model?: string
}

export interface EngineToPresent {
  organizationId: string
  own: Row<'translation_engines'> | undefined
  server: ServerEngine | undefined
  usage: TranslationUsage
}

/** Presents the engine that an organization uses, without its key. */
export function presentEngine(
  { organizationId, own, server, usage }: EngineToPresent,
  urls: Urls,
): TranslationEngineSettings {
  return {
    object: 'translation-engine',
    ...(own ? presentOwn(own) : presentServer(server)),
    usage,
    urls: { location: urls.api(`/orgs/${organizationId}/translation-engine`) },
  }
}

const presentOwn = ({ kind, url, model, sealed_key }: Row<'translation_engines'>) => ({
  origin: 'organization' as const,
  kind,
  url,
  ...(model !== null && { model }),
  hasKey: sealed_key !== null,
})

function presentServer(server: ServerEngine | undefined) {
  if (!server) return { origin: 'none' as const, hasKey: false }
  const { kind, model } = server
  return { origin: 'server' as const, kind, ...(model !== undefined && { model }), hasKey: false }
}
