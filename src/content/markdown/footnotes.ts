import type { Fragment } from '../document/nodes.ts'
import { printBlocks } from './print-blocks.ts'
import type { PrintContext } from './print-inlines.ts'
import { Sameness } from './sameness.ts'

interface Labels {
  sameness: Sameness
  /** Of footnotes that are written already, by the number of their body. */
  written: ReadonlyMap<number, string>
  /** To be used before any other. */
  free: readonly string[]
  /** In use for something else. */
  taken: ReadonlySet<string>
}

const none = () => ({ sameness: new Sameness(), written: new Map(), free: [], taken: new Set<string>() })

/** The footnotes of a page while it is printed. Equal ones share a label. */
export class Footnotes {
  readonly #sameness: Sameness
  readonly #labels: Map<number, string>
  /** In reverse order: the last one is the next. */
  readonly #free: string[]
  readonly #taken: ReadonlySet<string>
  readonly #added: { label: string; body: Fragment }[] = []
  #last = 0

  constructor({ sameness, written, free, taken }: Labels = none()) {
    this.#sameness = sameness
    this.#labels = new Map(written)
    this.#free = free.toReversed()
    this.#taken = taken
  }

  labelOf(body: Fragment): string {
    const number = this.#sameness.ofBody(body)
    const known = this.#labels.get(number)
    if (known !== undefined) return known
    const label = this.#free.pop() ?? this.#next()
    this.#labels.set(number, label)
    this.#added.push({ label, body })
    return label
  }

  /** The definitions of all labels that were given out. */
  print(context: PrintContext): { label: string; text: string }[] {
    const printed: { label: string; text: string }[] = []
    // Printing a body may find further ones.
    for (let index = 0; index < this.#added.length; index++) {
      const { label, body } = this.#added[index] as { label: string; body: Fragment }
      const text = printBlocks(body.nodes, context).replace(/\n(?=[^\n])/g, '\n    ')
      // Tags and fences are found at the beginning of a line only.
      const isOnOwnLine = text !== '' && body.nodes[0]?.type !== 'paragraph'
      printed.push({ label, text: `[^${label}]:${isOnOwnLine ? '\n    ' : ' '}${text}` })
    }
    return printed
  }

  #next(): string {
    do this.#last++
    while (this.#taken.has(String(this.#last)))
    return String(this.#last)
  }
}
