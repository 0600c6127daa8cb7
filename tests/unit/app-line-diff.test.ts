import { expect, test } from 'vitest'
import { type TextChange, diffText, mergeLines } from '../../src/app/screens/edit/line-diff.ts'

/** Applies changes as the editor does: all positions are those of the text before. */
const apply = (text: string, changes: readonly TextChange[]): string =>
  changes.toReversed().reduce((result, { from, to, insert }) => result.slice(0, from) + insert + result.slice(to), text)

/** Returns all texts of up to four lines of two kinds. */
function listTexts(): string[] {
  let texts = ['']
  const all = ['']
  for (let length = 0; length < 4; length++) {
    texts = texts.flatMap((text) =>
      ['a', 'bc', ''].map((line) => (text === '' && length === 0 ? line : `${text}\n${line}`)),
    )
    all.push(...texts)
  }
  return [...new Set(all)]
}

test('the changes between two texts turn one into the other', () => {
  const texts = listTexts()
  for (const before of texts)
    for (const after of texts) {
      const changes = diffText(before, after)
      if (apply(before, changes) !== after)
        expect([before, after, changes]).toBe('changes that turn one into the other')
    }
})

test('a text in between is not part of the changes before and after it', () => {
  expect(diffText('one\ncursor\ntwo', 'One\ncursor\ntwo!')).toEqual([
    { from: 0, to: 1, insert: 'O' },
    { from: 14, to: 14, insert: '!' },
  ])
})

test('changes of different lines are both kept, and the chosen side decides about the same lines', () => {
  const base = 'one\n\ntwo\n\nthree'
  const mine = 'one\n\nmine\n\nthree\n\nfour'
  const theirs = 'ONE\n\ntheirs\n\nthree'
  expect(mergeLines(base, mine, theirs, 'mine')).toEqual({
    text: 'ONE\n\nmine\n\nthree\n\nfour',
    conflicts: [{ mine: 'mine', theirs: 'theirs' }],
  })
  expect(mergeLines(base, mine, theirs, 'theirs').text).toBe('ONE\n\ntheirs\n\nthree\n\nfour')
  expect(mergeLines(base, mine, theirs, 'both').text).toBe('ONE\n\nmine\n\ntheirs\n\nthree\n\nfour')
})
