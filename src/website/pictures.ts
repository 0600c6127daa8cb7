import type { Block, Document, FileRef, InlineNode, Table } from '../content/document/nodes.ts'
import { mapNodes, withNodes } from '../content/document/walk.ts'
import { FileNames, safeStep } from './file-names.ts'
import { endingOf, isInline, readInline } from './inline-pictures.ts'

const assetsFolder = '.gitbook/assets/'

/** Returns the new source of an image; undefined to remove it. */
type ChangePicture = (ref: FileRef) => FileRef | undefined

/** Images of all pages; every URL has one path. */
export class Images {
  readonly addresses = new Map<string, string>()
  readonly #paths = new Map<string, string>()
  readonly #names = new FileNames()

  /** Replaces the URL of an image by its file. */
  readonly asFile: ChangePicture = (ref) => {
    if (ref.kind !== 'url' || !/^(?:https?|data):/i.test(ref.url)) return ref
    const file = this.#pathOf(ref.url)
    return file === undefined ? undefined : { kind: 'file', file }
  }

  #pathOf(address: string): string | undefined {
    const url = address.replace(/#.*$/, '')
    const known = this.#paths.get(url)
    if (known !== undefined) return known
    const named = isInline(url) ? nameOfInline(url) : nameOf(url)
    if (!named) return undefined
    const path = assetsFolder + this.#names.take(named.name || 'image', named.ending)
    this.#paths.set(url, path)
    this.addresses.set(path, url)
    return path
  }
}

interface FileName {
  name: string
  ending: string
}

function nameOfInline(url: string): FileName | undefined {
  const inline = readInline(url)
  return inline && { name: '', ending: endingOf(inline.contentType) }
}

/** Returns the file name of an image without the hash of a build tool. */
function nameOf(url: string): FileName {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: '' }
  const last = safeStep(pathname.split('/').at(-1) ?? '')
  const ending = /\.[a-z0-9]{1,5}$/i.exec(last)?.[0] ?? ''
  const name = last.slice(0, last.length - ending.length)
  return { name: /\/(?:_astro|assets)\//.test(pathname) ? name.replace(buildHash, '') : name, ending }
}

const buildHash = /(?<=.)(?:-[0-9a-f]{32}|\.(?=\S*[A-Z0-9_])[\w-]{8}(?:_[\w-]{4,8})?)$/

/** Removes images with data URLs, which would fill the text of a page. */
export const withoutInline: ChangePicture = (ref) => (ref.kind === 'url' && isInline(ref.url) ? undefined : ref)

/** Changes or removes the images of a document. */
export function withPictures(document: Document, change: ChangePicture): Document {
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
    return block.type === 'table' ? withCovers(block, changeData) : block
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
function withCovers(table: Table, change: ChangeData): Table {
  const records = Object.entries(table.data.records).map(([id, record]) => {
    const values = Object.entries(record.values).flatMap(([column, value]) => {
      const isPicture = typeof value === 'object' && value !== null && 'ref' in value
      const changed = isPicture ? change(value) : value
      return changed === undefined ? [] : [[column, changed] as const]
    })
    return [id, { ...record, values: Object.fromEntries(values) }] as const
  })
  return { ...table, data: { ...table.data, records: Object.fromEntries(records) } }
}
