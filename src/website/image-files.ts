import type { Block, Document, FileRef, InlineNode, Table } from '../content/document/nodes.ts'
import { mapNodes, withNodes } from '../content/document/walk.ts'
import { UniquePaths, safeSegment } from './file-names.ts'
import { extensionOf, isDataUrl, parseDataUrlImage } from './data-url-images.ts'

const assetsFolder = '.gitbook/assets/'

/** Returns the new source of an image; undefined to remove it. */
type ChangeImage = (ref: FileRef) => FileRef | undefined

/** Images of all pages; every URL has one path. */
export class ImageFiles {
  readonly addresses = new Map<string, string>()
  readonly #paths = new Map<string, string>()
  readonly #uniquePaths = new UniquePaths()

  /** Replaces the URL of an image by its file. */
  readonly toFileRef: ChangeImage = (ref) => {
    if (ref.kind !== 'url' || !/^(?:https?|data):/i.test(ref.url)) return ref
    const file = this.#assignPath(ref.url)
    return file === undefined ? undefined : { kind: 'file', file }
  }

  #assignPath(address: string): string | undefined {
    const url = address.replace(/#.*$/, '')
    const existing = this.#paths.get(url)
    if (existing !== undefined) return existing
    const fileName = isDataUrl(url) ? nameOfDataUrl(url) : nameOf(url)
    if (!fileName) return undefined
    const path = assetsFolder + this.#uniquePaths.assign(fileName.name || 'image', fileName.extension)
    this.#paths.set(url, path)
    this.addresses.set(path, url)
    return path
  }
}

interface ImageName {
  name: string
  extension: string
}

function nameOfDataUrl(url: string): ImageName | undefined {
  const inline = parseDataUrlImage(url)
  return inline && { name: '', extension: extensionOf(inline.contentType) }
}

/** Returns the file name of an image without the hash of a build tool. */
function nameOf(url: string): ImageName {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: '' }
  const last = safeSegment(pathname.split('/').at(-1) ?? '')
  const extension = /\.[a-z0-9]{1,5}$/i.exec(last)?.[0] ?? ''
  const name = last.slice(0, last.length - extension.length)
  return { name: /\/(?:_astro|assets)\//.test(pathname) ? name.replace(buildHash, '') : name, extension }
}

const buildHash = /(?<=.)(?:-[0-9a-f]{32}|\.(?=\S*[A-Z0-9_])[\w-]{8}(?:_[\w-]{4,8})?)$/

/** Removes images with data URLs, which would fill the text of a page. */
export const withoutDataUrl: ChangeImage = (ref) => (ref.kind === 'url' && isDataUrl(ref.url) ? undefined : ref)

/** Changes or removes the images of a document. */
export function mapImages(document: Document, change: ChangeImage): Document {
  const changeData: ChangeData = (data) => {
    const [ref, refDark] = [change(data.ref), data.refDark && change(data.refDark)]
    return ref && { ...data, ref, ...(refDark && { refDark }) }
  }
  const changeBlock = (block: Block): Block | readonly Block[] => {
    if (block.type === 'image') {
      const data = changeData(block.data)
      return data ? { ...block, data } : []
    }
    if (block.type === 'images') return block.nodes.length > 0 ? block : []
    return block.type === 'table' ? mapTableImages(block, changeData) : block
  }
  const changeInline = (inline: InlineNode): InlineNode | readonly InlineNode[] => {
    if (inline.object === 'text' || inline.type !== 'inline-image') return inline
    const data = changeData(inline.data)
    return data ? { ...inline, data } : []
  }
  return withNodes(document, mapNodes(document.nodes, changeBlock, changeInline))
}

type ChangeData = <Data extends { ref: FileRef; refDark?: FileRef }>(data: Data) => Data | undefined

/** Changes the images in the cells of a table. */
function mapTableImages(table: Table, change: ChangeData): Table {
  const records = Object.entries(table.data.records).map(([id, record]) => {
    const values = Object.entries(record.values).flatMap(([column, value]) => {
      const isImage = typeof value === 'object' && value !== null && 'ref' in value
      const changed = isImage ? change(value) : value
      return changed === undefined ? [] : [[column, changed] as const]
    })
    return [id, { ...record, values: Object.fromEntries(values) }] as const
  })
  return { ...table, data: { ...table.data, records: Object.fromEntries(records) } }
}
