import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Optional folder of public repositories beside the checkout. Benchmarks run from another folder, so it is resolved from the
 * working directory.
 */
const corpus = join(process.cwd(), '..', 'shared', 'corpus')

/** Lists the Markdown files of the corpus; empty without a corpus. */
export function corpusFiles(): string[] {
  if (!existsSync(corpus)) return []
  return readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
}

export const readCorpusFile = (file: string): string => readFileSync(join(corpus, file), 'utf8')

/** Lists the folders of the corpus that contain one space each; empty without a corpus. */
export function corpusFolders(): { name: string; path: string }[] {
  if (!existsSync(corpus)) return []
  const inEvolve = readdirSync(join(corpus, 'evolve'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:^|\/)SUMMARY\.md$/.test(name))
    .map((name) => join('evolve', dirname(name)))
    .sort()
  return ['elsa', 'beefree', ...inEvolve, 'iot-logic/docs'].map((name) => ({ name, path: join(corpus, name) }))
}
