import { Agent, request } from 'node:http'
import type { LeakRequest } from './leak-requests.ts'
import { mayContain } from './leak-oracle.ts'
import type { LeakWorld } from './leak-world.ts'
import type { Secret } from './leak-words.ts'
import { randomInteger } from './random.ts'

export interface LeakReply {
  status: number
  headers: string
  body: string
}

const concurrency = 12
const comparedShare = 0.25

/** Sends many concurrent requests to a server and checks the replies. */
export class LeakRunner {
  readonly #origin: URL
  readonly #world: LeakWorld
  readonly #agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  /** Number of checked replies by output. */
  readonly counts = new Map<string, number>()
  readonly problems: string[] = []
  readonly #seen = new Set<string>()

  constructor(url: string, world: LeakWorld) {
    this.#origin = new URL(url)
    this.#world = world
  }

  get count(): number {
    return [...this.counts.values()].reduce((sum, one) => sum + one, 0)
  }

  /** Share of the visible words that at least one visitor has seen. */
  get seenShare(): number {
    const words = this.#world.secrets.all.filter(isEverVisible)
    return words.filter(({ word }) => this.#seen.has(word)).length / words.length
  }

  stop(): void {
    this.#agent.destroy()
  }

  send({ method, path, headers, body }: Pick<LeakRequest, 'method' | 'path' | 'headers' | 'body'>): Promise<LeakReply> {
    const { hostname, port } = this.#origin
    return new Promise((resolve, reject) => {
      const asking = request({ hostname, port, method, path, headers, agent: this.#agent }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.rawHeaders.join('\n'),
            body: Buffer.concat(chunks).toString('latin1'),
          }),
        )
      })
      asking.on('error', reject)
      asking.end(body)
    })
  }

  /** Runs requests concurrently in random order. */
  async run(requests: readonly LeakRequest[], chance: () => number): Promise<void> {
    const waiting = shuffled(requests, chance)
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const reply = await this.send(next)
        this.check(next, reply)
        const isAbsent = next.output === 'page' && next.expects === 'nothing'
        if (isAbsent && chance() < comparedShare) await this.#compare(next, reply)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }

  /** Checks that a restricted page looks to a visitor like a page that never existed. */
  async #compare(asking: LeakRequest, reply: LeakReply): Promise<void> {
    const { secrets } = this.#world
    const { site, guest, asked, output } = asking
    const unknown = secrets.findIn(asking.path).filter((secret) => !mayContain(site, guest, asked, secret))
    const renamed = unknown.map(({ word }) => [word, secrets.decoy()] as const)
    const rename = (text: string) => renamed.reduce((sum, [word, decoy]) => sum.replaceAll(word, decoy), text)
    const other = await this.send({ ...asking, path: rename(asking.path) })
    this.#count(`${output} that never was`)
    if (other.status !== reply.status || other.body !== rename(reply.body)) {
      this.problems.push(`${output} of ${site.key} to ${guest.name}: tells that something is there (${asking.path})`)
    }
  }

  #count(output: string): void {
    this.counts.set(output, (this.counts.get(output) ?? 0) + 1)
  }

  /** Checks that a reply contains no forbidden words and contains the expected content. */
  check(asking: LeakRequest, { status, headers, body }: LeakReply): void {
    const { site, guest, output, path, asked, expects } = asking
    this.#count(output)
    const addProblem = (what: string) =>
      this.problems.push(`${output} of ${site.key} to ${guest.name}: ${what} (${path})`)
    const sentSecrets = new Set(this.#world.secrets.findIn(`${path} ${asking.body ?? ''}`))
    for (const secret of this.#world.secrets.findIn(`${headers}\n${body}`)) {
      if (sentSecrets.has(secret)) continue
      this.#seen.add(secret.word)
      if (!mayContain(site, guest, asked, secret)) addProblem(`shows ${secret.word}: ${secret.description}`)
    }
    if (status >= 500) addProblem(`status ${status}`)
    if (expects === undefined) return
    const isThere = status === 200 || (status === 307 && expects === 'something')
    if (isThere === (expects === 'nothing'))
      addProblem(`status ${status} instead of ${expects === 'nothing' ? 'nothing' : 200}`)
    if (typeof expects === 'object' && !body.includes(expects.word)) addProblem(`shows nothing of ${expects.word}`)
  }
}

const isEverVisible = ({ rules }: Secret): boolean => [...rules.values()].some((guards) => !guards.includes('nobody'))

function shuffled<T>(values: readonly T[], chance: () => number): T[] {
  const found = [...values]
  for (let at = found.length - 1; at > 0; at--) {
    const other = randomInteger(chance, 0, at)
    ;[found[at], found[other]] = [found[other] as T, found[at] as T]
  }
  return found
}

/** Returns a random sample of a list. */
export const sample = <T>(values: readonly T[], share: number, chance: () => number): T[] =>
  values.filter(() => chance() < share)
