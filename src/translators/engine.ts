import type { Language } from '../contract/space.ts'

// The interface of translation services. Texts contain markup: `<g id="1">…</g>` encloses text with formatting, and
// `<x id="2"/>` replaces what is not translated. Other occurrences of `<`, `>` and `&` are escaped as in XML.

/** Texts of one page that are translated together. */
export interface TranslationRequest {
  source: Language
  target: Language
  texts: readonly string[]
  /** Terms of the glossary that occur in the texts. */
  terms: readonly GlossaryTerm[]
  /** Instructions of the organization as plain text; empty if there are none. */
  instructions: string
  /** Text that helps to understand the texts and is not translated, for example the title of the page. */
  context: string
  /** Problems of the last reply, by the index of the text, if the texts are sent again. */
  problems?: ReadonlyMap<number, string>
}

/** A term and its required translation. */
export interface GlossaryTerm {
  source: string
  target: string
}

export interface TranslationReply {
  /** Translated texts in the order of the request; undefined where the service returned none. */
  texts: readonly (string | undefined)[]
  /** Number of characters that were sent to be translated, without instructions. */
  characters: number
  /** Number of tokens, if the service counts them. */
  tokens?: number
}

export interface TranslationEngine {
  /** Name in messages and statistics, for example `deepl`. */
  readonly name: string
  readonly limits: EngineLimits
  /** Translates texts; fails with an `EngineError`, including when the signal is aborted. */
  translate(request: TranslationRequest, signal: AbortSignal): Promise<TranslationReply>
}

export interface EngineLimits {
  /** Maximum number of texts of one request. */
  texts: number
  /** Maximum number of characters of one request; a longer text is sent alone. */
  characters: number
  /** Maximum number of concurrent requests. */
  concurrency: number
}

/**
 * Why a request failed: the service asks to wait, is not reachable or has an internal error, returned a reply that cannot be
 * read, or does not accept the configuration (key, model, language, quota).
 */
export type EngineFailure = 'rate-limited' | 'unavailable' | 'invalid-reply' | 'rejected'

export class EngineError extends Error {
  readonly failure: EngineFailure
  /** Number of milliseconds to wait before the next request, if the service returned it. */
  readonly retryAfter: number | undefined

  constructor(failure: EngineFailure, message: string, retryAfter?: number) {
    super(message)
    this.name = 'EngineError'
    this.failure = failure
    this.retryAfter = retryAfter
  }
}
