import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Real repositories beside this one; where they are not, there is nothing to read. */
const corpus = join(import.meta.dirname, '..', '..', '..', 'shared', 'corpus')

/** The paths of the Markdown files of real repositories. */
export function corpusFiles(): string[] {
  const files = existsSync(corpus)
    ? readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
    : []
  if (files.length === 0) console.log('There is no corpus beside the checkout: its files are not read.')
  return files.sort()
}

export const readCorpusFile = (file: string): string => readFileSync(join(corpus, file), 'utf8')
