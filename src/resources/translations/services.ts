import type { ResolveEngine } from '../../domain/translations/engines.ts'

/** Services of the server that translations need. */
export interface TranslationServices {
  resolveEngine: ResolveEngine
  config: {
    translation: {
      /** Maximum number of characters that an organization may send to the engine of the server in a month; 0 for no limit. */
      monthlyCharacters: number
    }
  }
}

/** Message if no engine is configured. */
export const missingEngineMessage =
  'No translation engine is configured. Set OCTAVO_TRANSLATION on the server, or an engine of the organization with PUT /v1/orgs/{organizationId}/translation-engine'
