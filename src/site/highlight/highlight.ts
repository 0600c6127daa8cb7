import { hash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { Recent } from '../../kernel/recent.ts'
import { workerFile } from '../worker-file.ts'
import { type Html, trusted } from '../../render/html.ts'
import { languageOf } from './languages.ts'
import type { CodeToColour, Coloured } from './highlight-worker.ts'

export interface WrittenCode {
  code: string
  syntax: string | undefined
}

export interface ColouredCodes {
  /** The lines of a code; undefined when it has no colours, or has none yet. */
  highlighted: (code: string, syntax: string | undefined) => readonly Html[] | undefined
  /** Whether nothing is still on its way. */
  isComplete: boolean
}

interface Job extends CodeToColour {
  key: string
  /** How many threads have died or hung over it. */
  failures: number
  waiters: (() => void)[]
}

interface Limits {
  /** Milliseconds for one code; what takes longer twice stays without colours. */
  timePerCode: number
  /** Milliseconds for a thread to start and to load a language. */
  timeToLoad: number
  /** Milliseconds after which a thread ends that has nothing to do. */
  timeIdle: number
  /** How much is kept of what was coloured, in bytes. */
  cacheSize: number
  /** How much code may wait, in characters. */
  waiting: number
  /** What a thread may allocate, in megabytes. */
  memory: number
}

const usual: Limits = {
  timePerCode: 5000,
  timeToLoad: 20_000,
  timeIdle: 3 * 60_000,
  cacheSize: 32 * 1024 * 1024,
  waiting: 4 * 1024 * 1024,
  memory: 256,
}

/** The longest code that gets colours, in characters. */
const longestCode = 100 * 1024

/** Colours code in a thread of its own, which is there only while there is something to colour. */
export class Highlighter {
  readonly #limits: Limits
  /** What was coloured lately; `undefined` for what could not be. */
  readonly #cache: Recent<string | undefined>
  /** In the order of asking. */
  readonly #waiting = new Map<string, Job>()
  #waitingSize = 0
  #worker: Worker | undefined
  #current: Job | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...usual, ...limits }
    // Characters take up to two bytes, an entry some more.
    this.#cache = new Recent(this.#limits.cacheSize, (html) => 2 * (html?.length ?? 0) + 200)
  }

  /** Colours codes, as far as that is done within `budget` milliseconds. The others are ready for whoever asks later. */
  async colour(codes: readonly WrittenCode[], budget: number): Promise<ColouredCodes> {
    const keys = codes.flatMap(({ code, syntax }) => this.#ask(code, languageOf(syntax)) ?? [])
    const jobs = keys.flatMap((key) => this.#waiting.get(key) ?? [])
    if (jobs.length > 0 && budget > 0) await settledWithin(jobs, budget)
    const found = new Map(keys.map((key) => [key, this.#cache.get(key)]))
    return {
      highlighted: (code, syntax) =>
        found
          .get(keyOf(code, languageOf(syntax)))
          ?.split('\n')
          .map(trusted),
      isComplete: keys.every((key) => this.#cache.has(key)),
    }
  }

  /** Ends the thread; whoever waits goes on without colours. */
  async close(): Promise<void> {
    for (const job of this.#waiting.values()) this.#drop(job)
    this.#current = undefined
    await this.#end()
  }

  /** Puts a code into the row unless its colours are known. */
  #ask(code: string, language: string | undefined): string | undefined {
    if (language === undefined || code.length > longestCode || code.trim() === '') return undefined
    const key = keyOf(code, language)
    if (this.#cache.has(key) || this.#waiting.has(key) || this.#waitingSize > this.#limits.waiting) return key
    this.#waiting.set(key, { key, code, language, failures: 0, waiters: [] })
    this.#waitingSize += code.length
    this.#next()
    return key
  }

  #next(): void {
    if (this.#current) return
    const job = this.#waiting.values().next().value
    if (!job) {
      this.#within(this.#limits.timeIdle, () => void this.#end())
      return
    }
    this.#current = job
    this.#worker ??= this.#start()
    this.#worker.postMessage({ code: job.code, language: job.language } satisfies CodeToColour, [])
    this.#within(this.#limits.timeToLoad, () => this.#giveUp(job))
  }

  #start(): Worker {
    const worker = new Worker(workerFile('highlight-worker'), {
      // Nothing that the server was started with is its business.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memory, maxYoungGenerationSizeMb: 16 },
    })
    worker.on('message', (message: Coloured) => this.#hear(worker, message))
    // What was wrong does not matter: the end of the thread follows.
    worker.on('error', () => undefined)
    worker.on('exit', () => this.#lose(worker))
    // Last, because to listen for messages is to wait for them.
    worker.unref()
    return worker
  }

  #hear(worker: Worker, message: Coloured): void {
    const job = this.#current
    if (worker !== this.#worker || !job) return
    if (message.kind === 'started') {
      this.#within(this.#limits.timePerCode, () => this.#giveUp(job))
      return
    }
    // What patterns were compiled to lies outside of the bounds of the thread, and is never given back.
    if (message.memory > this.#limits.memory * 1024 * 1024) void this.#end()
    this.#finish(job, message.html)
  }

  #lose(worker: Worker): void {
    if (worker !== this.#worker) return
    this.#worker = undefined
    if (this.#current) this.#fail(this.#current)
  }

  #giveUp(job: Job): void {
    void this.#end()
    this.#fail(job)
  }

  /** The code may be the cause, or what came before it, or a busy machine: it gets one more chance, behind the others. */
  #fail(job: Job): void {
    this.#current = undefined
    if (++job.failures > 1) {
      this.#finish(job, undefined)
      return
    }
    this.#waiting.delete(job.key)
    this.#waiting.set(job.key, job)
    this.#next()
  }

  #finish(job: Job, html: string | undefined): void {
    this.#cache.set(job.key, html)
    this.#drop(job)
    this.#current = undefined
    this.#next()
  }

  #drop(job: Job): void {
    this.#waiting.delete(job.key)
    this.#waitingSize -= job.code.length
    for (const tell of job.waiters) tell()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  #within(milliseconds: number, otherwise: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(otherwise, milliseconds).unref()
  }
}

const keyOf = (code: string, language: string | undefined): string =>
  hash('sha256', `${language}\n${code}`, 'base64url')

function settledWithin(jobs: readonly Job[], milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    let left = jobs.length
    const count = () => {
      if (--left > 0) return
      clearTimeout(timer)
      resolve()
    }
    for (const { waiters } of jobs) waiters.push(count)
  })
}
