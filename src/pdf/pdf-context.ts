import type { ContentRef, FileRef } from '../content/document/nodes.ts'
import { type PdfFile, type PdfImage, type PdfSource, type PdfTarget, refKeyOf } from './source.ts'
import { Typst, typst } from './typst.ts'

/** Links and images of a PDF. Labels and names of images are generated and never taken from content. */
export class PdfContext {
  readonly source: PdfSource
  readonly #pageLabels: ReadonlyMap<string, string>
  readonly #labels = new Map<string, string>()
  readonly #defined = new Set<string>()
  readonly #images = new Map<string, { name: string; image: PdfImage }>()
  #pageId = ''

  constructor(source: PdfSource) {
    this.source = source
    this.#pageLabels = new Map(source.pages.map(({ id }, index) => [id, `page-${index}`]))
  }

  /** Images that are used, with their names in the compiler. */
  get images(): readonly { name: string; image: PdfImage }[] {
    return [...this.#images.values()]
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

  /** Returns targets for anchors that are linked to but not part of any page; they are placed at the end. */
  defineMissingAnchors(): Typst[] {
    return [...this.#labels.values()]
      .filter((label) => !this.#defined.has(label))
      .map((label) => typst`anchor(${label})`)
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

  /** Returns a link to a target, or only its content if the target is unknown. */
  link(target: PdfTarget | undefined, content: Typst): Typst {
    const destination = target && this.#destinationOf(target)
    return destination ? typst`link(${destination}, ${content})` : content
  }

  #destinationOf({ page, anchor, url }: PdfTarget): Typst | string | undefined {
    const label = page === undefined ? undefined : this.#pageLabels.get(page)
    if (page !== undefined && label !== undefined)
      return typst`label(${anchor === undefined ? label : this.#anchorLabel(page, anchor)})`
    return url !== undefined && isLinkable(url) ? url : undefined
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
