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

/** Accepted texts of a reply, and the cost of the reply. */
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
  /** Stores translated texts. */
  store: (portion: TranslatedPortion) => Promise<void>
  budget: Budget
  /** Delay before the first retry in milliseconds, if the engine asks for none; it doubles with each further one. */
  retryDelay?: number | undefined
}

/** Text whose translation has a problem. */
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
  /** Time at which requests may be sent again after a failure. */
  #pausedUntil = 0

  constructor(options: TextTranslatorOptions) {
    this.#options = options
  }

  /** Returns the translations of the texts of items; texts without a usable translation are missing. */
  async translate(items: readonly ChangedItem[]): Promise<ReadonlyMap<string, string>> {
    const { find, engine } = this.#options
    const texts = new Set(items.flatMap((item) => item.texts.map(({ text }) => text)))
    const stored = [...(await find([...texts]))]
    const found = new Map(stored.filter(([text, translation]) => this.#isReusable(text, translation)))
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

  /** Whether a stored translation contains the terms of the glossary, which may have changed since then. */
  #isReusable(text: string, translation: string): boolean {
    const terms = this.#options.terms.find(plainTextOf(text))
    return this.problems.has(text) || findMissingTerms(terms, plainTextOf(translation)).length === 0
  }

  /** Translates a portion. Each reply is stored at once, so that nothing is sent again if a later request fails. */
  async #translatePortion({ texts, context }: TextPortion): Promise<ReadonlyMap<string, string>> {
    const first = await this.#request({ texts, context })
    const retried = texts.filter((text) => first.problems.has(text))
    const good = new Map([...first.usable].filter(([text]) => !first.problems.has(text)))
    const words = texts.reduce((sum, text) => sum + countWords(text), 0)
    await this.#store(good, first.reply, { texts: texts.length, words })
    if (retried.length === 0) {
      this.#uselessPortions = 0
      return good
    }
    const second = await this.#request({ texts: retried, context }, first.problems)
    const better = new Map(
      retried.flatMap((text): [string, string][] => {
        const translation = second.usable.get(text) ?? first.usable.get(text)
        return translation === undefined ? [] : [[text, translation]]
      }),
    )
    await this.#store(better, second.reply, { texts: 0, words: 0 })
    for (const [text, message] of second.problems)
      this.problems.set(text, { kind: better.has(text) ? 'glossary' : 'not-translated', message })
    this.#countUseless(good.size + better.size === 0, second.problems)
    return new Map([...good, ...better])
  }

  #store(
    translations: ReadonlyMap<string, string>,
    { characters, tokens = 0 }: TranslationReply,
    counts: Pick<TranslatedPortion, 'texts' | 'words'>,
  ): Promise<void> {
    return this.#options.store({ translations, ...counts, characters, tokens })
  }

  #countUseless(isUseless: boolean, problems: ReadonlyMap<string, string>): void {
    this.#uselessPortions = isUseless ? this.#uselessPortions + 1 : 0
    if (this.#uselessPortions < maxUselessPortions) return
    const [problem = ''] = problems.values()
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
    const { budget, retryDelay = seconds(1) } = this.#options
    const characters = countCharacters(texts)
    for (let attempt = 1; ; attempt++) {
      await this.#waitForEngine()
      budget.reserve(characters)
      try {
        return await send()
      } catch (error) {
        if (error instanceof EngineError && error.failure === 'invalid-reply')
          return { texts: texts.map(() => undefined), characters }
        budget.release(characters)
        if (!(error instanceof EngineError) || error.failure === 'rejected') throw error
        if (attempt === maxAttempts) throw error
        const delay = error.retryAfter ?? Math.min(maxRetryDelay, retryDelay * 2 ** (attempt - 1))
        this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + delay)
      }
    }
  }

  /** Waits until requests may be sent again; a pause applies to all concurrent requests of the run. */
  async #waitForEngine(): Promise<void> {
    const { signal } = this.#options
    signal.throwIfAborted()
    const delay = this.#pausedUntil - performance.now()
    if (delay <= 0) return
    await setTimeout(delay, undefined, { signal })
    await this.#waitForEngine()
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
