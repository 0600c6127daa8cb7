import { randomInteger, seededRandom } from './random.ts'

/** Restriction of who may see something. */
export type Guard =
  | 'pro'
  | 'tester'
  | 'draft'
  | 'nobody'
  /** Only on pages of a change request or of a former revision. */
  | 'proposed'
  | 'former'
  | `only ${string}`

/** Kinds of lists that omit content which can still be opened by its URL: all lists, search, search engines. */
export type Unlisted = 'hidden space' | 'hidden' | 'search' | 'engines'

/** Word that occurs in one place of the world, so that a reply that contains it reveals that place. */
export interface Secret {
  word: string
  description: string
  /** Guards that a visitor has to satisfy, by site key. Other sites never show the word. */
  rules: Map<string, readonly Guard[]>
  unlisted: readonly Unlisted[]
  /** Keys of the pages that contain it; there it may be shown although it is not listed. */
  pages: readonly string[]
  /** Whether it is in a space that not all members can open. */
  isClosed: boolean
  /** Id of the space that contains it, or that its section links to. */
  space?: string
  /** Whether only pages omit it because of its position or target: the API returns all settings to visitors with access. */
  isSetting?: boolean
}

/** Words of a world. They have the same form, so that one regular expression finds all of them. */
export class Secrets {
  readonly #words = new Map<string, Secret>()
  readonly #chance: () => number

  constructor(seed: number) {
    this.#chance = seededRandom(seed)
  }

  get all(): Secret[] {
    return [...this.#words.values()]
  }

  /** Returns a word that occurs nowhere. */
  readonly decoy = (): string => {
    const letters = Array.from({ length: 9 }, () => String.fromCodePoint(97 + randomInteger(this.#chance, 0, 25)))
    const word = `zx${letters.join('')}`
    return this.#words.has(word) ? this.decoy() : word
  }

  add(secret: Omit<Secret, 'word'>): string {
    const word = this.decoy()
    this.#words.set(word, { ...secret, word })
    return word
  }

  /** Returns the secrets whose words a text contains. */
  findIn(text: string): Secret[] {
    const found = new Set(text.toLowerCase().match(/zx[a-z]{9}/g))
    return [...found].flatMap((word) => this.#words.get(word) ?? [])
  }
}
