import { expect, test } from 'vitest'
import { diffDocuments, diffInlines } from '../../src/content/document/diff.ts'
import { assignKeys } from '../../src/content/document/assign-keys.ts'
import type { Block, InlineNode } from '../../src/content/document/nodes.ts'
import { createDocument } from '../../src/content/document/build.ts'
import { plainText } from '../../src/content/document/text.ts'
import {
  DocumentEditor,
  parseEdited,
  collectKeys,
  parseWithKeys,
  printDocument,
  parseDocument,
} from '../support/edited-documents.ts'

const said = (block: Block) => printDocument(createDocument([block])).trimEnd()

async function changes(base: string, later: string): Promise<string[]> {
  const before = parseWithKeys(base)
  return (await diffDocuments(before, parseEdited(before, later))).map((change) => {
    switch (change.kind) {
      case 'added':
        return `+ ${said(change.after)}`
      case 'removed':
        return `- ${said(change.before)}`
      default:
        return `${change.kind} ${said(change.before)} > ${said(change.after)}`
    }
  })
}

test('reports added, removed, edited and moved blocks', async () => {
  expect(await changes('One\n\nTwo', 'One\n\nNew\n\nTwo')).toEqual(['+ New'])
  expect(await changes('One\n\nTwo\n\nThree', 'One\n\nThree')).toEqual(['- Two'])
  expect(await changes('One word here', 'One good word here')).toEqual(['edited One word here > One good word here'])
  expect(await changes('One\n\nTwo\n\nThree', 'Three\n\nOne\n\nTwo')).toEqual(['moved Three > Three'])
  expect(await changes('One\n\nTwo', 'One\n\nTwo')).toEqual([])
})

test('reports an edit on the innermost block', async () => {
  expect(await changes('* red apple\n* green', '* ripe red apple\n* green')).toEqual([
    'edited red apple > ripe red apple',
  ])
  expect(await changes('| A |\n| --- |\n| some cell |', '| A |\n| --- |\n| some other cell |')).toEqual([
    'edited some cell > some other cell',
  ])
})

test('orders changes by the later document, with removals at their former position', async () => {
  expect(await changes('A\n\nGone\n\nB\n\nC', 'A\n\nB\n\nNew\n\nC')).toEqual(['- Gone', '+ New'])
})

test('reports only a move for a block that leaves its container', async () => {
  expect(
    await changes(
      '{% hint style="info" %}\nStay here\n\nGo away\n{% endhint %}',
      '{% hint style="info" %}\nStay here\n{% endhint %}\n\nGo away',
    ),
  ).toEqual(['moved Go away > Go away'])
})

test('covers every added or removed key by a change of its block or of a block around it', async () => {
  for (let seed = 1; seed <= 200; seed++) {
    const author = new DocumentEditor('base', seed)
    const before = author.document()
    const after = assignKeys(before, author.change(author.change(before)))
    const told = await diffDocuments(before, after)
    const inside = (kind: 'added' | 'removed') =>
      new Set(
        told.flatMap((change) => {
          if (change.kind === 'edited')
            return collectKeys(createDocument([kind === 'added' ? change.after : change.before]))
          if (change.kind !== kind) return []
          return collectKeys(createDocument([change.kind === 'added' ? change.after : change.before]))
        }),
      )
    const [old, now] = [new Set(collectKeys(before)), new Set(collectKeys(after))]
    expect({ seed, untold: [...now].filter((key) => !old.has(key) && !inside('added').has(key)) }).toEqual({
      seed,
      untold: [],
    })
    expect({ seed, untold: [...old].filter((key) => !now.has(key) && !inside('removed').has(key)) }).toEqual({
      seed,
      untold: [],
    })
  }
})

const inlines = (markdown: string): readonly InlineNode[] => {
  const [block] = parseDocument(markdown).nodes
  return block?.type === 'paragraph' ? block.nodes : []
}
const words = (before: string, after: string) =>
  diffInlines(inlines(before), inlines(after)).map(
    ({ kind, text }) => `${{ equal: ' ', added: '+', removed: '-' }[kind]}${text}`,
  )

test('compares texts word by word', () => {
  expect(words('The quick fox', 'The slow fox')).toEqual([' The ', '-quick', '+slow', '  fox'])
  expect(words('我喜欢茶', '我喜欢咖啡')).toEqual([' 我喜欢', '-茶', '+咖啡'])
})

test('reports a very long text as replaced if it changed', () => {
  const long = 'word '.repeat(5000)
  expect(diffInlines(inlines(`${long}old`), inlines(`${long}new`)).map(({ kind }) => kind)).toEqual([
    'removed',
    'added',
  ])
  expect(diffInlines(inlines(long), inlines(long)).map(({ kind }) => kind)).toEqual(['equal'])
})

test('reports changed marks, links and inline elements', () => {
  expect(words('a plain word', 'a **plain** word')).toEqual([' a ', '-plain', '+plain', '  word'])
  expect(words('a plain word', 'a [plain](x.md) word')).toEqual([' a ', '-plain', '+plain', '  word'])
  expect(diffInlines(inlines('done'), inlines('done :tada:')).map(({ kind }) => kind)).toEqual(['equal', 'added'])
})

test('the segments of each side join to its full text', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const author = new DocumentEditor('w', seed)
    const [one, other] = [0, 1].map(() =>
      inlines(Array.from({ length: 12 }, () => author.pick(['a', 'b', '**c**', 'd.', '[e](f)'])).join(' ')),
    )
    const told = diffInlines(one ?? [], other ?? [])
    const side = (kind: string) =>
      told
        .filter((change) => change.kind === 'equal' || change.kind === kind)
        .map(({ text }) => text)
        .join('')
    expect([side('removed'), side('added')]).toEqual([plainText(one ?? []), plainText(other ?? [])])
  }
})
