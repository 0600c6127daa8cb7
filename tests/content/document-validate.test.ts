import { describe, expect, test } from 'vitest'
import { createDocument, leaf, mark, paragraph } from '../../src/content/document/build.ts'
import type { Block } from '../../src/content/document/nodes.ts'
import { readDocument } from '../../src/content/document/validate.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { blockOfEachType, inlineOfEachType, randomDocument, quote, textParagraph, textNode } from '../support/blocks.ts'

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const documentWith = (...nodes: readonly unknown[]) => ({ object: 'document', data: { schemaVersion: 1 }, nodes })
const paragraphWith = (...nodes: readonly unknown[]) => ({ object: 'block', type: 'paragraph', nodes })
const read = (...nodes: readonly unknown[]) => readDocument(documentWith(...nodes)).nodes

function refusal(value: unknown): { path: string; message: string } {
  try {
    readDocument(value)
  } catch (error) {
    if (error instanceof Error && 'path' in error) return { path: String(error.path), message: error.message }
    throw error
  }
  throw new Error('The document was accepted')
}

describe('accepts unchanged', () => {
  test.each(Object.entries(blockOfEachType))('the block %s', (_, block) => {
    expect(read(throughJson(block))).toEqual([block])
  })

  test.each(Object.entries(inlineOfEachType))('the inline %s', (_, inline) => {
    expect(read(throughJson(paragraph([inline])))).toEqual([paragraph([inline])])
  })

  test.each([
    { kind: 'file', file: 'f', space: 's' },
    { kind: 'url', url: 'x' },
    { kind: 'page', page: 'p', space: 's' },
    { kind: 'anchor', anchor: 'a' },
    { kind: 'user', user: 'u' },
    { kind: 'collection', collection: 'c' },
    { kind: 'space', space: 's' },
    { kind: 'reusable-content', reusableContent: 'r' },
    { kind: 'tag', tag: 't' },
    { kind: 'openapi', spec: 'o' },
  ])('a reference of kind $kind', (ref) => {
    const block = { object: 'block', type: 'content-ref', isVoid: true, data: { ref } }
    expect(read(block)).toEqual([block])
  })

  test('generated documents', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const document = randomDocument(seed)
      expect(readDocument(throughJson(document))).toEqual(document)
    }
  })

  test('documents parsed from Markdown', () => {
    const source = [
      '{% prompt %}\n```\nx\n```\n{% endprompt %}',
      '{% code %}\n```\nx\n```\n{% endcode %}',
      '{% updates %}\n{% update date="2026-01-31" tags="a,b" %}\nText\n{% endupdate %}\n{% endupdates %}',
      '## Title <a href="#My_Id" id="My_Id"></a>',
      '| a | b |\n| :-: | - |\n| x[^1] | |',
      '[^1]: note',
    ].join('\n\n')
    const { document } = parsePage(source, { references: verbatimReferences, isExpression: () => true })
    expect(readDocument(throughJson(document))).toEqual(document)
  })

  test('blocks nested more freely than editors allow', () => {
    const nodes = [quote(blockOfEachType['list-item'], blockOfEachType.tabs, blockOfEachType.if)]
    expect(read(...nodes)).toEqual(nodes)
  })
})

describe('documents that Markdown cannot represent', () => {
  const titled = (nodes: readonly unknown[], ...more: readonly unknown[]) =>
    documentWith({
      object: 'block',
      type: 'expandable',
      fragments: [{ object: 'fragment', type: 'expandable-title', nodes }, ...more],
    })
  const body = { object: 'fragment', type: 'expandable-body', nodes: [textParagraph('body')] }

  test.each([
    ['a title of two paragraphs', titled([textParagraph('a'), textParagraph('b')]), 'nodes.0.fragments.0.nodes.1'],
    ['a title that is a heading', titled([blockOfEachType['heading-2']]), 'nodes.0.fragments.0.nodes.0.type'],
    ['a title that is a list', titled([blockOfEachType['list-ordered']]), 'nodes.0.fragments.0.nodes.0.type'],
    [
      'a title that is aligned',
      titled([{ ...textParagraph('a'), data: { align: 'center' } }]),
      'nodes.0.fragments.0.nodes.0.data.align',
    ],
    [
      'two titles',
      titled([textParagraph('a')], { object: 'fragment', type: 'expandable-title' }),
      'nodes.0.fragments.1.type',
    ],
    ['two bodies', titled([textParagraph('a')], body, body), 'nodes.0.fragments.2.type'],
    ['another part', titled([textParagraph('a')], { object: 'fragment', type: 'other' }), 'nodes.0.fragments.1.type'],
    [
      'two captions',
      documentWith({ ...blockOfEachType.file, fragments: [1, 2].map(() => ({ nodes: [textParagraph('caption')] })) }),
      'nodes.0.fragments.1',
    ],
    [
      'two bodies of an annotation',
      documentWith(paragraphWith({ ...inlineOfEachType.annotation, fragments: [{ nodes: [] }, { nodes: [] }] })),
      'nodes.0.nodes.0.fragments.1',
    ],
  ])('rejects %s', (_, document, path) => {
    expect(refusal(throughJson(document)).path).toBe(path)
  })

  test('accepts an expandable with a title of one line', () => {
    const block = titled([textParagraph('a')], body)
    expect(readDocument(block).nodes).toEqual([{ ...(block.nodes[0] as object), isVoid: true, data: {} }])
  })
})

describe('normalization', () => {
  test('removes computed and unknown fields', () => {
    const block = {
      object: 'block',
      type: 'heading-1',
      isVoid: false,
      data: { id: 'a', color: 'red' },
      meta: { id: 'b' },
      nodes: [],
      extra: 1,
    }
    expect(readDocument({ ...documentWith(block), meta: { token: 'x' } })).toEqual(
      createDocument([{ object: 'block', type: 'heading-1', data: { id: 'a' }, nodes: [] }]),
    )
  })

  test('removes empty data from texts and containers and adds it to void blocks', () => {
    expect(read({ ...paragraphWith(), data: { align: null } })).toEqual([paragraph([])])
    expect(read({ object: 'block', type: 'divider' })).toEqual([blockOfEachType.divider])
  })

  test('adds missing nodes, fragments, marks and the schema version', () => {
    expect(readDocument({ object: 'document', nodes: [{ object: 'block', type: 'paragraph' }] })).toEqual(
      createDocument([paragraph([])]),
    )
    expect(read({ object: 'block', type: 'expandable' })).toEqual([
      { object: 'block', type: 'expandable', isVoid: true, data: {}, fragments: [] },
    ])
    expect(read(paragraphWith({ object: 'text', leaves: [{ text: 'a' }] }))).toEqual([textParagraph('a')])
  })

  test('removes the fragments of an image without a caption', () => {
    const data = { ref: { kind: 'url', url: 'x' } }
    expect(read({ object: 'block', type: 'image', data, fragments: [] })).toEqual([
      { object: 'block', type: 'image', isVoid: true, data },
    ])
  })

  test('joins adjacent texts and removes empty ones', () => {
    const nodes = [
      { object: 'text', key: 't', leaves: [{ text: 'a', marks: [] }, { text: '' }, { text: 'b' }] },
      { object: 'text', leaves: [{ text: 'c', marks: [mark('bold')] }] },
      { object: 'inline', type: 'emoji', data: { code: '2705' } },
      { object: 'text', leaves: [{ text: '' }] },
    ]
    expect(read(paragraphWith(...nodes))).toEqual([
      paragraph([
        { object: 'text', key: 't', leaves: [leaf('ab'), leaf('c', [mark('bold')])] },
        { object: 'inline', type: 'emoji', isVoid: true, data: { code: '2705' } },
      ]),
    ])
  })

  test('reduces the language of code to one line and trims the titles of columns', () => {
    const code = { object: 'block', type: 'code', data: { syntax: 'js\nalert()' }, nodes: [] }
    expect(read(code)).toEqual([{ ...code, data: { syntax: 'js alert()' } }])
    const { table } = blockOfEachType
    const { c1 } = table.data.definition
    const definition = { ...table.data.definition, c1: { ...c1, title: ' Name ' } }
    expect(read(throughJson({ ...table, data: { ...table.data, definition } }))).toEqual([table])
  })

  test('sorts marks and removes duplicates', () => {
    const marks = ['code', 'italic', 'bold', 'italic'].map((type) => ({ object: 'mark', type }))
    expect(read(paragraphWith({ object: 'text', leaves: [{ object: 'leaf', text: 'a', marks }] }))).toEqual([
      paragraph([{ object: 'text', leaves: [leaf('a', [mark('bold'), mark('italic'), mark('code')])] }]),
    ])
  })

  test('accepts a text without leaves, as in older documents', () => {
    expect(read(paragraphWith({ object: 'text', text: 'a', marks: [mark('bold')] }))).toEqual([
      paragraph([{ object: 'text', leaves: [leaf('a', [mark('bold')])] }]),
    ])
  })

  test('converts slugs in the tags of updates to references', () => {
    const update = {
      object: 'block',
      type: 'update',
      data: { date: '2026-01-31', tags: ['new'] },
    }
    const tags = [{ kind: 'tag', tag: 'new' }]
    expect(read(update)).toEqual([{ ...update, data: { date: '2026-01-31', tags }, nodes: [] }])
  })

  test('converts minus zero to zero', () => {
    const block = { object: 'block', type: 'integration', data: { integration: 'a', block: 'b', props: { n: -0 } } }
    expect(JSON.stringify(read(block))).toContain('"n":0')
    expect(read(block)).toEqual(read(throughJson(block)))
  })
})

const table = (data: object) =>
  documentWith({ ...blockOfEachType.table, data: { ...blockOfEachType.table.data, ...data } })
const withText = (text: string) => documentWith(paragraphWith({ object: 'text', leaves: [{ text }] }))
const withInline = (inline: unknown) => documentWith(paragraphWith(inline))
const withBlock = (type: string, data: unknown) => documentWith({ object: 'block', type, data })

describe('invalid documents', () => {
  test.each<[name: string, value: unknown, path: string, message: string | RegExp]>([
    ['nothing', null, '', 'Must be an object'],
    ['a list', [], '', 'Must be an object'],
    ['another object', { object: 'page', nodes: [] }, 'object', 'Must be "document"'],
    ['no nodes', { object: 'document' }, 'nodes', 'Must be a list'],
    ['nodes by name', { object: 'document', nodes: { 0: textParagraph('a') } }, 'nodes', 'Must be a list'],
    ['a text at the top', documentWith(textNode('a')), 'nodes.0.object', 'Must be "block"'],
    ['an unknown block', withBlock('carousel', {}), 'nodes.0.type', 'Unknown block type "carousel"'],
    ['a block of no type', withBlock(undefined as unknown as string, {}), 'nodes.0.type', 'Must be the name of a type'],
    ['an inherited name as type', withBlock('constructor', {}), 'nodes.0.type', /^Unknown block type/],
    ['an object as type', documentWith({ object: 'block', type: {} }), 'nodes.0.type', 'Must be the name of a type'],
    [
      'an unknown inline',
      withInline({ object: 'inline', type: 'blink' }),
      'nodes.0.nodes.0.type',
      /inline type "blink"/,
    ],
    ['a block in a text', withInline(textParagraph('a')), 'nodes.0.nodes.0.object', 'Must be "text" or "inline"'],
    [
      'text in a quote',
      documentWith({ ...quote(), nodes: [textNode('a')] }),
      'nodes.0.nodes.0.object',
      'Must be "block"',
    ],
    [
      'an unknown mark',
      withInline({ object: 'text', leaves: [{ text: 'a', marks: [{ type: 'blink' }] }] }),
      'nodes.0.nodes.0.leaves.0.marks.0.type',
      'Unknown mark type "blink"',
    ],
    [
      'an unknown colour',
      withInline({ object: 'text', leaves: [{ text: 'a', marks: [{ type: 'color', data: { text: '#fff' } }] }] }),
      'nodes.0.nodes.0.leaves.0.marks.0.data.text',
      /Must be one of default, green/,
    ],
    [
      'a list of paragraphs',
      documentWith({ object: 'block', type: 'list-ordered', nodes: [textParagraph('a')] }),
      'nodes.0.nodes.0.type',
      'Only blocks of type "list-item" are allowed here',
    ],
    ['an unknown style', withBlock('hint', { style: 'tip' }), 'nodes.0.data.style', /info, warning, danger, success/],
    ['no style', documentWith({ object: 'block', type: 'hint' }), 'nodes.0.data.style', /Must be one of/],
    ['data that is a text', withBlock('hint', 'info'), 'nodes.0.data', 'Must be an object'],
    ['a half start', withBlock('list-ordered', { start: 1.5 }), 'nodes.0.data.start', 'Must be a whole number'],
    [
      'a negative start',
      withBlock('list-ordered', { start: -1 }),
      'nodes.0.data.start',
      'Must be between 0 and 999999999',
    ],
    ['an id with a space', withBlock('heading-2', { id: 'a b' }), 'nodes.0.data.id', /Must be an id/],
    ['an empty id', withBlock('heading-2', { id: '' }), 'nodes.0.data.id', /Must be an id/],
    ['an unknown kind', withBlock('content-ref', { ref: { kind: 'site' } }), 'nodes.0.data.ref.kind', /Must be one of/],
    ['a page as file', withBlock('file', { ref: { kind: 'page', page: 'p' } }), 'nodes.0.data.ref.kind', /file, url/],
    [
      'a reference to nothing',
      withBlock('file', { ref: { kind: 'file' } }),
      'nodes.0.data.ref.file',
      'Must be a string',
    ],
    ['a page as tag', withBlock('update', { tags: [{ kind: 'page', page: 'a' }] }), 'nodes.0.data.tags.0.kind', /tag/],
    [
      'a flag that is a text',
      withBlock('tabs', { fullWidth: 'true' }),
      'nodes.0.data.fullWidth',
      'Must be true or false',
    ],
    ['NUL', withText('a\0b'), 'nodes.0.nodes.0.leaves.0.text', /NUL/],
    ['half a pair', withText('a\ud83d'), 'nodes.0.nodes.0.leaves.0.text', /surrogate/],
    ['a key that is a number', documentWith({ ...textParagraph('a'), key: 1 }), 'nodes.0.key', 'Must be a string'],
    ['an endless number', withBlock('column', { width: JSON.parse('1e999') }), 'nodes.0.data.width', /Must be between/],
    [
      'a cell that is a document',
      table({ records: { r: { orderIndex: '1', values: { c: {} } } } }),
      'nodes.0.data.records.r.values.c.kind',
      /Must be one of/,
    ],
    [
      'a column of another name',
      table({ definition: { a: { id: 'b', type: 'text' } } }),
      'nodes.0.data.definition.a.id',
      /key of the column/,
    ],
    [
      'too wide a merge',
      table({ cellMerges: [{ anchor: { record: 'r', column: 'c' }, rowSpan: 51, colSpan: 1 }] }),
      'nodes.0.data.cellMerges.0.rowSpan',
      'Must be between 1 and 50',
    ],
    [
      'a prototype as a name',
      withBlock('integration', { integration: 'a', block: 'b', props: JSON.parse('{"__proto__":{"x":1}}') }),
      'nodes.0.data.props.__proto__',
      'Must not be `__proto__`',
    ],
    [
      'NUL in a name',
      withBlock('integration', { integration: 'a', block: 'b', props: { 'a\0': 1 } }),
      'nodes.0.data.props.a\0',
      /NUL/,
    ],
  ])('rejects %s with its path and a message', (_, value, path, message) => {
    const refused = refusal(value)
    expect(refused.path).toBe(path)
    expect(refused.message).toMatch(message)
  })

  test('ignores inherited fields', () => {
    const block: unknown = Object.create(textParagraph('a'))
    expect(refusal(documentWith(block)).path).toBe('nodes.0.object')
  })

  test('shortens a long unknown type in the error message', () => {
    expect(refusal(withBlock('x'.repeat(1_000_000), {})).message.length).toBeLessThan(200)
  })
})

const wrapped = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = {}
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

describe('deep nesting', () => {
  test.each<[string, (inner: unknown) => unknown]>([
    ['blocks', (inner) => ({ object: 'block', type: 'blockquote', nodes: [inner] })],
    [
      'inlines',
      (inner) => ({ object: 'inline', type: 'link', data: { ref: { kind: 'url', url: '' } }, nodes: [inner] }),
    ],
    ['lists', (inner) => [inner]],
    ['objects', (inner) => ({ inner })],
  ])('rejects %s nested 100,000 deep', (_, wrap) => {
    const deep = wrapped(100_000, wrap)
    expect(() => readDocument(documentWith(deep))).toThrow('nested deeper than 50 levels')
    expect(() => readDocument(withBlock('integration', { integration: 'a', block: 'b', props: { deep } }))).toThrow(
      'nested deeper than 50 levels',
    )
  })

  test('accepts 50 levels of annotations', () => {
    let block: Block = textParagraph('inmost')
    for (let level = 1; level < 50; level++) {
      block = paragraph([{ ...inlineOfEachType.annotation, fragments: [{ object: 'fragment', nodes: [block] }] }])
    }
    expect(read(block)).toEqual([block])
  })
})
