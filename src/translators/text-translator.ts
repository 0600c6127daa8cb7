import { setTimeout } from 'node:timers/promises'
import type { Language } from '../contract/space.ts'
import { seconds } from '../kernel/time.ts'
import { findTextProblem } from '../translation/check-text.ts'
import { type Term, type TermFinder, findMissingTerms } from '../translation/glossary.ts'
import { parseMarkup, textOfMarkup } from '../translation/markup.ts'
import type { TextLocation } from '../translation/translate-document.ts'
import type { ChangedItem, TextOwner } from '../translation/translate-tree.ts'
import { EngineError, type TranslationEngine, type TranslationReply } from './engine.ts'
import type { Budget } from './budget.ts'
import { type TextPortion, toPortions } from './text-portions.ts'

/** What was accepted of a reply, and what it cost. */
export interface TranslatedPortion {
  translations: ReadonlyMap<string, string>
  texts: number
  words: number
  characters: number
  tokens: number
}

export interface TextTranslatorOptions {
  engine: TranslationEngine
  source: Language
  target: Language
  instructions: string
  terms: TermFinder
  signal: AbortSignal
  /** Finds translations that are stored. */
  find: (texts: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Stores what was translated. */
  store: (portion: TranslatedPortion) => Promise<void>
  budget: Budget
  /** Delay before the first retry, in milliseconds; it doubles with each further one. */
  retryDelay?: number | undefined
}

/** A text whose translation has a problem. */
export interface TextProblem {
  kind: 'not-translated' | 'glossary'
  message: string
}

/** A text of the source whose translation has a problem. */
export interface LocatedProblem extends TextProblem {
  owner: TextOwner
  location: TextLocation
  text: string
}

const maxAttempts = 6
const maxRetryDelay = seconds(60)

/** Number of successive requests without a usable translation after which a run fails instead of continuing to cost money. */
const maxUselessPortions = 5

/** Translates texts with an engine, each only once, and checks the translations. */
export class TextTranslator {
  /** Problems by text. */
  readonly problems = new Map<string, TextProblem>()
  readonly #options: TextTranslatorOptions
  #uselessPortions = 0

  constructor(options: TextTranslatorOptions) {
    this.#options = options
  }

  /** Returns the translations of the texts of items; texts without a usable translation are missing. */
  async translate(items: readonly ChangedItem[]): Promise<ReadonlyMap<string, string>> {
    const { find, engine } = this.#options
    const texts = new Set(items.flatMap((item) => item.texts.map(({ text }) => text)))
    const found = new Map(await find([...texts]))
    const isMissing = (text: string) => !found.has(text) && this.problems.get(text)?.kind !== 'not-translated'
    const portions = toPortions(items, isMissing, engine.limits)
    await forEachConcurrently(portions, engine.limits.concurrency, async (portion) => {
      for (const [text, translation] of await this.#translatePortion(portion)) found.set(text, translation)
    })
    return found
  }

  /** Returns the problems of the texts of an item that was translated. */
  findProblems({ owner, texts }: ChangedItem): LocatedProblem[] {
    return texts.flatMap(({ text, location }) => {
      const problem = this.problems.get(text)
      return problem ? [{ ...problem, owner, location, text }] : []
    })
  }

  async #translatePortion(portion: TextPortion): Promise<ReadonlyMap<string, string>> {
    const { store } = this.#options
    const first = await this.#request(portion)
    const retried = portion.texts.filter((text) => first.problems.has(text))
    const second =
      retried.length === 0 ? undefined : await this.#request({ ...portion, texts: retried }, first.problems)
    const translations = new Map([...first.usable, ...(second?.usable ?? [])])
    for (const text of retried) this.#recordProblem(text, translations.has(text), first, second)
    this.#countUseless(translations.size === 0, retried, second ?? first)
    const replies = [first, ...(second ? [second] : [])].map(({ reply }) => reply)
    await store({
      translations,
      texts: portion.texts.length,
      words: portion.texts.reduce((sum, text) => sum + countWords(text), 0),
      characters: replies.reduce((sum, { characters }) => sum + characters, 0),
      tokens: replies.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
    })
    return translations
  }

  #recordProblem(text: string, isUsable: boolean, first: CheckedReply, second: CheckedReply | undefined): void {
    const message = second?.problems.get(text)
    if (message === undefined && isUsable) return
    this.problems.set(text, {
      kind: isUsable ? 'glossary' : 'not-translated',
      message: message ?? first.problems.get(text) ?? '',
    })
  }

  #countUseless(isUseless: boolean, texts: readonly string[], { problems }: CheckedReply): void {
    this.#uselessPortions = isUseless ? this.#uselessPortions + 1 : 0
    if (this.#uselessPortions < maxUselessPortions) return
    const problem = texts.map((text) => problems.get(text)).find((message) => message !== undefined) ?? ''
    throw new EngineError(
      'invalid-reply',
      `The translation engine returned no usable translation ${maxUselessPortions} times in a row. The last problem: ${problem}`,
    )
  }

  /** Sends texts, again if a failure is temporary, and checks the reply. */
  async #request(portion: TextPortion, problems?: ReadonlyMap<string, string>): Promise<CheckedReply> {
    const { engine, source, target, instructions, terms } = this.#options
    const { texts, context } = portion
    const wanted = new Map(texts.map((text) => [text, terms.find(plainTextOf(text))]))
    const reply = await this.#send(texts, () =>
      engine.translate(
        {
          source,
          target,
          texts,
          terms: [...new Set([...wanted.values()].flat())],
          instructions,
          context,
          ...(problems && { problems: new Map(texts.map((text, index) => [index, problems.get(text) ?? ''])) }),
        },
        this.#options.signal,
      ),
    )
    return checkReply(texts, reply, wanted, { source, target })
  }

  async #send(texts: readonly string[], send: () => Promise<TranslationReply>): Promise<TranslationReply> {
    const { signal, budget, retryDelay = seconds(1) } = this.#options
    const characters = countCharacters(texts)
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      budget.reserve(characters)
      try {
        return await send()
      } catch (error) {
        if (error instanceof EngineError && error.failure === 'invalid-reply')
          return { texts: texts.map(() => undefined), characters }
        budget.release(characters)
        if (!(error instanceof EngineError) || error.failure === 'rejected') throw error
        if (attempt === maxAttempts) throw error
        const delay = Math.min(maxRetryDelay, error.retryAfter ?? retryDelay * 2 ** (attempt - 1))
        await setTimeout(delay, undefined, { signal })
      }
    }
  }
}

interface CheckedReply {
  reply: TranslationReply
  /** Translations whose structure is that of the source. */
  usable: ReadonlyMap<string, string>
  /** What should be better, by text; also for usable ones that lack terms of the glossary. */
  problems: ReadonlyMap<string, string>
}

function checkReply(
  texts: readonly string[],
  reply: TranslationReply,
  terms: ReadonlyMap<string, readonly Term[]>,
  languages: { source: Language; target: Language },
): CheckedReply {
  const usable = new Map<string, string>()
  const problems = new Map<string, string>()
  for (const [index, text] of texts.entries()) {
    const translation = reply.texts[index]
    const problem = findTextProblem(text, translation, languages)
    if (problem !== undefined || translation === undefined) {
      problems.set(text, problem ?? '')
      continue
    }
    usable.set(text, translation)
    const missing = findMissingTerms(terms.get(text) ?? [], plainTextOf(translation))
    if (missing.length > 0) problems.set(text, missing.map(describeTerm).join('. '))
  }
  return { reply, usable, problems }
}

const describeTerm = ({ source, target }: Term): string => `The glossary translates “${source}” as “${target}”`

const plainTextOf = (text: string): string => textOfMarkup(parseMarkup(text))

const countCharacters = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

const countWords = (text: string): number => plainTextOf(text).match(/[\p{L}\p{N}]+/gu)?.length ?? 0

/** Runs work for each item, at most a number of them at the same time; after a failure, no further work is started. */
async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  let hasFailed = false
  const runs = Array.from({ length: Math.min(concurrency, items.length) }, async () => {
    for (const item of queue) {
      if (hasFailed) return
      try {
        await work(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  })
  const results = await Promise.allSettled(runs)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
