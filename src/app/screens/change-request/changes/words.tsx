import type { BlockChange } from '../../../../contract/semantic-changes.ts'

/** Shows a text with added and removed words. */
export function Words({ words }: { words: NonNullable<BlockChange['words']> }) {
  return (
    <>
      {words.map(({ kind, text }, index) => {
        if (kind === 'equal') return <span key={index}>{text}</span>
        return kind === 'added' ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>
      })}
    </>
  )
}
