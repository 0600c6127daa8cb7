import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { AppError } from '../kernel/errors.ts'
import { seconds } from '../kernel/time.ts'
import { BodyBudget, type BodyBudgetLimits, type BodyReservation } from './body-budget.ts'
import { callerAddress, networkOf } from './caller-address.ts'
import { JsonMeter } from './json-meter.ts'
import { parseJson } from './json-parser.ts'

/** Minimum average rate in bytes per second, after the grace period. */
const minRate = 8 * 1024

/** Maximum time in milliseconds to receive a body that is held in memory. */
const maxReadTime = seconds(300)

export interface BodySettings {
  budget: BodyBudgetLimits
  /** Milliseconds that are added to the time that the minimum rate allows. */
  gracePeriod: number
  /** Number of reverse proxies in front of this server. */
  trustedProxies: number
}

export interface BodyReadLimits {
  /** Maximum number of bytes. */
  maxBytes: number
  /** Maximum number of values in its JSON. */
  maxValues: number
}

/** Reads the bodies of all requests, with limits on size, rate and memory. */
export class BodyReader {
  readonly #settings: BodySettings
  readonly #budget: BodyBudget
  /** Settles when no large body is being parsed: only one is parsed at a time. */
  #parsing: Promise<unknown> = Promise.resolve()

  constructor(settings: BodySettings) {
    this.#settings = settings
    this.#budget = new BodyBudget(settings.budget)
  }

  /** Returns the bytes of a body as they arrive; fails when there are too many, or when they arrive too slowly. */
  stream(incoming: IncomingMessage, limit: number): AsyncGenerator<Buffer, void> {
    return receiveChunks(incoming, limit, this.#settings.gracePeriod, Infinity)
  }

  /** Reads a whole body, which uses the memory budget until it is released. */
  async read(incoming: IncomingMessage, { maxBytes, maxValues }: BodyReadLimits): Promise<BufferedBody> {
    const declared = declaredSize(incoming)
    assertFits(declared, maxBytes)
    const reservation = this.#budget.reserve(
      networkOf(callerAddress(incoming, this.#settings.trustedProxies)),
      declared,
    )
    const meter = new JsonMeter(maxValues)
    try {
      const chunks: Buffer[] = []
      for await (const chunk of receiveChunks(incoming, maxBytes, this.#settings.gracePeriod, maxReadTime)) {
        reservation.add(chunk.length)
        meter.add(chunk)
        chunks.push(chunk)
      }
      return new BufferedBody(chunks, reservation, meter, (parse) => this.#runExclusively(parse))
    } catch (error) {
      reservation.release()
      throw error
    }
  }

  #runExclusively<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#parsing.then(task)
    this.#parsing = done.catch(() => undefined)
    return done
  }
}

/** Bodies of more bytes than this are parsed one after the other. */
const largeBodySize = 64 * 1024

/** A complete body in memory. */
export class BufferedBody {
  readonly #chunks: Buffer[]
  readonly #reservation: BodyReservation
  readonly #meter: JsonMeter
  readonly #runExclusively: <T>(work: () => Promise<T>) => Promise<T>
  #buffer: Buffer | undefined

  constructor(
    chunks: Buffer[],
    reservation: BodyReservation,
    meter: JsonMeter,
    runExclusively: <T>(work: () => Promise<T>) => Promise<T>,
  ) {
    this.#chunks = chunks
    this.#reservation = reservation
    this.#meter = meter
    this.#runExclusively = runExclusively
  }

  get bytes(): Buffer {
    if (!this.#buffer) {
      this.#buffer = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
      this.#chunks.length = 0
    }
    return this.#buffer
  }

  /** How many values its JSON has. */
  get valueCount(): number {
    return this.#meter.valueCount
  }

  text(): string {
    assertUtf8(this.bytes)
    return this.bytes.toString()
  }

  /** Parses it as JSON; undefined when it is empty. */
  async json(): Promise<unknown> {
    const parse = () => {
      assertUtf8(this.bytes)
      return parseJson(this.bytes, this.#meter.largeOffsets)
    }
    return this.#chunks.length > 1 || this.bytes.length > largeBodySize ? this.#runExclusively(parse) : parse()
  }

  release(): void {
    this.#reservation.release()
  }
}

function assertUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new AppError('invalid', 'The body is not valid UTF-8')
}

const declaredSize = (incoming: IncomingMessage): number => Number(incoming.headers['content-length'] ?? 0)

function assertFits(size: number, limit: number): void {
  if (size > limit) throw new AppError('tooLarge', `The body exceeds the maximum of ${limit} bytes`)
}

/** Interval at which the rate of a body is checked. */
const checkInterval = seconds(1)

async function* receiveChunks(
  incoming: IncomingMessage,
  limit: number,
  gracePeriod: number,
  maxTime: number,
): AsyncGenerator<Buffer, void> {
  assertFits(declaredSize(incoming), limit)
  let size = 0
  /** Time spent waiting for the caller, without the time to process chunks. */
  let waitedTime = 0
  let waitingSince = performance.now()
  const startTime = waitingSince
  /** Rejects the wait for the next chunk; one promise for all chunks would keep them all in memory. */
  let rejectWait: ((error: AppError) => void) | undefined
  const timer = setInterval(
    () => {
      const now = performance.now()
      const isLate = waitedTime + (now - waitingSince) > gracePeriod + (size / minRate) * 1000
      if (isLate || now - startTime > maxTime) rejectWait?.(new AppError('timeout', 'The body was sent too slowly'))
    },
    Math.min(checkInterval, gracePeriod),
  )
  // A handler that stops reading can still send a reply.
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  try {
    for (;;) {
      waitingSince = performance.now()
      const next = await new Promise<IteratorResult<Buffer, void>>((resolve, reject) => {
        rejectWait = reject
        readChunk(chunks).then(resolve, reject)
      })
      rejectWait = undefined
      waitedTime += performance.now() - waitingSince
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

async function readChunk(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer, void>> {
  try {
    return (await chunks.next()) as IteratorResult<Buffer, void>
  } catch {
    throw new AppError('invalid', 'The connection was closed before the body was complete')
  }
}
