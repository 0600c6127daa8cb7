import type { BaseContext } from '../../kernel/context.ts'
import type { TranslationEngine } from '../../translators/engine.ts'

/** What translations need of the server. */
export interface TranslationServices {
  /** Returns the engine of an organization; undefined if none is configured. */
  resolveEngine: (
    context: Pick<BaseContext, 'db' | 'sealer'>,
    organizationId: string,
  ) => Promise<TranslationEngine | undefined>
  /** Maximum number of characters that an organization may send in a month; undefined for no limit. */
  monthlyCharacters: number | undefined
  /** Delay before the first retry of a request, in milliseconds. */
  retryDelay?: number | undefined
  /** What people read if no engine is configured. */
  missingEngineMessage: string
}
