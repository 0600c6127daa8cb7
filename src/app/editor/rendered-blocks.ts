import type { Block } from '../../content/document/nodes.ts'
import { prepareContent } from '../../browser/content.ts'
import { loadStyles } from '../../browser/dom.ts'
import { ApiError } from '../api.ts'
import { requestContent } from '../data/content-place.ts'
import type { PagePlace } from '../screens/edit/page-text.ts'

/** Delay within which blocks that become visible are rendered with one request. */
const renderDelay = 30

/** The server highlights code in the background; blocks are requested again after these times, in milliseconds. */
const retryDelays = [300, 1000, 3000]

type Show = (element: HTMLElement) => unknown

/**
 * Calls `show` with new elements that show blocks as readers see them, and again until they are complete. Without a reply, what is
 * shown instead of them remains.
 */
export async function renderBlocks(
  place: PagePlace,
  blocks: readonly Block[],
  show: (elements: readonly (HTMLElement | undefined)[], scripts: readonly string[]) => void,
): Promise<void> {
  const nodes = blocks.map((block, index) => ({ ...block, key: toKey(index) }))
  const document = { document: { object: 'document', data: { schemaVersion: 1 }, nodes } }
  const body = { document, page: place.pageId }
  try {
    for (const delay of [...retryDelays, 0]) {
      const reply = await requestContent('POST /spaces/{spaceId}/content/html', place, { body })
      for (const address of reply.styles) void loadStyles(address)
      const template = globalThis.document.createElement('template')
      // The server escapes the text of authors.
      template.innerHTML = reply.html
      const parts = groupParts(template.content.children)
      show(
        blocks.map((_, index) => joinParts(parts.get(toKey(index)))),
        reply.scripts,
      )
      if (reply.complete) return
      await new Promise((resolve) => void setTimeout(resolve, delay))
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** Groups elements by block. If a block has several, all of them or only the first one have its key. */
function groupParts(elements: Iterable<Element>): Map<string, HTMLElement[]> {
  const groups = new Map<string, HTMLElement[]>()
  let key = ''
  for (const element of elements) {
    // Notes of all blocks follow the last one.
    if (element.matches('.annotation-body')) continue
    const keyed = element.matches(shown) ? element : element.querySelector(shown)
    key = keyed?.getAttribute('data-block') ?? key
    const group = groups.get(key)
    if (group) group.push(element as HTMLElement)
    else groups.set(key, [element as HTMLElement])
  }
  return groups
}

function joinParts(parts: readonly HTMLElement[] | undefined): HTMLElement | undefined {
  if (!parts || parts.length < 2) return parts?.[0]
  const whole = globalThis.document.createElement('div')
  whole.className = 'editor-parts'
  whole.append(...parts)
  return whole
}

/** Shows blocks as readers see them: the server renders blocks when they become visible, many with one request. */
export class BlockRenderer {
  readonly #place: PagePlace
  readonly #known = new Map<string, HTMLElement>()
  /** Draws the diagrams that are shown; undefined until there is one. */
  #draw: (() => void) | undefined
  #waiting = new Map<string, { block: Block; shows: Show[] }>()

  constructor(place: PagePlace) {
    this.#place = place
  }

  /** Calls `show` with a new element that shows the block. */
  render(block: Block, show: Show): void {
    const id = JSON.stringify({ ...block, key: undefined })
    const known = this.#known.get(id)
    if (known) {
      showCopy(known, show)
      this.#draw?.()
      return
    }
    if (this.#waiting.size === 0) setTimeout(() => void this.#send(), renderDelay)
    const entry = this.#waiting.get(id) ?? { block, shows: [] }
    entry.shows.push(show)
    this.#waiting.set(id, entry)
  }

  /** Returns a function that shows blocks at one place, and ignores replies for earlier blocks. */
  createPlace(): (block: Block | undefined, show: Show) => void {
    let latest: Block | undefined
    return (block, show) => {
      latest = block
      if (block) this.render(block, (element) => latest === block && show(element))
    }
  }

  async #send(): Promise<void> {
    const waiting = [...this.#waiting]
    this.#waiting = new Map()
    const blocks = waiting.map(([, { block }]) => block)
    let earlier: readonly (HTMLElement | undefined)[] = []
    await renderBlocks(this.#place, blocks, (elements, scripts) => {
      waiting.forEach(([id, { shows }], index) => {
        const element = elements[index]
        if (!element || earlier[index]?.isEqualNode(element)) return
        this.#known.set(id, element)
        for (const show of shows) showCopy(element, show)
      })
      earlier = elements
      if (scripts.length > 0) this.#draw = () => void Promise.all(scripts.map(drawDiagrams)).catch(() => undefined)
      this.#draw?.()
    })
  }
}

/** Prevents links and buttons of rendered content from navigating away from the editor. */
export function makeInert(content: HTMLElement): void {
  for (const link of content.querySelectorAll('a')) link.removeAttribute('href')
  for (const button of content.querySelectorAll('button')) {
    const inert = globalThis.document.createElement('span')
    inert.className = button.className
    inert.append(...button.childNodes)
    button.replaceWith(inert)
  }
}

/** Runs the script that draws diagrams. Without it, their sources remain visible. */
async function drawDiagrams(address: string): Promise<void> {
  const { startDiagrams } = (await import(/* @vite-ignore */ address)) as typeof import('../../browser/mermaid.ts')
  startDiagrams()
}

const prefix = 'shown-'
const shown = `[data-block^="${prefix}"]`
const toKey = (index: number): string => prefix + index

function showCopy(element: HTMLElement, show: Show): void {
  const copy = element.cloneNode(true) as HTMLElement
  show(copy)
  prepareContent(copy.parentElement ?? copy)
}
