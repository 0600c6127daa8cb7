import { expect, test } from 'vitest'
import { parseImport } from '../../src/app/screens/site/redirects/import-rows.ts'
import { toSource } from '../../src/app/screens/site/redirects/destinations.ts'
import { parseCsv, toCsv } from '../../src/app/ui/csv.ts'
import type { Site } from '../../src/contract/site.ts'

const site = { urls: { published: 'https://docs.example.com/guide/' } } as Site

const readCells = (text: string) => parseCsv(text).rows.map(({ cells }) => cells)

/** Returns the sources and targets of an import with their lines, and its problems. */
function readImport(text: string) {
  const { rows, problems } = parseImport(text, site, true)
  return {
    rows: rows.map(({ line, change: { source, destination, captureWildcard } }) => [
      line,
      source,
      destination && 'path' in destination ? destination.path : destination && 'url' in destination && destination.url,
      captureWildcard,
    ]),
    problems: problems.map(({ line, reason }) => [line, reason]),
  }
}

test('lines of an import become redirects, whatever separates their values', () => {
  for (const separator of [',', ';', '\t']) {
    const lines = ['From', '"/old, page"', '/api/*', 'https://docs.example.com/guide/x/', '/blog']
    const targets = ['To', '/new', '/reference/*', 'https://docs.example.com/guide/y', 'https://blog.example.com/?a=1']
    const text = lines.map((line, index) => `${line}${separator}${targets[index]}`).join('\r\n')
    expect([separator, readImport(`${text}\r\n\r\n`)]).toEqual([
      separator,
      {
        rows: [
          [2, '/old%2C%20page', '/new', false],
          [3, '/api/*', '/reference', true],
          [4, '/x', '/y', false],
          [5, '/blog', 'https://blog.example.com/?a=1', false],
        ],
        problems: [],
      },
    ])
  }
})

test('lines that cannot be used are reported, and chains lead to their end', () => {
  expect(readImport('/a,/b\n/b,/c\n/A,/x\n/d,/d\n?q=1,/x\nmailto:a@b.c,/x\n/e\n/f,https://')).toEqual({
    rows: [
      [1, '/a', '/c', false],
      [2, '/b', '/c', false],
    ],
    problems: [
      [3, { kind: 'duplicate', firstLine: 1 }],
      [4, { kind: 'loop', path: ['/d', '/d'] }],
      [5, { kind: 'bad-source' }],
      [6, { kind: 'bad-source' }],
      [7, { kind: 'no-target' }],
      [8, { kind: 'bad-target' }],
    ],
  })
})

test('paths are encoded as the API expects them', () => {
  expect(
    ['a/b/', '/ä b', '/%E4%B8%AD', '/100%', '/', '/x*', '/x/*', '//x'].map((text) => toSource(text, site)),
  ).toEqual(['/a/b', '/%C3%A4%20b', '/%E4%B8%AD', '/100%25', undefined, '/x*', '/x/*', '/x'])
})

test('values of a table survive in a file, and formulas are not run by spreadsheets', () => {
  const rows = [
    ['a "b"', 'c,d', 'two\nlines'],
    ['=1+1', '@x', 5],
  ]
  expect(toCsv(rows)).toContain("'=1+1,'@x,5")
  expect(readCells(toCsv(rows))).toEqual([
    ['a "b"', 'c,d', 'two\nlines'],
    ['=1+1', '@x', '5'],
  ])
  expect(readCells('\uFEFFen;fr\n\nkey;"cl;é"\r\n')).toEqual([
    ['en', 'fr'],
    ['key', 'cl;é'],
  ])
  expect(readCells('en,fr\na "b",x')).toEqual([
    ['en', 'fr'],
    ['a "b"', 'x'],
  ])
  expect(parseCsv('en,fr\n"a,x').hasOpenQuote).toBe(true)
})
