import type { Db } from '../schema/tables.ts'
import type { ExpandedTerm, Form } from './expand.ts'
import { type VocabularyScope, canBeCompleted, findWords } from './find-words.ts'
import { type SpaceLanguage, stemWord } from './stems.ts'
import { isStoredWord } from './vocabulary.ts'

/** Entries of the vocabulary of the searched spaces for the words of one query; each word is looked up once. */
export class QueryWords {
  readonly #db: Db
  readonly #scope: VocabularyScope
  readonly #languages: readonly SpaceLanguage[]
  readonly #completions = new Map<string, readonly string[]>()
  readonly #isKnown = new Map<string, boolean>()
  #isTypedLookedUp = false

  constructor(db: Db, scope: VocabularyScope, languages: readonly SpaceLanguage[]) {
    this.#db = db
    this.#scope = scope
    this.#languages = languages
  }

  /** Adds the words that begin with a prefix: searching the index for them is faster than for the prefix. */
  async complete(terms: readonly ExpandedTerm[]): Promise<ExpandedTerm[]> {
    const forms = terms.flatMap((term) => term.forms)
    const prefixes = forms.filter(canComplete).map(firstWordOf)
    await this.#lookUp(prefixes, forms.flatMap(wholeWordsOf))
    const completeForm = (form: Form): Form =>
      canComplete(form) ? { ...form, completions: this.#completions.get(firstWordOf(form)) ?? [] } : form
    return terms.map((term) => ({ forms: term.forms.map(completeForm) }))
  }

  /** Whether the index may contain a completed term; if not, searching it would find nothing. */
  mayContain({ forms }: ExpandedTerm): boolean {
    return forms.some((form) =>
      canComplete(form)
        ? (form.completions?.length ?? 0) > 0
        : wholeWordsOf(form).every((word) => this.#isKnown.get(word) !== false),
    )
  }

  async #lookUp(prefixes: readonly string[], words: readonly string[]): Promise<void> {
    const newPrefixes = [...new Set(prefixes)].filter((prefix) => !this.#completions.has(prefix))
    // Words that are added later are corrections from the vocabulary.
    const newWords = this.#isTypedLookedUp ? [] : [...new Set(words)]
    this.#isTypedLookedUp = true
    const { completions, known } = await findWords(this.#db, this.#scope, { prefixes: newPrefixes, words: newWords })
    for (const prefix of newPrefixes) this.#completions.set(prefix, this.#joinByStem(completions.get(prefix) ?? []))
    for (const word of newWords) this.#isKnown.set(word, known.has(word))
  }

  /** Replaces words by a stem that is one of them, because the words of a section are indexed with their stems. */
  #joinByStem(words: readonly string[]): string[] {
    const [language = null, ...others] = this.#languages
    if (others.length > 0) return [...words]
    const all = new Set(words)
    return [...new Set(words.map((word) => (all.has(stemWord(word, language)) ? stemWord(word, language) : word)))]
  }
}

const canComplete = ({ words: [word = '', ...others], isPrefix }: Form): boolean =>
  isPrefix && others.length === 0 && canBeCompleted(word)

const firstWordOf = ({ words: [word = ''] }: Form): string => word

/** Returns the words of a form that are in the vocabulary if a section contains the form. */
const wholeWordsOf = ({ words, isPrefix }: Form): string[] =>
  words.filter((word, index) => isStoredWord(word) && !(isPrefix && index === words.length - 1))
