import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Real repositories beside this one; where they are not, there is nothing to read. Benchmarks run from another folder. */
const corpus = join(process.cwd(), '..', 'shared', 'corpus')

/** The paths of the Markdown files of real repositories. */
export function corpusFiles(): string[] {
  const files = existsSync(corpus)
    ? readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
    : []
  if (files.length === 0) console.log('There is no corpus beside the checkout: its files are not read.')
  return files.sort()
}

export const readCorpusFile = (file: string): string => readFileSync(join(corpus, file), 'utf8')

/** The folders of real repositories that hold the content of one space each. */
export function corpusFolders(): { name: string; path: string }[] {
  if (!existsSync(corpus)) console.log('There is no corpus beside the checkout: its folders are not imported.')
  const inEvolve = () =>
    readdirSync(join(corpus, 'evolve'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?:^|\/)SUMMARY\.md$/.test(name))
      .map((name) => join('evolve', dirname(name)))
      .sort()
  const names = existsSync(corpus) ? ['elsa', 'beefree', ...inEvolve(), 'iot-logic/docs'] : []
  return names.map((name) => ({ name, path: join(corpus, name) }))
}
