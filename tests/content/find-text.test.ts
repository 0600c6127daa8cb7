import { expect, test } from 'vitest'
import { findText, replaceText } from '../../src/content/document/find-text.ts'
import { parseDocument, printDocument } from '../support/edited-documents.ts'

const markdown = `Install the **Age**nt, see [agent](https://example.com) and \`agent\`.

* agent
  * Agents

\`\`\`js
run(agent) // agent
\`\`\`

| agent | B     |
| ----- | ----- |
| 1     | agent |
`
const word = { text: 'agent', isCaseSensitive: false, isWholeWord: true }
const replaceAll = (source: string, query: typeof word, replacement: string) =>
  printDocument(replaceText(parseDocument(source), query, replacement, () => true))

test('texts are found and replaced across marks, in links, lists, code and cells', () => {
  const document = parseDocument(markdown)
  const lines = findText(document, word).map(({ line, from, to }) => line.slice(from, to))
  expect(lines).toEqual(['Agent', 'agent', 'agent', 'agent', 'agent', 'agent', 'agent'])
  expect(replaceAll(markdown, word, 'tool')).toBe(
    printDocument(
      parseDocument(
        markdown
          .replace('**Age**nt', '**tool**')
          .replaceAll(/(?<![|] )\bagent\b/g, 'tool')
          .replace('|     | agent |', '|     | tool  |')
          .replace('1     | agent', '1     | tool '),
      ),
    ),
  )
})

test('only chosen matches are replaced, and other characters are taken literally', () => {
  const source = 'a.b a.b axb\n'
  const query = { text: 'a.b', isCaseSensitive: true, isWholeWord: false }
  const document = parseDocument(source)
  expect(printDocument(replaceText(document, query, '$&', (index) => index === 1))).toBe('a.b $& axb\n')
  expect(replaceText(document, query, 'x', () => false)).toBe(document)
  expect(replaceAll('A [link](https://example.com) here.\n', { ...word, text: 'link' }, '')).toBe('A  here.\n')
})

test('every punctuation character is found, whatever the case and the words around it', () => {
  const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter((character) =>
    /[^\p{L}\p{N}]/u.test(character),
  )
  for (const character of characters) {
    const text = `a${character}b`
    const document = parseDocument(`\`\`\`\n${text} axb\n\`\`\`\n`)
    for (const isCaseSensitive of [true, false])
      for (const isWholeWord of [true, false])
        expect(findText(document, { text, isCaseSensitive, isWholeWord }), text).toMatchObject([{ from: 0, to: 3 }])
  }
})
