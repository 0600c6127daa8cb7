import type { Node } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { FileRef } from '../../../content/document/nodes.ts'
import type { RevisionFile } from '../../../contract/revision.ts'
import { toolTexts } from '../../screens/edit/edit-texts.ts'
import { defineTexts, fillText } from '../../texts.ts'
import { showToast } from '../../ui/toasts.tsx'
import type * as files from '../files.ts'
import type { followRange } from '../follow-range.ts'
import type { readSelection } from '../read-selection.ts'
import { imageData } from './image-data.ts'

/** Maximum number of images in data URLs of one paste: each is a request and a file. */
const maxImages = 50
/** Maximum length of the data URL of an image, and of all in one paste, in characters. */
const maxLength = 16 * 1024 * 1024
const maxTotal = 64 * 1024 * 1024
/** Minimum size of an image in bytes; smaller ones are placeholders of pages that load their images later. */
const minBytes = 120

const texts = defineTexts('pastedImages', {
  refused: 'The image is too large or damaged, or its type is not supported.',
  tooMany: 'At most {count} images can be pasted at once.',
})

/** File extensions by content type, and the first bytes of each type. */
const types: ReadonlyMap<string, readonly [extension: string, start: RegExp]> = new Map([
  ['image/png', ['png', /^\x89PNG/]],
  ['image/jpeg', ['jpg', /^\xff\xd8\xff/]],
  ['image/gif', ['gif', /^GIF8/]],
  ['image/webp', ['webp', /^RIFF[^]{4}WEBP/]],
  ['image/avif', ['avif', /^[^]{4}ftyp/]],
  ['image/svg+xml', ['svg', /^(?:\xef\xbb\xbf)?\s*<[?!s]/]],
])

/** Uploads a file and adds it to the content; undefined if that failed. */
export type SendFile = (file: File) => Promise<RevisionFile | undefined>

/**
 * Functions of the editor. This module is loaded later and does not import them, because shared modules would be split off from the
 * script of the editor.
 */
export interface ImageTools extends Pick<typeof files, 'insertBlock' | 'placeCursorAfter'> {
  send: SendFile
  followRange: typeof followRange
  readSelection: typeof readSelection
  /** Metadata key of transactions; the value is a function that follows parts of the content. */
  followStartKey: string
}

/** Data URLs that are being pasted, by the addresses that represent them until the files are uploaded. */
let pending: ReadonlyMap<string, string> = new Map()

/** An image that was removed from pasted content. */
interface Place {
  address: string
  node: Node
  at: number
}

/** Removes data URLs that are too large from HTML, before it is parsed. */
export function dropLargeImages(html: string): string {
  let total = 0
  return html.replace(imageData, (url) => {
    const isRefused = url.length > maxLength || total + url.length > maxTotal
    if (!isRefused) total += url.length
    return isRefused ? 'data:image/' : url
  })
}

/**
 * Replaces the data URLs of images with short addresses, and returns these. The images are removed from the page before it is shown
 * or saved, and inserted again as files.
 */
export function takeDataUrls(body: HTMLElement): ReadonlySet<string> {
  const addresses = new Map<string, string>()
  let isTooMany = false
  for (const image of body.querySelectorAll('img[src^="data:" i]')) {
    const url = image.getAttribute('src') ?? ''
    const address = addresses.get(url) ?? `upload:${addresses.size}`
    isTooMany ||= !addresses.has(url) && addresses.size === maxImages
    if (!addresses.has(url) && addresses.size === maxImages) continue
    addresses.set(url, address)
    image.setAttribute('src', address)
  }
  if (isTooMany) refuse('image', fillText(texts.tooMany, { count: maxImages }))
  pending = new Map(Array.from(addresses, ([url, address]) => [address, url]))
  // Pasted content is inserted in the same task.
  queueMicrotask(() => (pending = new Map()))
  return new Set(pending.keys())
}

const refuse = (name: string, reason: string): void =>
  showToast(fillText(toolTexts.uploadFailed, { name, reason }), { kind: 'error' })

/** Removes pasted images with data URLs from the page, and starts to upload them. */
export function takeImages({ doc, tr }: EditorState, tools: ImageTools): Transaction | null {
  if (pending.size === 0) return null
  const urls = pending
  const found: Place[] = []
  doc.descendants((node, at) => {
    const address = addressOf(node)
    if (address !== undefined && urls.has(address)) found.push({ address, node, at })
  })
  if (found.length === 0) return null
  for (const { node, at } of found) removeImage(tr, node, tr.mapping.map(at))
  const places = found.map((place) => ({ ...place, at: findStart(tr, tr.mapping.map(place.at, -1)) }))
  return tr.setMeta(tools.followStartKey, (view: EditorView) => void sendImages(view, tr, places, urls, tools))
}

/** Returns the fields of an image, or of one beside text. */
function dataOf({ type, attrs }: Node): { ref?: FileRef } | undefined {
  if (type.name === 'image') return attrs['data'] as { ref?: FileRef }
  if (type.name !== 'protected_inline') return undefined
  return (attrs['json'] as { data?: { ref?: FileRef } }).data
}

function addressOf(node: Node): string | undefined {
  const ref = dataOf(node)?.ref
  return ref?.kind === 'url' ? ref.url : undefined
}

function removeImage(tr: Transaction, node: Node, at: number): void {
  const $at = tr.doc.resolve(at)
  if (node.isInline || $at.parent.childCount > 1) {
    tr.delete(at, at + node.nodeSize)
    return
  }
  // A row has images, and a container has blocks.
  const isRemovable = $at.node(-1).canReplace($at.index(-1), $at.indexAfter(-1))
  if (isRemovable) tr.delete($at.before(), $at.after())
  else tr.replaceWith($at.before(), $at.after(), node.type.schema.node('paragraph'))
}

/** Returns a position where an image can be inserted: in an empty paragraph, so that it is replaced. */
function findStart({ doc }: Transaction, at: number): number {
  const next = doc.resolve(at).nodeAfter
  return next?.type.name === 'paragraph' && next.childCount === 0 ? at + 1 : at
}

/** Uploads images one after the other, and inserts each at its position. Equal images become one file. */
async function sendImages(
  view: EditorView,
  { selection: { head } }: Transaction,
  places: readonly Place[],
  urls: ReadonlyMap<string, string>,
  tools: ImageTools,
): Promise<void> {
  const { send, followRange, readSelection, placeCursorAfter } = tools
  const followed = places.map((place) => ({ ...place, range: followRange(view, place.at) }))
  const cursor = followRange(view, head)
  const sent = new Map<string, RevisionFile | undefined>()
  for (const { address, node, range } of followed) {
    if (!sent.has(address)) sent.set(address, await sendImage(urls.get(address) ?? '', send))
    if (view.isDestroyed) return
    const file = sent.get(address)
    if (!file) continue
    readSelection(view)
    const { tr, selection } = view.state
    const end = insertImage(tr, node, file, range.from, tools)
    const isLast = range === followed.at(-1)?.range
    // If the cursor was moved while the images were uploaded, it remains there.
    if (end !== undefined && isLast && selection.empty && selection.head === cursor.from && cursor.from < end)
      placeCursorAfter(tr, end)
    view.dispatch(tr)
  }
  for (const { stop } of [cursor, ...followed.map(({ range }) => range)]) stop()
}

/** Inserts a removed image as a file; returns the position after it if it is a block. */
function insertImage(
  tr: Transaction,
  node: Node,
  { id }: RevisionFile,
  at: number,
  { insertBlock }: ImageTools,
): number | undefined {
  const { schema } = node.type
  const data = { ...dataOf(node), ref: { kind: 'file', file: id } }
  if (!node.isInline) {
    const image = node.type.create({ ...node.attrs, data }, node.content)
    return insertBlock(tr, schema.node('images', null, image), at)
  }
  const $at = tr.doc.resolve(at)
  const inline = node.type.create({ json: { ...(node.attrs['json'] as object), data } }, null, node.marks)
  if ($at.parent.canReplaceWith($at.index(), $at.index(), node.type)) tr.insert(at, inline)
  else insertBlock(tr, schema.node('paragraph', null, inline), at)
  return undefined
}

async function sendImage(url: string, send: SendFile): Promise<RevisionFile | undefined> {
  const [head, type = '', isEncoded] =
    /^data:(image\/[\w.+-]*)(?:;[\w.=-]+)*?(;base64)?,/i.exec(url.slice(0, 200)) ?? []
  const [extension, start] = types.get(type.toLowerCase()) ?? []
  const bytes = head === undefined ? undefined : decode(url.slice(head.length), isEncoded !== undefined)
  if (bytes && bytes.length < minBytes) return undefined
  if (!bytes || !start?.test(bytes.slice(0, 200))) {
    refuse(extension === undefined ? 'image' : `image.${extension}`, texts.refused)
    return undefined
  }
  const array = new Uint8Array(bytes.length)
  for (let index = 0; index < bytes.length; index++) array[index] = bytes.charCodeAt(index)
  return send(new File([array], `image.${extension}`, { type: type.toLowerCase() }))
}

/** Returns the bytes of a data URL as a string with a character for each; undefined if they are not valid. */
function decode(data: string, isBase64: boolean): string | undefined {
  try {
    // Texts in URLs are UTF-8, whose bytes are escaped.
    return isBase64
      ? atob(data.includes('%') ? decodeURIComponent(data) : data)
      : unescape(encodeURIComponent(decodeURIComponent(data)))
  } catch {
    return undefined
  }
}
