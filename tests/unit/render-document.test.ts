import { parseHTML } from 'linkedom'
import { describe, expect, test } from 'vitest'
import { createDocument, leaf, paragraph } from '../../src/content/document/build.ts'
import { maxNesting } from '../../src/content/document/limits.ts'
import { type Block, type Document, type InlineNode, colorNames } from '../../src/content/document/nodes.ts'
import { withAnchorIds } from '../../src/content/document/outline.ts'
import { walkBlocks as blocksIn, walkInlines } from '../../src/content/document/walk.ts'
import { toSlug } from '../../src/content/markdown/slug.ts'
import { renderDocument } from '../../src/render/document.ts'
import { markup, nothing } from '../../src/render/html.ts'
import type { RenderContext } from '../../src/render/render-context.ts'
import { expectLinear } from '../support/growth.ts'
import {
  annotation,
  blockOfEachType,
  inlineOfEachType,
  link,
  quote,
  textParagraph,
  textNode,
} from '../support/blocks.ts'
import { DocumentEditor, collectWords } from '../support/edited-documents.ts'
import { documentWithEveryBlock, placeholderTargets } from '../support/every-block.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { createRenderContext } from '../support/render-context.ts'

const html = (document: Document, more: Partial<RenderContext> = {}) =>
  renderDocument(document, createRenderContext(more)).text
const shown = (nodes: readonly Block[], more: Partial<RenderContext> = {}) => {
  const { document } = parseHTML(`<!doctype html><html><body>${html(createDocument(nodes), more)}</body></html>`)
  return document.body
}
const line = (...nodes: InlineNode[]) => shown([paragraph(nodes)])

test('the test page contains every type of block, inline, mark and color', () => {
  const blocks = new Set<string>()
  const inlines = new Set<string>()
  const colours = new Set<string>()
  for (const block of blocksIn(documentWithEveryBlock(placeholderTargets))) {
    blocks.add(block.type)
    for (const inline of walkInlines(block)) {
      if (inline.object === 'inline') inlines.add(inline.type)
      else
        for (const { marks } of inline.leaves)
          for (const one of marks) {
            inlines.add(one.type)
            if (one.type === 'color') colours.add(one.data.text ?? one.data.background ?? '')
          }
    }
  }
  expect([...blocks].sort()).toEqual(Object.keys(blockOfEachType).sort())
  const marks = ['bold', 'italic', 'code', 'keyboard', 'strikethrough', 'superscript', 'subscript', 'color']
  expect([...inlines].sort()).toEqual([...Object.keys(inlineOfEachType), ...marks].sort())
  expect(colours.size).toBe(colorNames.length - 1)
})

test('ids on a page are unique, and every referenced id exists', () => {
  const document = withAnchorIds(documentWithEveryBlock(placeholderTargets), toSlug)
  const body = shown(document.nodes)
  const ids = [...body.querySelectorAll('[id]')].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const name of ['for', 'popovertarget', 'aria-labelledby']) {
    const pointed = [...body.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name) ?? '')
    expect(pointed.length).toBeGreaterThan(0)
    expect(pointed.filter((id) => !ids.includes(id))).toEqual([])
  }
})

test('every anchor of a document exists on the page', () => {
  const document = withAnchorIds(documentWithEveryBlock(placeholderTargets), toSlug)
  const body = shown(document.nodes)
  const anchors = [...blocksIn(document)].flatMap(({ meta }) => meta?.id ?? [])
  expect(anchors.length).toBeGreaterThan(20)
  expect(anchors.filter((id) => !body.querySelector(`[id="${id}"]`))).toEqual([])
})

describe('interactive elements are not nested', () => {
  const nested = 'a a, a button, button a, button button, summary button'

  test('when a link contains a link, which becomes text', () => {
    const body = line({ ...link('one', 'outer '), nodes: [textNode('outer '), link('two', 'inner')] })
    expect(body.querySelectorAll(nested)).toHaveLength(0)
    expect(body.querySelector('a')?.textContent).toBe('outer inner')
  })

  test('when a link contains an annotation, which opens after the link', () => {
    const body = line({ ...link('one', ''), nodes: [annotation('word', [textParagraph('why')])] })
    expect(body.querySelectorAll(nested)).toHaveLength(0)
    expect(body.querySelector('a')?.nextElementSibling?.getAttribute('popovertarget')).toBe('note~1')
    expect(body.querySelector('[id="note~1"]')?.textContent).toBe('why')
  })

  test('when an annotation contains a link, which remains a link', () => {
    const inline = annotation('', [textParagraph('why')])
    const body = line({ ...inline, nodes: [link('one', 'there')] } as InlineNode)
    expect(body.querySelectorAll(nested)).toHaveLength(0)
    expect(body.querySelector('a')?.getAttribute('href')).toBe('/one')
    expect(body.querySelector('button')?.getAttribute('aria-label')).toBe('Note')
  })

  test('on the page with every block', () => {
    expect(shown(documentWithEveryBlock(placeholderTargets).nodes).querySelectorAll(nested)).toHaveLength(0)
  })
})

test('annotations are rendered after the text, because a paragraph cannot contain blocks', () => {
  const text = html(
    createDocument([
      paragraph([annotation('word', [textParagraph('one'), textParagraph('two')])]),
      textParagraph('after'),
    ]),
  )
  expect(text.indexOf('<p>after</p>')).toBeLessThan(text.indexOf('popover '))
  expect(text).toMatch(/^<p><button[^>]*>word<\/button><\/p>/)
})

test('an icon has a label only without text beside it', () => {
  const icon: InlineNode = { object: 'inline', type: 'icon', isVoid: true, data: { icon: 'circle-check' } }
  expect(line(icon).querySelector('[role=img]')?.getAttribute('aria-label')).toBe('circle check')
  expect(line(icon, textNode(' Done')).querySelector('[role=img]')).toBeNull()
})

test('a link that opens a new window contains a hint for screen readers', () => {
  const url: InlineNode = { ...link('', 'there'), data: { ref: { kind: 'url', url: 'https://example.com' } } }
  const aside = shown([paragraph([url])], { externalLinkTarget: 'blank' })
  expect(aside.querySelector('a')?.textContent).toBe('there (opens another site)')
  expect(aside.querySelector('a')?.getAttribute('rel')).toContain('noopener')
  expect(line(url).textContent).toBe('there')
})

const button = (action: object): InlineNode => ({
  ...inlineOfEachType.button,
  data: { label: 'Go', kind: 'primary', ...action },
})
const saidBy = (...nodes: Block[]) => shown(nodes).textContent

test('unknown content is rendered by its name', () => {
  expect(saidBy(blockOfEachType.integration)).toContain('figma/file')
  expect(saidBy(blockOfEachType.swagger)).toContain('GET /pets')
  expect(saidBy(blockOfEachType['openapi-operation'])).toContain('POST /pets')
  expect(saidBy(blockOfEachType['openapi-schemas'])).toContain('Models: Pet')
  expect(saidBy(blockOfEachType['openapi-webhook'])).toContain(blockOfEachType['openapi-webhook'].data.name)
  expect(saidBy(blockOfEachType.update)).toContain('newapi')
  expect(saidBy({ ...blockOfEachType.embed, data: { url: 'nowhere' } })).toContain('nowhere')
  expect(line({ ...inlineOfEachType.emoji, data: { code: 'party' } }).textContent).toBe(':party:')
  expect(line(button({})).querySelector('[aria-disabled]')?.textContent).toBe('Go')
  expect(
    line(button({ action: { action: 'select', slug: 'npm' } }))
      .querySelector('a')
      ?.getAttribute('href'),
  ).toBe('#npm')
})

test('a link to a missing page is rendered as text, and is marked in a preview', () => {
  const data = { ref: { kind: 'page', page: 'absent' } } as const
  const nodes = [
    paragraph([textNode('See '), { ...link('', 'the guide'), data }, { ...inlineOfEachType.mention, data }]),
  ]
  const reference: Block = { ...blockOfEachType['content-ref'], data }
  const published = shown([...nodes, reference])
  expect(published.innerHTML).toBe('<p>See the guide</p>')
  const previewed = shown([...nodes, reference], { marksBrokenLinks: true })
  const marks = [...previewed.querySelectorAll('.broken-link')].map((mark) => mark.textContent)
  expect(marks).toEqual(['the guide', 'This page does not exist', 'This page does not exist'])
})

const iconNamed = (name: string) => (name === 'unheard' ? nothing : markup`<svg data-name="${name}"></svg>`)
const withIcons = (nodes: readonly Block[]) => shown(nodes, { icon: iconNamed })
const iconsOf = (nodes: readonly Block[]) =>
  [...withIcons(nodes).querySelectorAll('svg')].map((drawn) => drawn.getAttribute('data-name'))

test('an unknown icon is omitted or replaced by the default icon', () => {
  const alone: InlineNode = { object: 'inline', type: 'icon', isVoid: true, data: { icon: 'unheard' } }
  expect(withIcons([paragraph([alone]), heading(alone)]).innerHTML).toBe('')
  expect(withIcons([paragraph([textNode('On '), alone])]).innerHTML).toBe('<p>On </p>')
  expect(iconsOf([{ ...blockOfEachType.hint, data: { style: 'warning', icon: 'unheard' } }])).toEqual([
    'circle-exclamation',
  ])
  const step: Block = {
    object: 'block',
    type: 'stepper-step',
    data: { icon: 'unheard' },
    nodes: [textParagraph('One')],
  }
  expect(withIcons([step]).querySelector('.step-icon')).toBeNull()
  expect(withIcons([paragraph([button({ icon: 'unheard' })])]).querySelector('.button')?.innerHTML).toBe(
    '<span>Go</span>',
  )
  const tabs: Block = {
    object: 'block',
    type: 'tabs',
    nodes: [{ object: 'block', type: 'tabs-item', data: { title: 'Linux', icon: 'unheard' }, nodes: [] }],
  }
  expect(withIcons([tabs]).querySelector('label')?.innerHTML).toBe('Linux')
})

test('renders empty blocks of every type without an error', () => {
  const empty = Object.values(blockOfEachType).map((block): Block => {
    const inside = { ...('nodes' in block && { nodes: [] }), ...('fragments' in block && { fragments: [] }) }
    return { ...block, ...inside }
  })
  expect(() => html(createDocument(empty))).not.toThrow()
})

test('renders large and deeply nested documents in linear time', async () => {
  let deep: Block = textParagraph('bottom')
  for (let depth = 1; depth < maxNesting; depth++)
    deep = depth % 2 ? quote(deep) : { ...blockOfEachType.hint, nodes: [deep] }
  const makeDocument = (count: number) =>
    createDocument([
      deep,
      ...Array.from({ length: count }, (_, index) => textParagraph(`Paragraph ${index} ${'word '.repeat(20)}`)),
    ])
  expect(html(makeDocument(9000))).toContain('Paragraph 8999')
  await expectLinear(2000, (count) => html(makeDocument(count)))
})

function dangersIn(text: string): string[] {
  const { document } = parseHTML(`<!doctype html><html><body>${text}</body></html>`)
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    const tag = element.localName
    const dangers = /^(script|iframe|object|embed|style|base|meta|link|form)$/.test(tag) ? [`<${tag}>`] : []
    for (const { name, value } of element.attributes) {
      const isAddress = ['href', 'src', 'data-embed', 'data-src', 'action', 'formaction'].includes(name)
      const isSafe = isAddress
        ? /^(https?:\/\/|#|\/(?!\/))/.test(value)
        : name === 'style'
          ? /^(--[\w-]+:|width:|height:|color:|flex:)[\w\s%.()-]*(;(width|height):[\w\s%.]*)*$/.test(value)
          : !/^(on|srcdoc)/.test(name)
      if (!isSafe) dangers.push(`${tag} ${name}="${value}"`)
    }
    return dangers
  })
}

describe('hostile and generated content', () => {
  const payloads = [
    '"><script>alert(1)</script>',
    `' onmouseover='alert(1)`,
    '</style><img src=x onerror=alert(1)>',
    '--><iframe srcdoc="<script>alert(1)</script>">',
    'javascript:alert(1)',
    'JaVa\tScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    '//evil.example/x',
    '\u0001javascript:alert(1)',
    'red;background:url(//evil.example)',
    'https://example.com/"onclick="alert(1)',
  ]
  /** Fields that decide the type of a node; all other strings may be user input. */
  const structural = new Set(['object', 'type', 'kind', 'record', 'column', 'fragment'])

  function poisoned(value: unknown, chance: () => number, name = ''): unknown {
    if (typeof value === 'string') {
      return structural.has(name) || chance() < 0.4 ? value : payloads[randomInteger(chance, 0, payloads.length - 1)]
    }
    if (Array.isArray(value)) return value.map((one) => poisoned(one, chance, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, poisoned(one, chance, key)]))
  }

  test('cannot inject scripts', () => {
    const chance = seededRandom(7)
    const blocks = [...Object.values(blockOfEachType), ...documentWithEveryBlock(placeholderTargets).nodes]
    for (let round = 0; round < 10; round++) {
      const nodes = poisoned(blocks, chance) as Block[]
      expect(dangersIn(html(createDocument(nodes)))).toEqual([])
    }
  })

  test('is rendered with every word', () => {
    for (let seed = 0; seed < 20; seed++) {
      const document = new DocumentEditor('w', seed).document()
      const words = collectWords(document.nodes)
      const { textContent } = shown([
        ...document.nodes,
        paragraph([{ object: 'text', leaves: [leaf('last "><script>')] }]),
      ])
      expect([...words].filter((word) => !textContent.includes(word))).toEqual([])
      expect(textContent).toContain('last "><script>')
    }
  })
})

const code = (text: string) =>
  line({ object: 'text', leaves: [leaf(text, [{ object: 'mark', type: 'code' }])] }).querySelector('code')

describe('inline code', () => {
  test.each([
    ['git push --force-with-lease', 'git push <span class="flag">--force</span>-with-lease'],
    ['npm run bench -- site', 'npm run bench <span class="flag">--</span> site'],
    ['ls -la', 'ls <span class="flag">-la</span>'],
    ['well-known', 'well-known'],
  ])('keeps the flags of %s together', (text, expected) => {
    expect(code(text)?.innerHTML).toBe(expected)
    expect(code(text)?.textContent).toBe(text)
  })

  test.each([
    [
      'octavo.limits.requests.maxConnectionsPerAddress',
      'octavo.<wbr>limits.<wbr>requests.<wbr>max<wbr>Connections<wbr>Per<wbr>Address',
    ],
    ['a'.repeat(70), `${'a'.repeat(32)}<wbr>${'a'.repeat(32)}<wbr>${'a'.repeat(6)}`],
    ['short.name', 'short.name'],
  ])('allows line breaks between the parts of %s', (text, expected) => {
    expect(code(text)?.innerHTML).toBe(expected)
    expect(code(text)?.textContent).toBe(text)
  })
})

const heading = (...nodes: InlineNode[]): Block => ({ object: 'block', type: 'heading-1', nodes })

test('anchors are named after their headings, including a heading with only an icon', () => {
  const icon: InlineNode = { object: 'inline', type: 'icon', isVoid: true, data: { icon: 'circle-info' } }
  const document = withAnchorIds(createDocument([heading(textNode('Install')), heading(icon), heading()]), toSlug)
  const anchors = [...shown(document.nodes).querySelectorAll('.anchor')]
  expect(anchors.map((anchor) => [anchor.getAttribute('href'), anchor.getAttribute('aria-label')])).toEqual([
    ['#install', 'Link to “Install”'],
    ['#circle-info', 'Link to “circle info”'],
    ['#section', 'Link to this section'],
  ])
})

const update = (...tags: string[]) => ({
  object: 'block' as const,
  type: 'update' as const,
  data: { date: '2026-01-01', tags: tags.map((tag) => ({ kind: 'tag' as const, tag })) },
  nodes: [textParagraph('New')],
})

test('updates can be filtered by tag, and each tag links to the first of its updates', () => {
  const body = shown([{ object: 'block', type: 'updates', nodes: [update('api', 'new'), update('new'), update()] }])
  const links = [...body.querySelectorAll('.tag-filter a')].map((one) => [one.textContent, one.getAttribute('href')])
  expect(links).toEqual([
    ['All', '#'],
    ['api', '#tag~api'],
    ['new', '#tag~new'],
  ])
  expect([...body.querySelectorAll('[id]')].map(({ id }) => id)).toEqual(['tag~api', 'tag~new'])
  expect([...body.querySelectorAll('.update')].map((one) => one.getAttribute('data-tags'))).toEqual([
    'api,new',
    'new',
    null,
  ])
  // A filter with a single tag would be useless.
  expect(shown([{ object: 'block', type: 'updates', nodes: [update('new')] }]).querySelector('.tag-filter')).toBeNull()
})
