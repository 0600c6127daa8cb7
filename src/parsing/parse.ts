import { availableParallelism } from 'node:os'
import { DocumentTooLargeError } from '../content/document/limits.ts'
import type { Document } from '../content/document/nodes.ts'
import { type PageDestinations, type ResolvedDestination, resolveDestinations } from '../content/markdown/deferred.ts'
import type { ParsedPageFile } from '../content/markdown/parse-page-file.ts'
import type { References } from '../content/markdown/references.ts'
import type { LongTextSettings } from '../content/repository/import-texts.ts'
import type { OffThreadParser, OffThreadPage } from '../content/repository/parse-text-file.ts'
import { AppError } from '../kernel/errors.ts'
import { ThreadError, ThreadPool } from '../threads/pool.ts'
import type { ParseResult, ParseTask } from './parse-worker.ts'

/**
 * Maximum number of characters of a text that is parsed on the main thread: it takes a few milliseconds, like a message
 * to a thread.
 */
export const maxMainThreadLength = 16 * 1024

/** Timeout in milliseconds for one text. The slowest text of the maximum size takes about two seconds on an idle machine. */
const defaultTimeout = 30_000

/** Error for a text that takes too long or too much memory to parse. */
export class UnparsableError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnparsableError'
  }
}

/** Parses Markdown in worker threads. */
export class MarkdownParser {
  readonly #pool: ThreadPool<ParseTask, ParseResult, PageDestinations, ResolvedDestination[]>
  readonly #timeout: number

  constructor(timeout = defaultTimeout) {
    this.#timeout = timeout
    this.#pool = new ThreadPool({
      file: 'parse-worker',
      threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
      maxWaiting: 100,
      loadTimeout: 20_000,
      taskTimeout: timeout,
      idleTimeout: 60_000,
      // A text with the maximum amount of markup takes about 400 MB while it is parsed.
      memory: 768,
      // Everything allocated for a text is alive until it is parsed; with 16 MB, copying it takes a sixth of the CPU time.
      youngMemory: 48,
    })
  }

  /** Parses a text and keeps links as they are written. Throws `DocumentTooLargeError` if there are too many blocks. */
  async parse(text: string): Promise<ParsedPageFile> {
    return parseDocumentJson(await this.#run({ text, resolvesLinks: false, enforcesLimits: true }))
  }

  /** Parses a text and resolves its links; returns undefined for a text that takes too long or too much memory. */
  async parseAndResolveLinks(text: string, references: References): Promise<ParsedPageFile | undefined> {
    try {
      const task = { text, resolvesLinks: true, enforcesLimits: false }
      return parseDocumentJson(await this.#run(task, (destinations) => resolveDestinations(destinations, references)))
    } catch (error) {
      if (error instanceof UnparsableError) return undefined
      throw error
    }
  }

  /** Parses a file of a repository into a document that can be stored; returns a problem if the file cannot be parsed. */
  readonly parseFile: OffThreadParser = async ({ text, previous, isExtracted }, resolve) => {
    try {
      const stored = { previous, isExtracted }
      return await this.#run({ text, resolvesLinks: true, enforcesLimits: false, stored }, resolve)
    } catch (error) {
      if (error instanceof UnparsableError) return { problem: `${error.message} and was skipped` }
      throw error
    }
  }

  /** Ends the threads. Idle threads do not keep the process alive. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  async #run(
    task: ParseTask,
    resolve?: (destinations: PageDestinations) => ResolvedDestination[],
  ): Promise<OffThreadPage> {
    try {
      const result = await this.#pool.run(task, resolve)
      if ('tooLarge' in result) throw new DocumentTooLargeError(result.tooLarge)
      return result
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error
      switch (error.code) {
        case 'timeout':
          throw new UnparsableError(`takes longer than ${this.#timeout / 1000} seconds to parse`)
        case 'crashed':
          throw new UnparsableError('takes too much memory to parse')
        case 'overloaded':
          throw new AppError(
            'unavailable',
            'The server is parsing too many large documents. Try again in a few seconds',
          )
        case 'closed':
          throw new AppError('unavailable', error.message)
        case 'failed':
          throw new Error(`Parsing failed in a thread: ${error.message}`, { cause: error })
      }
    }
  }
}

function parseDocumentJson({ document, ...page }: OffThreadPage): ParsedPageFile {
  return { ...page, document: JSON.parse(document) as Document }
}

/** Parser whose threads are shared by all parts of the process. */
export const markdownParser = new MarkdownParser()

/** Settings with which imports parse long texts. */
export const longTextSettings: LongTextSettings = {
  maxLength: maxMainThreadLength,
  maxCount: 10,
  parse: markdownParser.parseFile,
}
