/** Returns the letters of a word in the opposite order. */
export const reverseWord = (word: string): string => Array.from(word).toReversed().join('')

/** Letters that may replace others or be added, by script; words of other scripts are only corrected with their own letters. */
const alphabets: readonly (readonly [script: RegExp, letters: string])[] = [
  [/^\p{Script=Latin}+$/u, 'abcdefghijklmnopqrstuvwxyz'],
  [/^\p{Script=Cyrillic}+$/u, 'абвгдежзиклмнопрстуфхцчшщъыьэюяєіґ'],
  [/^\p{Script=Greek}+$/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
]

/** Returns the letters that may replace those of a word or be added to it. */
const alphabetOf = (word: string): ReadonlySet<string> =>
  new Set(alphabets.find(([script]) => script.test(word))?.[1] ?? word)

/** Returns all words that differ from a word by one letter: left out, added, replaced, or swapped with the next. */
export function createEdits(word: string): Set<string> {
  const letters = Array.from(word)
  const alphabet = alphabetOf(word)
  const edits = new Set<string>()
  for (let at = 0; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')]
    const [letter = '', next] = [letters[at], letters[at + 1]]
    for (const added of alphabet) edits.add(before + added + letter + after)
    if (letter === '') continue
    edits.add(before + after)
    for (const other of alphabet) edits.add(before + other + after)
    if (next !== undefined) edits.add(before + next + letter + letters.slice(at + 2).join(''))
  }
  edits.delete(word)
  return edits
}

/** Returns a function that decides whether another word is one of the edits of a word, without creating all of them. */
export function createEditTest(word: string): (other: string) => boolean {
  const letters = Array.from(word)
  const alphabet = alphabetOf(word)
  return (other) => {
    const others = Array.from(other)
    const added = others.length - letters.length
    if (Math.abs(added) > 1 || other === word) return false
    const [shorter, longer] = added > 0 ? [letters, others] : [others, letters]
    let start = 0
    while (start < shorter.length && shorter[start] === longer[start]) start++
    let end = 0
    while (end < shorter.length - start && shorter.at(-1 - end) === longer.at(-1 - end)) end++
    const different = longer.length - start - end
    const isSwapped = added === 0 && letters[start] === others[start + 1] && letters[start + 1] === others[start]
    if (different === 2) return isSwapped
    return different === 1 && (added < 0 || alphabet.has(others[start] as string))
  }
}

/** Part of a word that is the same in the words that differ from it by one letter, at the beginning or the end. */
export interface UnchangedPart {
  text: string
  isEnd: boolean
}

/** Returns parts of a word of which every word that differs from it by one letter has at least one. */
export function toUnchangedParts(word: string): UnchangedPart[] {
  const letters = Array.from(word)
  const middle = Math.floor(letters.length / 2)
  const [beginning, end] = [letters.slice(0, middle), letters.slice(middle)]
  // Swapping the letters on both sides of the middle changes both halves.
  const swapped = [...beginning.slice(0, -1), end[0] ?? '', beginning.at(-1) ?? '', ...end.slice(1)]
  return [
    { text: beginning.join(''), isEnd: false },
    { text: end.join(''), isEnd: true },
    { text: swapped.join(''), isEnd: false },
  ]
}
