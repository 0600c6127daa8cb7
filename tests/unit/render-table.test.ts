import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import { createDocument, paragraph } from '../../src/content/document/build.ts'
import type { Block, CellValue, ColumnDefinition, Table, TableData } from '../../src/content/document/nodes.ts'
import { renderDocument } from '../../src/render/document.ts'
import { nothing } from '../../src/render/html.ts'
import type { RenderContext } from '../../src/render/render-context.ts'
import { expectLinear } from '../support/growth.ts'
import { textParagraph } from '../support/blocks.ts'
import { createRenderContext } from '../support/render-context.ts'

type Row = Record<string, CellValue>

const text = (id: string, title = id): ColumnDefinition => ({ id, title, type: 'text' })
const grid = (...columns: string[]): TableData['view'] => ({ type: 'grid', columns, hideHeader: false })

/** Returns a table; cells of text columns are given as plain strings. */
function tableOf(columns: readonly ColumnDefinition[], rows: readonly Row[], more: Partial<TableData> = {}): Table {
  const fragments: Table['fragments'][number][] = []
  const records = rows.map((row, index) => {
    const values = Object.entries(row).map(([column, value]): [string, CellValue] => {
      const isText = typeof value === 'string' && columns.find(({ id }) => id === column)?.type === 'text'
      if (!isText) return [column, value]
      const fragment = `${index}${column}`
      fragments.push({ object: 'fragment', fragment, nodes: [textParagraph(value)] })
      return [column, fragment]
    })
    return [`r${index}`, { orderIndex: String(index).padStart(6, '0'), values: Object.fromEntries(values) }] as const
  })
  const data = {
    view: grid(...columns.map(({ id }) => id)),
    definition: Object.fromEntries(columns.map((column) => [column.id, column])),
    records: Object.fromEntries(records),
    ...more,
  }
  return { object: 'block', type: 'table', isVoid: true, data, fragments }
}

const html = (table: Table, more: Partial<RenderContext> = {}) =>
  renderDocument(createDocument([table]), createRenderContext(more)).text
const shown = (table: Table, more: Partial<RenderContext> = {}) =>
  parseHTML(`<!doctype html><html><body>${html(table, more)}</body></html>`).document.body
const cellsOf = (table: Table) =>
  [...shown(table).querySelectorAll('tbody > tr')].map((row) => [...row.children].map((cell) => cell.textContent))

test('column headers have the scope "col", and an empty header is a data cell', () => {
  const body = shown(tableOf([text('a', 'Name'), text('b', '')], [{ a: 'x', b: 'y' }]))
  expect([...body.querySelectorAll('thead th')].map((head) => [head.textContent, head.getAttribute('scope')])).toEqual([
    ['Name', 'col'],
  ])
  expect(body.querySelectorAll('thead td')).toHaveLength(1)
})

test('a scrollable table is focusable and labeled', () => {
  const region = shown(tableOf([text('a')], [{ a: 'x' }])).querySelector('[tabindex="0"]')
  expect(region?.getAttribute('aria-label')).toBe('Table')
  expect(region?.querySelector('table')).not.toBeNull()
})

test('renders values by the type of their column', () => {
  const columns: ColumnDefinition[] = [
    { id: 'number', title: '', type: 'number' },
    { id: 'done', title: '', type: 'checkbox' },
    { id: 'stars', title: '', type: 'rating', max: 5 },
    { id: 'points', title: '', type: 'rating', max: 100 },
    { id: 'state', title: '', type: 'select', options: [{ value: 'o', label: 'Open', color: 'red' }] },
    { id: 'page', title: '', type: 'content-ref' },
    { id: 'files', title: '', type: 'files' },
    { id: 'people', title: '', type: 'users' },
  ]
  const row: Row = {
    number: 12_345.5,
    done: true,
    stars: 4,
    points: 70,
    state: ['o', 'unheard'],
    page: { kind: 'page', page: 'one' },
    files: ['plan.pdf'],
    people: ['ada'],
  }
  const body = shown(tableOf(columns, [row]))
  const [number, done, stars, points, state, page, files, people] = body.querySelectorAll('td:not(thead td)')
  expect(number?.textContent).toBe('12,345.5')
  expect(done?.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('Done')
  expect(stars?.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('4 / 5')
  expect(stars?.querySelectorAll('.full')).toHaveLength(4)
  expect(points?.textContent).toBe('70 / 100')
  expect([...(state?.querySelectorAll('.tag') ?? [])].map((tag) => tag.textContent)).toEqual(['Open', 'unheard'])
  expect(state?.querySelector('.tag')?.getAttribute('style')).toBe('--tone:var(--red)')
  expect(page?.querySelector('a')?.getAttribute('href')).toBe('/one')
  expect(files?.querySelector('a')?.textContent).toBe('plan.pdf')
  expect(people?.textContent).toBe('Person ada')
})

test('renders a fallback for missing references and the raw value for other types', () => {
  const columns: ColumnDefinition[] = [
    { id: 'page', title: '', type: 'content-ref' },
    { id: 'files', title: '', type: 'files' },
    { id: 'image', title: '', type: 'image' },
    text('text'),
    { id: 'stars', title: '', type: 'rating', max: 5 },
    { id: 'number', title: '', type: 'number' },
  ]
  const gone: Row = {
    page: { kind: 'page', page: 'absent' },
    files: ['absent'],
    image: { ref: { kind: 'file', file: 'absent' }, alt: 'A plan' },
    text: 7,
    stars: 'many',
    number: ['one', 'two'],
  }
  expect(cellsOf(tableOf(columns, [gone]))).toEqual([
    ['', 'This cannot be shown here', 'A plan', '7', 'many', 'one, two'],
  ])
})

test('a card has no field for a cell that renders nothing', () => {
  const view: TableData['view'] = { type: 'cards', cardSize: 'medium', columns: ['a', 'b'] }
  const table = tableOf([text('a'), text('b')], [{ a: 'x', b: 'y' }], { view })
  const icon: Block = paragraph([{ object: 'inline', type: 'icon', isVoid: true, data: { icon: 'unheard' } }])
  const [first, ...rest] = table.fragments
  const fragments = [{ object: 'fragment' as const, ...first, nodes: [icon] }, ...rest]
  const fields = shown({ ...table, fragments }, { icon: () => nothing }).querySelectorAll('.card-field')
  expect([...fields].map((field) => field.textContent)).toEqual(['y'])
})

test('omits undefined columns, including names such as __proto__', () => {
  const view = grid('constructor', 'a', '__proto__', 'toString')
  expect(cellsOf(tableOf([text('a')], [{ a: 'x' }], { view }))).toEqual([['x']])
  const columns: ColumnDefinition[] = [{ id: 'constructor', title: 'Odd', type: 'number' }]
  expect(cellsOf(tableOf(columns, [{}]))).toEqual([['']])
  expect(html(tableOf([text('a')], [{ a: 'x' }], { view: grid() }))).toBe('')
})

const merge = (record: string, column: string, rowSpan: number, colSpan: number) => ({
  anchor: { record, column },
  rowSpan,
  colSpan,
})

test('merged cells are clipped at the edge of the table and do not overlap', () => {
  const rows = ['1', '2', '3'].map((row) => ({ a: `a${row}`, b: `b${row}`, c: `c${row}` }))
  const cellMerges = [
    merge('r0', 'a', 2, 1),
    merge('r1', 'b', 50, 50),
    merge('r2', 'a', 1, 3),
    merge('gone', 'a', 2, 2),
  ]
  const table = tableOf([text('a'), text('b'), text('c')], rows, { cellMerges })
  expect(cellsOf(table)).toEqual([['a1', 'b1', 'c1'], ['b2'], ['a3']])
  const spans = [...shown(table).querySelectorAll('tbody td')].map((cell) => [
    cell.getAttribute('rowspan'),
    cell.getAttribute('colspan'),
  ])
  expect(spans).toEqual([
    ['2', null],
    [null, null],
    [null, null],
    ['2', '2'],
    [null, null],
  ])
})

test('a searchable table has a search field and a message for no results', () => {
  const body = shown(tableOf([text('a')], [{ a: 'x' }], { search: true }))
  expect(body.querySelector('[data-find]')?.getAttribute('aria-label')).toBe('Search this table')
  expect(body.querySelector('[data-find] ~ [data-no-rows][hidden]')?.textContent).toBe('No matching rows')
})

test('a card links to its target, labeled by its first field or by the title of the target', () => {
  const columns: ColumnDefinition[] = [text('a'), text('b'), { id: 'to', title: '', type: 'content-ref' }]
  const view: TableData['view'] = { type: 'cards', cardSize: 'medium', columns: ['a', 'b'], targetDefinition: 'to' }
  const rows: Row[] = [
    { a: 'Quick start', b: 'In a minute', to: { kind: 'page', page: 'one' } },
    { a: 'Alone', b: '', to: { kind: 'page', page: 'absent' } },
    { to: { kind: 'page', page: 'two' } },
  ]
  const [first, second, third] = shown(tableOf(columns, rows, { view })).querySelectorAll('.card')
  const link = first?.querySelector('a')
  expect(link?.getAttribute('href')).toBe('/one')
  expect(first?.querySelector(`[id="${link?.getAttribute('aria-labelledby')}"]`)?.textContent).toBe('Quick start')
  expect(second?.querySelector('a')).toBeNull()
  expect(third?.querySelector('a')?.getAttribute('aria-label')).toBe('Page two')
})

test('renders large tables with overlapping merged cells in linear time', async () => {
  const columns = Array.from({ length: 40 }, (_, index): ColumnDefinition => ({
    id: `c${index}`,
    title: `C${index}`,
    type: 'number',
  }))
  const makeTable = (rowCount: number) => {
    const rows = Array.from({ length: rowCount }, (_, index) =>
      Object.fromEntries(columns.map(({ id }) => [id, index])),
    )
    const cellMerges = rows.flatMap((_, row) =>
      columns.map(({ id }) => ({ anchor: { record: `r${row}`, column: id }, rowSpan: 50, colSpan: 50 })),
    )
    return tableOf(columns, rows, { cellMerges })
  }
  // Every fiftieth row has one cell that covers fifty rows.
  expect(html(makeTable(2000)).match(/<td/g)).toHaveLength(40)
  const tables = new Map([500, 2000].map((count) => [count, makeTable(count)]))
  await expectLinear(500, (count) => html(tables.get(count) ?? makeTable(0)))
})
