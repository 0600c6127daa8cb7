import { between, seeded } from './random.ts'

/** For whom something is. */
export type Guard =
  | 'pro'
  | 'tester'
  | 'draft'
  | 'nobody'
  /** Only on pages that show a change request, or a former revision. */
  | 'proposed'
  | 'former'
  | `only ${string}`

/** What keeps something that may be opened by its address out of lists: of all, of what can be searched, of search engines. */
export type Unlisted = 'hidden space' | 'hidden' | 'search' | 'engines'

/** A word that stands in one place of the world, and so betrays whoever shows that place. */
export interface Secret {
  word: string
  what: string
  /** All of these hold for those who may see it, by the sites that it stands on. Others never show it. */
  rules: Map<string, readonly Guard[]>
  unlisted: readonly Unlisted[]
  /** The pages that it stands on, by their keys: where it may be seen though it is not listed. */
  pages: readonly string[]
  /** Whether it stands in a space that not all members can open. */
  isClosed: boolean
  /** The space that it stands in, or that the section leads to which it is about. */
  space?: string
  /** Whether pages leave it out only because of where it stands or leads: the API tells all settings to whoever gets in. */
  isSetting?: boolean
}

/** The words of a world. They look alike, so that one look at a reply finds all of them. */
export class Secrets {
  readonly #words = new Map<string, Secret>()
  readonly #chance: () => number

  constructor(seed: number) {
    this.#chance = seeded(seed)
  }

  get all(): Secret[] {
    return [...this.#words.values()]
  }

  /** A word that stands nowhere. */
  readonly decoy = (): string => {
    const letters = Array.from({ length: 9 }, () => String.fromCodePoint(97 + between(this.#chance, 0, 25)))
    const word = `zx${letters.join('')}`
    return this.#words.has(word) ? this.decoy() : word
  }

  add(secret: Omit<Secret, 'word'>): string {
    const word = this.decoy()
    this.#words.set(word, { ...secret, word })
    return word
  }

  /** The words that a text holds. */
  in(text: string): Secret[] {
    const found = new Set(text.toLowerCase().match(/zx[a-z]{9}/g))
    return [...found].flatMap((word) => this.#words.get(word) ?? [])
  }
}
