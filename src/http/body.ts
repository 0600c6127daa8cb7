import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { AppError } from '../kernel/errors.ts'
import { seconds } from '../kernel/time.ts'
import { BodyBudget, type BodyBudgetLimits, type BodyShare } from './body-budget.ts'
import { callerAddress, networkOf } from './caller.ts'
import { JsonMeter } from './json-meter.ts'
import { parseJson } from './json-parser.ts'

/** Bytes per second that a caller must send on average, after the time that is granted to every body. */
const minimumRate = 8 * 1024

/** Milliseconds that a body may take that is held in memory, however fast it arrives. */
const longestRead = seconds(300)

export interface BodySettings {
  budget: BodyBudgetLimits
  /** Milliseconds by which a body may be later than the minimum rate allows. */
  patience: number
  /** How many reverse proxies stand before this server. */
  trustedProxies: number
}

export interface ReadOptions {
  /** Maximum number of bytes. */
  limit: number
  /** Maximum number of values in its JSON. */
  values: number
}

/** Reads request bodies: the only way by which any reaches the server. */
export class Bodies {
  readonly #services: BodySettings
  readonly #budget: BodyBudget
  /** Ends when no body is being parsed: one at a time, so that others wait for one step at most. */
  #parsing: Promise<unknown> = Promise.resolve()

  constructor(services: BodySettings) {
    this.#services = services
    this.#budget = new BodyBudget(services.budget)
  }

  /** The bytes of a body as they arrive; fails when there are too many, or when they arrive too slowly. */
  stream(incoming: IncomingMessage, limit: number): AsyncGenerator<Buffer, void> {
    return receive(incoming, limit, this.#services.patience, Infinity)
  }

  /** Reads a whole body. It counts as held until it is released. */
  async read(incoming: IncomingMessage, { limit, values }: ReadOptions): Promise<Body> {
    const declared = declaredSize(incoming)
    assertFits(declared, limit)
    const share = this.#budget.open(networkOf(callerAddress(incoming, this.#services.trustedProxies)), declared)
    const meter = new JsonMeter(values)
    try {
      const chunks: Buffer[] = []
      for await (const chunk of receive(incoming, limit, this.#services.patience, longestRead)) {
        share.add(chunk.length)
        meter.add(chunk)
        chunks.push(chunk)
      }
      return new Body(chunks, share, meter, (parse) => this.#inTurn(parse))
    } catch (error) {
      share.release()
      throw error
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#parsing.then(work)
    this.#parsing = done.catch(() => undefined)
    return done
  }
}

/** Bodies of more bytes than this are handled one after the other. */
const largeBytes = 64 * 1024

/** A body that was read. */
export class Body {
  readonly #chunks: Buffer[]
  readonly #share: BodyShare
  readonly #meter: JsonMeter
  readonly #inTurn: <T>(work: () => Promise<T>) => Promise<T>
  #whole: Buffer | undefined

  constructor(chunks: Buffer[], share: BodyShare, meter: JsonMeter, inTurn: <T>(work: () => Promise<T>) => Promise<T>) {
    this.#chunks = chunks
    this.#share = share
    this.#meter = meter
    this.#inTurn = inTurn
  }

  get bytes(): Buffer {
    if (!this.#whole) {
      this.#whole = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
      this.#chunks.length = 0
    }
    return this.#whole
  }

  /** How many values its JSON has. */
  get values(): number {
    return this.#meter.values
  }

  text(): string {
    assertUtf8(this.bytes)
    return this.bytes.toString()
  }

  /** Parses it as JSON; undefined when it is empty. */
  async json(): Promise<unknown> {
    const parse = () => {
      assertUtf8(this.bytes)
      return parseJson(this.bytes, this.#meter.large)
    }
    return this.#chunks.length > 1 || this.bytes.length > largeBytes ? this.#inTurn(parse) : parse()
  }

  release(): void {
    this.#share.release()
  }
}

function assertUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new AppError('invalid', 'The body is not valid UTF-8')
}

const declaredSize = (incoming: IncomingMessage): number => Number(incoming.headers['content-length'] ?? 0)

function assertFits(size: number, limit: number): void {
  if (size > limit) throw new AppError('tooLarge', `The body exceeds the maximum of ${limit} bytes`)
}

/** How often a body is looked at that is being received. */
const checkInterval = seconds(1)

async function* receive(
  incoming: IncomingMessage,
  limit: number,
  patience: number,
  longest: number,
): AsyncGenerator<Buffer, void> {
  assertFits(declaredSize(incoming), limit)
  let size = 0
  /** Time that was spent waiting for the caller, as opposed to writing what arrived. */
  let waited = 0
  let waitingSince = performance.now()
  const began = waitingSince
  /** Ends the wait for the next bytes; a promise for all waits would hold all bytes until the end. */
  let endWait: ((error: AppError) => void) | undefined
  const timer = setInterval(
    () => {
      const now = performance.now()
      const isLate = waited + (now - waitingSince) > patience + (size / minimumRate) * 1000
      if (isLate || now - began > longest) endWait?.(new AppError('timeout', 'The body was sent too slowly'))
    },
    Math.min(checkInterval, patience),
  )
  // A handler that stops reading can still send a reply.
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  try {
    for (;;) {
      waitingSince = performance.now()
      const next = await new Promise<IteratorResult<Buffer, void>>((resolve, reject) => {
        endWait = reject
        arrived(chunks).then(resolve, reject)
      })
      endWait = undefined
      waited += performance.now() - waitingSince
      waitingSince = Infinity
      if (next.done) return
      size += next.value.length
      assertFits(size, limit)
      yield next.value
    }
  } finally {
    clearInterval(timer)
    // Not awaited: it would wait for the next bytes, which may never arrive.
    void chunks.return?.().catch(() => undefined)
  }
}

async function arrived(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer, void>> {
  try {
    return (await chunks.next()) as IteratorResult<Buffer, void>
  } catch {
    throw new AppError('invalid', 'The connection was closed before the body was complete')
  }
}
