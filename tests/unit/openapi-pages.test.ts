import { describe, expect, test } from 'vitest'
import { toStoredOutline } from '../../src/openapi/former-paths.ts'
import { type GeneratedPage, type GenerationOptions, generatePages } from '../../src/openapi/generate-pages.ts'
import { createOutline } from '../../src/openapi/outline.ts'
import { OpenApiSpec } from '../../src/openapi/spec.ts'

const outlineOf = (document: Record<string, unknown>, time = '2026-01-01') =>
  createOutline(new OpenApiSpec({ openapi: '3.1.0', ...document }), time)

const defaults: GenerationOptions = {
  ref: { kind: 'openapi', spec: 'api' },
  grouping: 'by-tag',
  hasModels: false,
  hasDownloadLink: false,
  hasGroups: true,
}

/** Formats pages: slug, title if it differs, and the operations of each. */
function format(pages: readonly GeneratedPage[], indent = ''): string[] {
  return pages.flatMap(({ type, slug, title, operations, pages: children }) => {
    const kind = type === 'document' ? '' : `${type} `
    const shown = operations.map(({ method, path }) => ` ${method} ${path}`).join(',')
    return [`${indent}${kind}${slug} "${title}"${shown}`, ...format(children, `${indent}  `)]
  })
}

const generate = (document: Record<string, unknown>, options: Partial<GenerationOptions> = {}) =>
  format(generatePages(outlineOf(document), { ...defaults, ...options }))

const get = (...tags: string[]) => ({ get: { tags } })

describe('pages of tags', () => {
  test('contain the operations of the tag, in the order of the document', () => {
    const paths = { '/a': { get: { tags: ['one', 'two'] }, post: { tags: ['one'] } }, '/b': get('two') }
    expect(generate({ paths, tags: [{ name: 'two' }, { name: 'one' }] })).toEqual([
      'two "two" get /a, get /b',
      'one "one" get /a, post /a',
    ])
  })

  test('follow the tags that operations use without a declaration', () => {
    expect(generate({ paths: { '/a': get('used'), '/b': get('declared') }, tags: [{ name: 'declared' }] })).toEqual([
      'declared "declared" get /b',
      'used "used" get /a',
    ])
  })

  test('have titles, icons and descriptions of extensions', () => {
    const tag = {
      name: 'a',
      'x-page-title': 'First',
      'x-page-icon': 'bolt',
      'x-page-description': 'Short',
      description: 'L',
    }
    const [page] = generatePages(outlineOf({ paths: { '/a': get('a') }, tags: [tag] }), defaults)
    expect(page).toMatchObject({ title: 'First', slug: 'first', icon: 'bolt', description: 'Short' })
    expect(page?.blocks.map(({ type }) => type)).toEqual(['paragraph', 'openapi-operation'])
  })

  test('are below the page of their parent; cycles and missing parents are ignored', () => {
    const tags = [
      { name: 'child', parent: 'root' },
      { name: 'root' },
      { name: 'lost', parent: 'missing' },
      { name: 'x', parent: 'y' },
      { name: 'y', 'x-parent': 'x' },
      { name: 'self', parent: 'self' },
    ]
    const paths = Object.fromEntries(tags.map(({ name }) => [`/${name}`, get(name)]))
    expect(generate({ paths, tags })).toEqual([
      'root "root" get /root',
      '  child "child" get /child',
      'lost "lost" get /lost',
      'x "x" get /x',
      'y "y" get /y',
      'self "self" get /self',
    ])
  })

  test('are in groups, if the place allows groups', () => {
    const paths = { '/a': get('a'), '/b': get('b'), '/c': get('c') }
    const document = {
      paths,
      'x-tagGroups': [
        { name: 'G', tags: ['c', 'a', 'none'] },
        { name: 'Empty', tags: ['none'] },
      ],
    }
    expect(generate(document)).toEqual(['b "b" get /b', 'group g "G"', '  c "c" get /c', '  a "a" get /a'])
    expect(generate(document, { hasGroups: false })).toEqual(['c "c" get /c', 'a "a" get /a', 'b "b" get /b'])
  })

  test('omit what is internal and tags without content', () => {
    const paths = {
      '/a': { get: { tags: ['a'], 'x-internal': true }, put: { tags: ['a'] } },
      '/b': get('secret'),
      '/c': get('secret', 'a'),
    }
    const tags = [{ name: 'a' }, { name: 'secret', 'x-internal': true }, { name: 'empty' }]
    expect(generate({ paths, tags })).toEqual(['a "a" put /a, get /c'])
  })
})

test('operations without tags are on a page of their own, and webhooks are operations', () => {
  const document = { info: { title: 'Store' }, paths: { '/a': get() }, webhooks: { sold: { post: {} } } }
  expect(generate(document)).toEqual(['operations "Store" get /a, post sold'])
  expect(generate(document, { grouping: 'by-operation' })).toEqual(['get-a "GET /a" get /a', 'sold "sold" post sold'])
  expect(generate({ ...document, paths: { '/a': get(), '/b': get('b') } })).toEqual([
    'operations "Operations" get /a, post sold',
    'b "b" get /b',
  ])
})

test('pages of operations have slugs of their IDs, with numbers if they collide', () => {
  const paths = {
    '/a': { get: { tags: ['t'], operationId: 'listPets', summary: 'All pets' } },
    '/b': { get: { tags: ['t'], operationId: 'list-pets' } },
    '/c/{id}': { get: { tags: ['t', 'second'], deprecated: true } },
  }
  expect(generate({ paths }, { grouping: 'by-operation' })).toEqual([
    't "t"',
    '  list-pets "All pets" get /a',
    '  list-pets-1 "GET /b" get /b',
    '  get-c-id "GET /c/{id}" get /c/{id}',
  ])
})

test('there are pages for the description of the API and for schemas', () => {
  const document = {
    info: { title: 'Store', description: '# Hello\n\nText' },
    components: { schemas: { Pet: {}, Secret: { 'x-internal': true } } },
  }
  const pages = generatePages(outlineOf(document), { ...defaults, hasModels: true, hasDownloadLink: true })
  expect(format(pages)).toEqual([
    'introduction "Store"',
    'models "Models"',
    'link openapi-specification "OpenAPI specification"',
  ])
  expect(pages[0]?.blocks.map(({ type }) => type)).toEqual(['heading-1', 'paragraph'])
  expect(pages[1]?.blocks).toMatchObject([{ type: 'openapi-schemas', data: { schemas: ['Pet'] } }])
})

test('descriptions include no other content', () => {
  const description = [
    'Text [page](/pages/abc) and ![](/files/f).',
    '{% include "/reusable-content/r" %}',
    '{% openapi-operation spec="private" path="/a" method="get" %}\n[x](/openapi/private)\n{% endopenapi-operation %}',
    '{% if visitor.claims.x %}\nshown\n{% endif %}',
  ].join('\n\n')
  const { introduction } = outlineOf({ info: { description } })
  const text = JSON.stringify(introduction)
  expect(text).toContain('{"kind":"url","url":"/pages/abc"}')
  expect(text).not.toMatch(/"kind":"(page|file|openapi|reusable-content)"|openapi-operation"|"reusable-content"/)
})

const store = (document: Record<string, unknown>, previous?: string) =>
  JSON.stringify(toStoredOutline(outlineOf(document), previous))

const withOperation = (tag: string, operationId: string) => ({ paths: { '/a': { get: { tags: [tag], operationId } } } })
const withTag = (tag: string) => ({ paths: { '/a': get(tag) } })
const withSummary = (summary: string) => ({ paths: { '/a': { get: { summary } }, '/b': get() } })

test('a tag with very many operations has a page for each of them', () => {
  const paths = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`/${index}`, get('many')]))
  const [page] = generatePages(outlineOf({ paths }), defaults)
  expect([page?.operations.length, page?.pages.length, page?.pages[0]?.slug]).toEqual([0, 31, 'get-0'])
})

describe('former paths', () => {
  test('lead to the same operation, also after several versions', () => {
    const first = store(withOperation('one', 'first'))
    const second = store(withOperation('two', 'second'), first)
    const { former } = toStoredOutline(outlineOf(withOperation('two', 'third')), second)
    expect(former['by-operation']).toEqual({
      one: ['tag one', 'operation get /a'],
      'one/first': ['operation get /a', 'operation get /a'],
      'two/second': ['operation get /a', 'operation get /a'],
    })
    expect(former['by-tag']).toEqual({ one: ['tag one', 'operation get /a'] })
  })

  test('end when a page has the path again', () => {
    const second = store(withTag('two'), store(withTag('one')))
    expect(toStoredOutline(outlineOf(withTag('one')), second).former['by-tag']).toEqual({
      two: ['tag two', 'operation get /a'],
    })
  })

  test('operations keep the time of their last change', () => {
    const before = store(withSummary('Old'))
    const { outline } = toStoredOutline(outlineOf(withSummary('New'), '2026-02-02'), before)
    expect(outline.operations.map(({ path, changedAt }) => [path, changedAt])).toEqual([
      ['/a', '2026-02-02'],
      ['/b', '2026-01-01'],
    ])
  })
})
