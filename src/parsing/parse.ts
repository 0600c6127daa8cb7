import { availableParallelism } from 'node:os'
import { DocumentTooLargeError } from '../content/document/limits.ts'
import { type DeferredPage, lookedUp } from '../content/markdown/deferred.ts'
import type { ReadPage } from '../content/markdown/read-page.ts'
import { verbatim } from '../content/markdown/references.ts'
import type { LongTexts } from '../content/repository/import-texts.ts'
import { AppError } from '../kernel/errors.ts'
import { ThreadError, ThreadPool } from '../threads/pool.ts'
import type { ParseResult, ParseTask } from './parse-worker.ts'

/** Texts of up to this many characters are parsed in a few milliseconds, which a message to a thread would take too. */
export const shortText = 16 * 1024

/** Milliseconds for one text. The slowest text of the largest allowed size takes about two seconds on an idle machine. */
const timePerText = 30_000

/** Thrown for a text that takes too long or too much memory to parse. */
export class UnparsableError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnparsableError'
  }
}

/** Parses Markdown in worker threads. */
export class MarkdownParser {
  readonly #pool: ThreadPool<ParseTask, ParseResult>
  readonly #time: number

  constructor(time = timePerText) {
    this.#time = time
    this.#pool = new ThreadPool({
      file: 'parse-worker',
      threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
      maxWaiting: 100,
      loadTimeout: 20_000,
      taskTimeout: time,
      idleTimeout: 60_000,
      // A text with as much markup as is allowed takes about 400 MB while it is parsed.
      memory: 768,
    })
  }

  /** Parses a text; links are kept as they are written. Throws `DocumentTooLargeError` for too many blocks. */
  async parse(text: string): Promise<ReadPage> {
    return lookedUp(await this.#run({ text, isLimited: true }), verbatim)
  }

  /** Parses a file of a repository; a file that cannot be parsed has a problem. */
  async parseFile(text: string): Promise<DeferredPage | { problem: string }> {
    try {
      return await this.#run({ text, isLimited: false })
    } catch (error) {
      if (error instanceof UnparsableError) return { problem: `${error.message} and was left out` }
      throw error
    }
  }

  /** Ends the threads. Idle ones do not keep the process alive. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  async #run(task: ParseTask): Promise<DeferredPage> {
    try {
      const result = await this.#pool.run(task)
      if ('tooLarge' in result) throw new DocumentTooLargeError(result.tooLarge)
      return result
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error
      switch (error.code) {
        case 'timeout':
          throw new UnparsableError(`takes longer than ${this.#time / 1000} seconds to parse`)
        case 'crashed':
          throw new UnparsableError('takes too much memory to parse')
        case 'overloaded':
          throw new AppError('unavailable', 'Too many large texts are being parsed; try again in some seconds')
        case 'closed':
          throw new AppError('unavailable', error.message)
        case 'failed':
          throw new Error(`Parsing failed in a thread: ${error.message}`, { cause: error })
      }
    }
  }
}

/** The threads that all parts of a process share. */
export const markdownParser = new MarkdownParser()

/** How imports parse texts that may take long. */
export const longTexts: LongTexts = {
  length: shortText,
  parse: (text) => markdownParser.parseFile(text),
}
