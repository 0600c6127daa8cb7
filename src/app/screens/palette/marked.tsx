import { splitMatches } from './entries.ts'

/** Shows a text with the words of the query marked. */
export const Marked = ({ text, words }: { text: string; words: readonly string[] }) => (
  <>
    {splitMatches(text, words).map((part, index) => (part.isMatch ? <mark key={index}>{part.text}</mark> : part.text))}
  </>
)
