import type { Fetch } from '../fetch/fetch.ts'
import { seconds } from '../kernel/time.ts'
import { type ApertiumOptions, createApertiumEngine } from './apertium.ts'
import { createDeeplEngine } from './deepl.ts'
import type { TranslationEngine } from './engine.ts'
import { createLibreTranslateEngine } from './libretranslate.ts'
import { createOpenAiEngine } from './openai.ts'

/** Settings of a service, by its kind. */
export type ServiceSettings = { url: string; key: string | undefined } & (
  | { kind: 'openai'; model: string }
  | { kind: 'deepl' | 'libretranslate' }
)

/** Settings of an engine. Only the operator may configure a program. */
export type EngineSettings = ServiceSettings | ({ kind: 'apertium' } & Pick<ApertiumOptions, 'environment'>)

export interface EngineOptions {
  fetch: Fetch
  /** Timeout of a request in milliseconds. */
  timeout?: number
  /** Maximum number of concurrent requests. */
  concurrency?: number
  /** Whether errors contain the message of the service, which only those who configured the engine may read. */
  showsDetails?: boolean
}

/** Timeout of a request unless the operator has configured another one. */
export const defaultTimeout = seconds(60)

const defaultConcurrency = 2

/** Creates the engine of the configured kind. */
export function createEngine(settings: EngineSettings, options: EngineOptions): TranslationEngine {
  const { fetch, timeout = defaultTimeout, concurrency = defaultConcurrency, showsDetails = false } = options
  if (settings.kind === 'apertium') return createApertiumEngine({ ...settings, timeout, concurrency, showsDetails })
  const { url, key } = settings
  const connection = { fetch, url, key, timeout, showsDetails }
  switch (settings.kind) {
    case 'openai':
      return createOpenAiEngine({ connection, model: settings.model, concurrency })
    case 'deepl':
      return createDeeplEngine(connection, concurrency)
    case 'libretranslate':
      return createLibreTranslateEngine(connection, concurrency)
  }
}
