import type { ContentRef, FileRef } from '../content/document/nodes.ts'
import { type PdfCode, type PdfFile, type PdfImage, type PdfSource, type PdfTarget, refKeyOf } from './source.ts'
import { type Typst, typst, typstArray } from './typst.ts'

/** Links, images and code of a PDF. Labels and names of images are generated and never taken from content. */
export class PdfContext {
  readonly source: PdfSource
  readonly #pageLabels: ReadonlyMap<string, string>
  readonly #labels = new Map<string, string>()
  readonly #defined = new Set<string>()
  readonly #images = new Map<string, { name: string; image: PdfImage }>()
  readonly #codes = new Map<string, { index: number; code: PdfCode }>()
  #pageId = ''

  constructor(source: PdfSource) {
    this.source = source
    this.#pageLabels = new Map(source.pages.map(({ id }, index) => [id, `page-${index}`]))
  }

  /** Images that are used, with their names in the compiler. */
  get images(): readonly { name: string; image: PdfImage }[] {
    return [...this.#images.values()]
  }

  /** Code that is highlighted; it has the same index in the array `codes` of the Typst source. */
  get codes(): readonly PdfCode[] {
    return Array.from(this.#codes.values(), ({ code }) => code)
  }

  /** Begins a page and returns its label. */
  beginPage(id: string): string {
    this.#pageId = id
    return this.#pageLabels.get(id) as string
  }

  /** Returns an invisible target for links to an anchor of the current page. */
  defineAnchor(anchor: string): Typst {
    const label = this.#anchorLabel(this.#pageId, anchor)
    if (this.#defined.has(label)) return typst`none`
    this.#defined.add(label)
    return typst`anchor(${label})`
  }

  findTarget(ref: ContentRef): PdfTarget | undefined {
    const { targets } = this.source
    const key = refKeyOf(ref)
    return Object.hasOwn(targets, key) ? targets[key] : undefined
  }

  findFile(ref: FileRef): PdfFile | undefined {
    const { files } = this.source
    const key = refKeyOf(ref)
    return Object.hasOwn(files, key) ? files[key] : undefined
  }

  /** Returns the name of an image in the compiler; undefined if the file is no image that can be shown. */
  useImage({ image }: Pick<PdfFile, 'image'>): string | undefined {
    if (!image) return undefined
    const key = 'blob' in image ? image.blob : image.url
    const used = this.#images.get(key) ?? { name: `image-${this.#images.size}`, image }
    this.#images.set(key, used)
    return used.name
  }

  /** Returns the index of code in `codes`. */
  useCode(code: PdfCode): number {
    const key = JSON.stringify([code.syntax, code.text])
    const used = this.#codes.get(key) ?? { index: this.#codes.size, code }
    this.#codes.set(key, used)
    return used.index
  }

  /** Returns a link to a target, or only its content if the target is unknown. */
  link(target: PdfTarget | undefined, content: Typst): Typst {
    const { page, anchor, url } = target ?? {}
    const label = page === undefined ? undefined : this.#pageLabels.get(page)
    if (page !== undefined && label !== undefined) {
      const labels = anchor === undefined ? [label] : [this.#anchorLabel(page, anchor), label]
      return typst`link-to(${typstArray(labels)}, ${content})`
    }
    return url !== undefined && isLinkable(url) ? typst`link(${url}, ${content})` : content
  }

  #anchorLabel(page: string, anchor: string): string {
    const key = JSON.stringify([page, anchor])
    const label = this.#labels.get(key) ?? `anchor-${this.#labels.size}`
    this.#labels.set(key, label)
    return label
  }
}

/** Maximum length of a URL; the compiler rejects much longer ones. */
const maxUrlLength = 4000

const isLinkable = (url: string): boolean => url.length <= maxUrlLength && /^(?:https?:\/\/|mailto:|tel:)\S/i.test(url)
