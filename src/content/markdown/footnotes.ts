import type { Fragment } from '../document/nodes.ts'
import { printBlocks } from './print-blocks.ts'
import type { PrintContext } from './print-html-inlines.ts'
import { Fingerprints } from './fingerprints.ts'

interface Labels {
  fingerprints: Fingerprints
  /** Labels of existing footnotes, by the number of their body. */
  written: ReadonlyMap<number, string>
  /** Labels of removed footnotes, to be assigned first. */
  free: readonly string[]
  /** Labels used for something else. */
  taken: ReadonlySet<string>
}

const none = () => ({ fingerprints: new Fingerprints(), written: new Map(), free: [], taken: new Set<string>() })

/** The footnotes of a page that is being printed. Equal footnotes share a label. */
export class Footnotes {
  readonly #fingerprints: Fingerprints
  readonly #labels: Map<number, string>
  /** Labels of removed footnotes in reverse order: the last one is assigned next. */
  readonly #free: string[]
  readonly #taken: ReadonlySet<string>
  readonly #added: { label: string; body: Fragment }[] = []
  #last = 0

  constructor({ fingerprints, written, free, taken }: Labels = none()) {
    this.#fingerprints = fingerprints
    this.#labels = new Map(written)
    this.#free = free.toReversed()
    this.#taken = taken
  }

  assignLabel(body: Fragment): string {
    const number = this.#fingerprints.ofBody(body)
    const known = this.#labels.get(number)
    if (known !== undefined) return known
    const label = this.#free.pop() ?? this.#next()
    this.#labels.set(number, label)
    this.#added.push({ label, body })
    return label
  }

  /** Prints the definitions of all assigned labels. */
  print(context: PrintContext): { label: string; body: Fragment; text: string }[] {
    const printed: { label: string; body: Fragment; text: string }[] = []
    // Printing a body may add further footnotes.
    for (let index = 0; index < this.#added.length; index++) {
      const { label, body } = this.#added[index] as { label: string; body: Fragment }
      const text = printBlocks(body.nodes, context).replace(/\n(?=[^\n])/g, '\n    ')
      // Tags and fences are recognized only at the start of a line.
      const isOnOwnLine = text !== '' && body.nodes[0]?.type !== 'paragraph'
      printed.push({ label, body, text: `[^${label}]:${isOnOwnLine ? '\n    ' : ' '}${text}` })
    }
    return printed
  }

  #next(): string {
    do this.#last++
    while (this.#taken.has(String(this.#last)))
    return String(this.#last)
  }
}
