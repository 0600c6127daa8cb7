import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..', 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** Which rooms each room may enter. What is not listed here (the files at the top, `cli`, `roles`) may enter all of them. */
const mayImport: Record<string, string[]> = {
  contract: [],
  client: ['contract'],
  content: [],
  publishing: ['contract', 'content'],
  kernel: ['contract', 'content', 'publishing', 'storage/tables.ts'],
  storage: ['kernel', 'threads', 'contract', 'content'],
  jobs: ['kernel', 'storage'],
  access: ['kernel', 'contract', 'publishing', 'storage'],
  threads: ['root.ts'],
  fetch: ['kernel', 'storage'],
  files: ['kernel'],
  http: ['contract', 'kernel', 'threads', 'access', 'storage', 'fetch', 'files'],
  derived: ['content', 'kernel', 'storage', 'jobs'],
  highlight: ['content', 'kernel', 'storage', 'jobs', 'threads', 'render', 'derived'],
  search: ['content', 'publishing', 'kernel', 'storage', 'derived'],
  parsing: ['content', 'kernel', 'threads'],
  website: ['content', 'kernel', 'threads', 'parsing', 'fetch'],
  render: ['content'],
  site: [
    'root.ts',
    'threads',
    'contract',
    'content',
    'publishing',
    'kernel',
    'storage',
    'access',
    'files',
    'highlight',
    'search',
    'render',
    'domain',
    'resources',
  ],
  domain: [
    'contract',
    'content',
    'publishing',
    'kernel',
    'storage',
    'jobs',
    'access',
    'fetch',
    'files',
    'parsing',
    'derived',
  ],
  resources: [
    'contract',
    'content',
    'publishing',
    'kernel',
    'threads',
    'storage',
    'jobs',
    'access',
    'fetch',
    'files',
    'parsing',
    'website',
    'derived',
    'search',
    'domain',
  ],
}

interface Import {
  from: string
  to: string
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8')
  const specifiers = [
    ...new Set(Array.from(text.matchAll(/(?:from|import)\s+'([^']+)'/g), (match) => match[1] as string)),
  ]
  return specifiers.map((to) => ({
    from: file,
    to: to.startsWith('.') ? relative(source, join(source, dirname(file), to)) : to,
  }))
}

const isOurs = ({ to }: Import) => to.endsWith('.ts')
const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : '')
const imports = files.flatMap(importsOf)

test('each room enters only the rooms it may', () => {
  const trespasses = imports.filter(isOurs).filter(({ from, to }) => {
    const allowed = mayImport[roomOf(from)]
    if (!allowed || roomOf(from) === roomOf(to)) return false
    return !allowed.some((room) => to === room || roomOf(to) === room)
  })
  expect(trespasses).toEqual([])
})

test('a resource uses another one by anything but its store', () => {
  const trespasses = imports.filter(isOurs).filter(({ from, to }) => {
    const [, fromResource] = from.split('/')
    const [toRoom, toResource, toFile] = to.split('/')
    return (
      roomOf(from) === 'resources' && toRoom === 'resources' && fromResource !== toResource && toFile === 'store.ts'
    )
  })
  expect(trespasses).toEqual([])
})

test('the contract depends on zod alone, and the content engine on a parser and a list of names', () => {
  const foreign = imports.filter((one) => !isOurs(one))
  expect(foreign.filter(({ from, to }) => roomOf(from) === 'contract' && to !== 'zod')).toEqual([])
  const ofContent = foreign.filter(({ from }) => roomOf(from) === 'content').map(({ from, to }) => `${from} ${to}`)
  expect(ofContent.sort()).toEqual([
    'content/markdown/emoji.ts gemoji',
    'content/markdown/front-matter.ts yaml',
    'content/markdown/mdast.ts mdast',
    'content/markdown/mdast.ts satteri',
    'content/markdown/print-front-matter.ts yaml',
    'content/markdown/slug.ts any-ascii',
    'content/markdown/summary.ts yaml',
    'content/markdown/yaml-depth.ts yaml',
    'content/repository/config.ts yaml',
    'content/repository/tags.ts yaml',
    'content/repository/variables.ts yaml',
    'content/repository/yaml-edits.ts yaml',
    'content/repository/yaml-print.ts yaml',
    'content/repository/yaml-text.ts yaml',
  ])
})

test('only the configuration reads the environment, for those who hand it over', () => {
  const readers = files.filter((file) => readFileSync(join(source, file), 'utf8').includes('process.env'))
  expect(readers).toEqual(['cli/open.ts'])
})

test('no two files import each other in a circle', () => {
  const targets = new Map<string, string[]>()
  for (const { from, to } of imports.filter(isOurs)) targets.set(from, [...(targets.get(from) ?? []), to])
  const circles: string[][] = []
  const done = new Set<string>()
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file])
      return
    }
    if (done.has(file)) return
    for (const target of targets.get(file) ?? []) walk(target, [...path, file])
    done.add(file)
  }
  for (const file of files) walk(file, [])
  expect(circles).toEqual([])
})
