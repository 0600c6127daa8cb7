import type { Block } from '../document/nodes.ts'
import type { SourceRange } from './parse.ts'
import { printBlock } from './print-blocks.ts'
import { printHtmlBlock } from './print-html.ts'
import type { PrintContext } from './print-html-inlines.ts'
import type { WantedBlock } from './splice-match.ts'
import type { PrintContexts, SpliceSource } from './splice-source.ts'
import { spliceWords } from './splice-words.ts'

/** Edited blocks that share a range of the source, such as those of one HTML element or one description of an API method. */
export class GroupSplice {
  readonly #source: SpliceSource
  readonly #range: SourceRange
  readonly #before: readonly Block[]
  readonly #wanted: readonly WantedBlock[]
  readonly #levels: ('words' | 'html')[] = ['words', 'html']
  /** Index of the first of these blocks in the page. */
  readonly first: number

  constructor(
    source: SpliceSource,
    range: SourceRange,
    before: readonly Block[],
    wanted: readonly WantedBlock[],
    first: number,
  ) {
    this.first = first
    this.#source = source
    this.#range = range
    this.#before = before
    this.#wanted = wanted
  }

  get size(): number {
    return this.#before.length
  }

  print(contexts: PrintContexts): string | undefined {
    const { text, newline } = this.#source
    const print = this.#levels[0] === 'html' ? printHtmlBlock : printMarkdown
    const printAll = (blocks: readonly Block[], context: PrintContext) =>
      blocks.map((block) => print(block, { ...context, isUnpadded: true })).join('\n\n')
    return spliceWords({
      before: printAll(this.#before, contexts.before),
      after: printAll(
        this.#wanted.map(({ block }) => block),
        contexts.after,
      ),
      source: text.slice(this.#range.start, this.#range.end),
      prefix: '',
      newline,
    })
  }

  /** Returns false if all of the blocks must be printed again. */
  keepLess(): boolean {
    this.#levels.shift()
    return this.#levels.length > 0
  }
}

const printMarkdown = (block: Block, context: PrintContext) => printBlock(block, context, false)
