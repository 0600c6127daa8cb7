import { EditorState, type Command, TextSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import {
  backspace,
  deleteForward,
  editorKeys,
  enter,
  insertBreak,
  markCommands,
} from '../../src/app/editor/commands.ts'
import { deleteBlock, listBlocksAt, moveBlockCommand } from '../../src/app/editor/blocks/block-places.ts'
import { setCode } from '../../src/app/editor/code/code-keys.ts'
import {
  insertColumns,
  insertCondition,
  insertExpandable,
  insertStepper,
  paragraph,
  replaceBlock,
} from '../../src/app/editor/containers/wrap-blocks.ts'
import { wrapList } from '../../src/app/editor/lists.ts'
import { toDocument } from '../../src/app/editor/to-document.ts'
import { toEditor } from '../../src/app/editor/to-editor.ts'
import { fixTables } from '../../src/app/editor/table/fix-tables.ts'
import { readDocument } from '../../src/content/document/validate.ts'
import { parseDocument, printDocument } from '../support/edited-documents.ts'

/** Runs commands in a page with the selection between `<` and `>`, or the cursor at `|`; returns its Markdown. */
function run(markdown: string, ...commands: readonly (Command | undefined)[]): string {
  let state = EditorState.create({ doc: toEditor(parseDocument(markdown), new WeakMap()), plugins: [fixTables()] })
  const find = (character: string): number => {
    let found = -1
    state.doc.descendants((node, at) => {
      const index = node.text?.indexOf(character) ?? -1
      if (index >= 0) found = at + index
    })
    if (found >= 0) state = state.apply(state.tr.delete(found, found + 1))
    return found
  }
  const cursor = find('‸')
  const [from, to] = cursor >= 0 ? [cursor, cursor] : [find('«'), find('»')]
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)))
  for (const command of commands) command?.(state, (tr) => (state = state.apply(tr)))
  return printDocument(readDocument(JSON.parse(JSON.stringify(toDocument(state.doc, new WeakMap())))))
}

const type =
  (text: string): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.insertText(text))
    return true
  }

const typeText = type('!')

const code = (lines: string) => `\`\`\`txt\n${lines}\n\`\`\`\n`
const table = (a: string, b: string, c: string) => `| ${a}   | ${b}   |\n| --- | --- |\n| ${c}   | 2   |\n`
const columns = (left: string, right: string) =>
  `{% columns %}\n{% column %}\n${left}\n{% endcolumn %}\n\n{% column %}\n${right}\n{% endcolumn %}\n{% endcolumns %}\n`

const hint = (...texts: string[]) => `{% hint style="info" %}\n${texts.join('\n\n')}\n{% endhint %}\n`
const tab = (body: string) => `{% tabs %}\n{% tab title="A" %}\n${body}\n{% endtab %}\n{% endtabs %}\n`
const stepper = (...titles: string[]) =>
  `{% stepper %}\n${titles.map((title) => `{% step %}\n## ${title}\n{% endstep %}`).join('\n\n')}\n{% endstepper %}\n`

/** Deletes the block at a level around the cursor. */
const remove =
  (level: number): Command =>
  (state, dispatch) => {
    dispatch?.(deleteBlock(state.tr, listBlocksAt(state.selection.$from).at(level) ?? 0))
    return true
  }

test('Tab and Enter indent lines of code and replace none of them', () => {
  expect(run(code('a «{\nb\n»}'), editorKeys['Tab'])).toBe(code('  a {\n  b\n  }'))
  expect(run(code('  a «{\n    b»\n}'), editorKeys['Shift-Tab'])).toBe(code('a {\n  b\n}'))
  expect(run(code('a {\n  b‸\n}'), enter)).toBe(code('a {\n  b\n  \n}'))
})

test('deleting over the border of a table or column leaves what is not selected where it is', () => {
  expect(run(`First «one\n\n| a | b» |\n| --- | --- |\n| 1 | 2 |\n`, backspace)).toContain('<td>1</td><td>2</td>')
  expect(run(`First «one\n\n| a | »b |\n| --- | --- |\n| 1 | 2 |\n`, backspace)).toBe(
    `First\n\n${table(' ', 'b', '1')}`,
  )
  expect(run(`St«art\n\n${columns('Left', 'Ri»ght')}`, enter)).toBe(
    `St\n\n{% columns %}\n{% column %}\nght\n{% endcolumn %}\n{% endcolumns %}\n`,
  )
})

test('Backspace and Delete beside blocks of parts and in expandables lose no text', () => {
  const text = `${columns('Left', 'Right')}\n‸Text\n`
  expect(run(text, backspace)).toBe(text.replace('‸', ''))
  expect(run('<details>\n\n<summary>Title</summary>\n\n‸Body\n\n</details>\n', backspace, typeText)).toContain(
    '<summary>Title!</summary>',
  )
  expect(run('<details>\n\n<summary>‸Title</summary>\n\nBody\n\n</details>\n', backspace)).toBe('Title\n\nBody\n')
  expect(run('* One‸\n* Two\n  * Three\n', deleteForward)).toBe('* OneTwo\n  * Three\n')
})

/** Returns the Markdown of a block with two parts for each type of block whose parts have borders. */
const divided: readonly ((first: string, second: string) => string)[] = [
  columns,
  (first, second) =>
    `{% stepper %}\n{% step %}\n## One\n\n${first}\n{% endstep %}\n\n{% step %}\n${second}\n{% endstep %}\n{% endstepper %}\n`,
  (first, second) => tab(first).replace('{% endtabs', `\n{% tab title="B" %}\n${second}\n{% endtab %}\n{% endtabs`),
  (first, second) =>
    `{% updates format="full" %}\n{% update date="2026-03-01" %}\n${first}\n{% endupdate %}\n\n{% update date="2026-03-02" %}\n${second}\n{% endupdate %}\n{% endupdates %}\n`,
]

test('no key that deletes joins a part of a block with another one, or with the text beside the block', () => {
  const keys = {
    backwards: ['Backspace', 'Mod-Backspace', 'Shift-Backspace'],
    forwards: ['Delete', 'Mod-Delete'],
  }
  for (const make of divided) {
    for (const key of keys.forwards) {
      expect([key, run(make('Left‸', 'Right'), editorKeys[key], typeText)]).toEqual([key, make('Left!', 'Right')])
      const last = `${make('Left', 'Right‸')}\nText\n`
      expect([key, run(last, editorKeys[key], typeText)]).toEqual([key, last.replace('‸', '!')])
      const before = `Text‸\n\n${make('Left', 'Right')}`
      expect([key, run(before, editorKeys[key])]).toEqual([key, before.replace('‸', '')])
    }
    for (const key of keys.backwards)
      expect([key, run(make('Left', '‸Right'), editorKeys[key], typeText)]).toEqual([key, make('Left', '!Right')])
    expect(run(make('Le«ft', 'Ri»ght'), backspace)).toBe(make('Le', 'ght'))
  }
  expect(run('<details>\n\n<summary>Title‸</summary>\n\nBody\n\n</details>\n', deleteForward, typeText)).toContain(
    '\n\n!Body\n',
  )
})

test('Backspace and Delete remove an empty step or column', () => {
  const three = (...middle: string[]) => columns('Left', 'Right').replace('\n\n', ['\n', ...middle, ''].join('\n'))
  const empty = '{% column %}\n‸\n{% endcolumn %}\n'
  expect(run(three(empty), backspace, typeText)).toBe(columns('Left!', 'Right'))
  expect(run(three(empty), deleteForward, typeText)).toBe(columns('Left', '!Right'))
  expect(run(columns('‸', 'Right'), backspace, typeText)).toBe(
    '{% columns %}\n{% column %}\n!Right\n{% endcolumn %}\n{% endcolumns %}\n',
  )
  expect(run(stepper('One‸'), editorKeys['Mod-Enter'], backspace, backspace, typeText)).toBe(stepper('One!'))
  // A tab has a title, which is not deleted with a key.
  const tabs = tab('In A').replace('{% endtabs', '\n{% tab title="B" %}\n‸\n{% endtab %}\n{% endtabs')
  expect(run(tabs, backspace, typeText)).toBe(tabs.replace('‸', '!'))
})

test('marks do not contain the spaces and line breaks at their edges', () => {
  const { bold, italic, strikethrough, code: codeMark, keyboard } = markCommands
  const write = (...commands: Command[]) => run('A‸', ...commands)
  expect(write(bold, type(' b '), bold, type('c'))).toBe('A **b** c\n')
  expect(write(strikethrough, type(' '), italic, type(' b '), strikethrough, type(' c'))).toBe('A  _~~b~~  c_\n')
  expect(write(bold, type(' '), bold, type('b'))).toBe('A b\n')
  expect(write(bold, insertBreak, type('b c'), insertBreak, type('d'), insertBreak, bold, type('e'))).toBe(
    'A\\\n**b c\\\nd**\\\ne\n',
  )
  expect(run('A ‸', bold, codeMark, type(' b '), codeMark, type('c'))).toBe('A **`  b  `c**\n')
  expect(write(keyboard, type(' b '))).toBe('A<kbd> b</kbd>\n')
  expect(run('«One [two](https://example.com/) three»', bold)).toBe(
    '**One** [**two**](https://example.com/) **three**\n',
  )
  expect(run('«One :rocket: three»', bold)).toBe('**One** :rocket: **three**\n')
})

test('Backspace and Delete beside code and blocks that are not edited in place delete nothing', () => {
  const text = 'Be**fore**\n\n```txt\none\ntwo\n```\n\n{% embed url="https://example.com/" %}\n\n**A**fter\n'
  const at = (found: string, replaced: string) => text.replace(found, replaced)
  expect(run(at('fore**', 'fore‸**'), deleteForward, typeText)).toBe(at('one', '!one'))
  expect(run(at('**A', '**‸A'), backspace)).toBe(text)
  expect(run(at('**A', '**‸A'), backspace, backspace)).toBe(at('{% embed url="https://example.com/" %}\n\n', ''))
  const after = '```txt\none\ntwo\n```\n\n‸**A**fter\n'
  expect(run(after, backspace, typeText)).toBe(after.replace('‸', '').replace('two', 'two!'))
})

test('lists become other lists, and several paragraphs one block of code', () => {
  expect(run('* One\n* Tw‸o\n', wrapList('list_ordered'))).toBe('1. One\n2. Two\n')
  expect(run('1. «One\n2. Two»\n', wrapList('list_tasks'))).toBe('* [ ] One\n* [ ] Two\n')
  expect(run('«One\n\nTwo»\n', setCode)).toBe('```\nOne\nTwo\n```\n')
})

test('Ctrl+Enter adds a step or a column after the one with the cursor', () => {
  const added = `{% column %}\n!\n{% endcolumn %}`
  expect(run(columns('Le‸ft', 'Right'), editorKeys['Mod-Enter'], typeText)).toBe(
    columns('Left', 'Right').replace('{% endcolumn %}\n\n', `{% endcolumn %}\n\n${added}\n\n`),
  )
  const steps = '{% stepper %}\n{% step %}\n## One\n\nText‸\n{% endstep %}\n{% endstepper %}\n'
  expect(run(steps, editorKeys['Mod-Enter'], typeText)).toBe(
    steps.replace('‸', '').replace('{% endstepper %}', '\n{% step %}\n## !\n{% endstep %}\n{% endstepper %}'),
  )
})

test('blocks in containers and items of lists are moved with the keyboard', () => {
  const [up, down] = [moveBlockCommand(-1), moveBlockCommand(1)]
  expect(run(`Before\n\n${hint('One', 'Tw‸o')}`, up, typeText)).toBe(`Before\n\n${hint('Tw!o', 'One')}`)
  expect(run(`Before\n\n${hint('One', 'Tw‸o')}`, up, up)).toBe(`Before\n\nTwo\n\n${hint('One')}`)
  expect(run(`${hint('One', 'Tw‸o')}\nAfter\n`, down, down)).toBe(`${hint('One')}\nAfter\n\nTwo\n`)
  expect(run('* One\n* Tw‸o\n  * Three\n', up)).toBe('* Two\n  * Three\n* One\n')
  expect(run('* [ ] One\n* [x] Tw‸o\n', down, up)).toBe('* [x] Two\n* [ ] One\n')
  expect(run(stepper('O‸ne', 'Two'), down, up)).toBe(stepper('One', 'Two'))
})

test('a deleted block leaves no invalid container', () => {
  expect(run('* On‸e\n\nText\n', remove(-1))).toBe('Text\n')
  expect(run('* One\n  * Tw‸o\n', remove(-1))).toBe('* One\n')
  expect(run(columns('Le‸ft', 'Right'), remove(-1), typeText)).toBe(columns('!', 'Right'))
  expect(run(columns('Le‸ft', 'Right'), remove(0), typeText)).toBe('!\n')
})

test('an empty paragraph at the end of a container leaves it', () => {
  const details = '<details>\n\n<summary>Title</summary>\n\nBody‸\n\n</details>\n'
  expect(run(details, enter, enter, typeText)).toBe(`${details.replace('‸', '')}\n!\n`)
  expect(run(tab('Body‸'), enter, enter, typeText)).toBe(`${tab('Body')}\n!\n`)
  expect(run(hint('Body‸'), enter, enter, typeText)).toBe(`${hint('Body')}\n!\n`)
  expect(run('> Body‸\n', enter, enter, typeText)).toBe('> Body\n\n!\n')
  expect(run(columns('Left', 'Right‸'), enter, enter, typeText)).toBe(`${columns('Left', 'Right')}\n!\n`)
  expect(run(columns('Left‸', 'Right'), enter, enter, typeText)).toBe(columns('Left\n\n!', 'Right'))
  const step = '{% stepper %}\n{% step %}\n## One\n\nText‸\n\nMore\n{% endstep %}\n{% endstepper %}\n'
  expect(run(step, enter, enter, typeText)).toBe(step.replace('‸', '\n\n!'))
})

test('several selected blocks become one block', () => {
  const two = '«One\n\nTwo»\n'
  expect(run(two, insertColumns)).toBe(columns('One', 'Two'))
  expect(run(two, wrapList('list_unordered'))).toBe('* One\n* Two\n')
  expect(run(two, insertStepper)).toBe(stepper('One', 'Two').replaceAll('## ', '### '))
  expect(run(two, insertExpandable)).toBe('<details>\n\n<summary>One</summary>\n\nTwo\n\n</details>\n')
  expect(run('* «One\n* Two\n\nThr»ee\n', insertExpandable)).toContain('<summary></summary>\n\n* One\n* Two\n\nThree\n')
})

test('text between tags that format it is edited like other text', () => {
  const underline = editorKeys['Mod-u']
  expect(run('One <u>tw‸o</u> three\n', typeText)).toBe('One <u>tw!o</u> three\n')
  expect(run('One <u>two‸</u>\n', typeText)).toBe('One <u>two</u>!\n')
  expect(run('One <u class="x">tw‸o <small>a</small></u>\n', typeText)).toBe(
    'One <u class="x">tw!o <small>a</small></u>\n',
  )
  expect(run('[<u>tw‸o</u>](https://a.example) <u>[a](https://b.example)</u>\n', typeText)).toBe(
    '[<u>tw!o</u>](https://a.example) <u>[a](https://b.example)</u>\n',
  )
  expect(run('One <u>t‸wo</u>\n', enter)).toBe('One <u>t</u>\n\n<u>wo</u>\n')
  expect(run('**One <u>tw‸o</u> three**\n', typeText)).toBe('**One** <u>**tw!o**</u> **three**\n')
  expect(run('One <u>tw‸o\n', typeText)).toBe('One <u>tw!o\n')
  expect(run('One «two»\n', underline)).toBe('One <u>two</u>\n')
  expect(run('One <u>«two»</u>\n', underline)).toBe('One two\n')
})

test('code that becomes another block keeps its text', () => {
  const lines = code('a\nb‸')
  const kept = code('a\nb')
  expect(run(lines, insertColumns)).toBe(columns(kept.trimEnd(), '').replace('{% column %}\n\n', '{% column %}\n'))
  expect(run(lines, insertExpandable)).toContain(kept)
  expect(run(lines, insertStepper)).toContain(kept)
  expect(run(lines, insertCondition)).toContain(kept)
  expect(
    run(
      lines,
      replaceBlock((text) => [paragraph(text)]),
    ),
  ).toBe('a\\\nb\n')
})
