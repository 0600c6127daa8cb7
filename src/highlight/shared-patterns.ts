import type { PatternScanner, RegexEngine, RegexEngineString } from 'shiki/core'

type Match = NonNullable<ReturnType<PatternScanner['findNextMatchSync']>>
type FindOptions = Parameters<PatternScanner['findNextMatchSync']>[2]

/**
 * Returns an engine that compiles each pattern once. The grammar of a language has hundreds of rules that include the same
 * patterns, and a scanner of Oniguruma compiles all patterns of its rule, which takes up to ten times the memory.
 */
export function sharePatterns(engine: RegexEngine): RegexEngine {
  const patterns = new Map<string, SharedPattern>()
  const acquire = (source: string): SharedPattern => {
    const pattern = patterns.get(source) ?? new SharedPattern(engine, source)
    patterns.set(source, pattern)
    pattern.users++
    return pattern
  }
  const release = (pattern: SharedPattern): void => {
    if (--pattern.users > 0) return
    patterns.delete(pattern.source)
    pattern.dispose()
  }
  return {
    createScanner: (sources) =>
      new SharedScanner(
        sources.map((source) => acquire(typeof source === 'string' ? source : source.source)),
        release,
      ),
    createString: (text) => engine.createString(text),
  }
}

/** Finds the first match of several patterns; if two begin at the same position, that of the earlier pattern. */
class SharedScanner implements PatternScanner {
  readonly #patterns: readonly SharedPattern[]
  readonly #release: (pattern: SharedPattern) => void

  constructor(patterns: readonly SharedPattern[], release: (pattern: SharedPattern) => void) {
    this.#patterns = patterns
    this.#release = release
  }

  findNextMatchSync(text: string | RegexEngineString, start: number, options: FindOptions): Match | null {
    let firstStart = Infinity
    let index = -1
    for (let at = 0; at < this.#patterns.length; at++) {
      const matchStart = (this.#patterns[at] as SharedPattern).find(text, start, options)
      if (matchStart >= firstStart) continue
      firstStart = matchStart
      index = at
      if (matchStart === start) break
    }
    const match = this.#patterns[index]?.lastMatch
    return match ? { index, captureIndices: match.captureIndices } : null
  }

  dispose(): void {
    this.#patterns.forEach(this.#release)
  }
}

/** A compiled pattern that several scanners use. */
class SharedPattern {
  readonly source: string
  /** Number of scanners that use it. */
  users = 0
  /** Result of the last search. */
  lastMatch: Match | null = null
  readonly #scanner: PatternScanner
  /** Whether its matches depend on where a search starts. */
  readonly #isAnchored: boolean
  #text: string | RegexEngineString | undefined
  #options: FindOptions | undefined
  #start = 0
  /** Where the last match begins; `Infinity` if there is none. */
  #matchStart = Infinity

  constructor(engine: RegexEngine, source: string) {
    this.source = source
    this.#scanner = engine.createScanner([source])
    this.#isAnchored = source.includes(String.raw`\G`)
  }

  /** Returns where the next match begins; `Infinity` if there is none. */
  find(text: string | RegexEngineString, start: number, options: FindOptions): number {
    // The next match is the last one if that was searched for from an earlier position and begins after this one.
    const isFound =
      text === this.#text && start <= this.#matchStart && start >= this.#start && options === this.#options
    return isFound && !this.#isAnchored ? this.#matchStart : this.#search(text, start, options)
  }

  #search(text: string | RegexEngineString, start: number, options: FindOptions): number {
    this.lastMatch = this.#scanner.findNextMatchSync(text, start, options)
    this.#matchStart = this.lastMatch?.captureIndices[0]?.start ?? Infinity
    this.#text = text
    this.#start = start
    this.#options = options
    return this.#matchStart
  }

  dispose(): void {
    this.#scanner.dispose?.()
  }
}
