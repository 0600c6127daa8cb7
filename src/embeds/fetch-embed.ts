import { FetchError } from '../fetch/errors.ts'
import type { Fetch, FetchResponse } from '../fetch/fetch.ts'
import { decodePercent } from '../kernel/decode-percent.ts'
import { seconds } from '../kernel/time.ts'
import { findEmbedPlayer } from '../content/document/embed-players.ts'
import { decodeHtml } from '../website/decode-html.ts'
import { findOembedUrl } from './oembed-endpoints.ts'
import { readPageMetadata } from './page-metadata.ts'

/** Data of an embed. All texts are plain text of the other website. */
export interface EmbedData {
  title: string
  /** Name of the website, or else its host. */
  site: string
  description?: string | undefined
  /** HTTPS URL of the icon of the website. */
  icon?: string | undefined
  /** URL of the player, if only the oEmbed data contains it. It is always one that `findEmbedPlayer` accepts. */
  player?: string | undefined
}

/**
 * Result of a fetch. Data is partial if the website exists but returned no description of the page, for example because it
 * does not answer programs.
 */
export type FetchedEmbed =
  | { kind: 'found'; data: EmbedData; isPartial: boolean }
  /** The website has no such page. */
  | { kind: 'absent' }
  /** The website cannot be reached, or may not be contacted. */
  | { kind: 'unreachable' }

/** Maximum time in milliseconds for all requests of one embed together. */
const totalTimeout = seconds(8)

/** Maximum number of bytes that are read of a page, whose head is at its beginning, and of oEmbed data. */
const maxPageBytes = 1024 ** 2
const maxOembedBytes = 256 * 1024

const maxTitleLength = 200
const maxSiteLength = 80
const maxDescriptionLength = 300
const maxUrlLength = 2048

type Get = (url: string) => Promise<FetchResponse>

/**
 * Fetches the data of a URL: its oEmbed data, or the metadata of the page if there is none. Throws only if the signal is aborted.
 */
export async function fetchEmbed(fetch: Fetch, page: URL, signal: AbortSignal): Promise<FetchedEmbed> {
  const deadline = performance.now() + totalTimeout
  const get: Get = (url) => {
    const timeout = Math.max(1, deadline - performance.now())
    // Only the beginning of a reply is read, so its size does not matter.
    return fetch.get(url, { maxBytes: Infinity, timeout, signal })
  }
  try {
    return (await fetchFromProvider(get, page)) ?? (await fetchPage(get, page))
  } catch (error) {
    if (!(error instanceof FetchError) || error.failure === 'aborted') throw error
    return { kind: 'unreachable' }
  }
}

/** Returns the data that a URL itself contains, without a request. */
export function describeUrl(page: URL): EmbedData {
  const name = findEmbedPlayer(page)?.name
  return toEmbedData(page, name === undefined ? {} : { title: name, siteName: name })
}

/** Fetches the oEmbed data of a known provider; undefined if the page has to be fetched. */
async function fetchFromProvider(get: Get, page: URL): Promise<FetchedEmbed | undefined> {
  const endpoint = findOembedUrl(page)
  if (!endpoint) return undefined
  const player = findEmbedPlayer(page)
  const oembed = await fetchOembed(get, endpoint)
  if (typeof oembed === 'object') {
    const data = toEmbedData(page, { ...oembed, siteName: oembed.siteName ?? player?.name })
    return { kind: 'found', data, isPartial: false }
  }
  if (!player) return undefined
  if (oembed === 404) return { kind: 'absent' }
  return { kind: 'found', data: describeUrl(page), isPartial: true }
}

async function fetchPage(get: Get, page: URL): Promise<FetchedEmbed> {
  const reply = await get(page.href)
  const { status, contentType = '' } = reply
  const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)
  if (status < 200 || status > 299 || !isHtml) {
    reply.discard()
    if (status === 404 || status === 410) return { kind: 'absent' }
    return { kind: 'found', data: toEmbedData(page, {}), isPartial: status < 200 || status > 299 }
  }
  const head = await readStart(reply, maxPageBytes, endsHead)
  const metadata = readPageMetadata(decodeHtml(head, contentType))
  const base = parseHttpUrl(metadata.base, reply.url)?.href ?? reply.url
  const described = { ...metadata, icon: parseHttpUrl(metadata.icon, base)?.href }
  const endpoint = parseHttpUrl(metadata.oembed, base)
  const oembed = endpoint && (await fetchOembed(get, endpoint))
  const values = typeof oembed === 'object' ? { ...described, ...withoutUndefined(oembed) } : described
  return { kind: 'found', data: toEmbedData(page, values), isPartial: false }
}

/** Values of an embed as the website returned them. */
interface DescribedPage {
  title?: string | undefined
  siteName?: string | undefined
  description?: string | undefined
  icon?: string | undefined
  player?: string | undefined
}

function toEmbedData(page: URL, { title, siteName, description, icon, player }: DescribedPage): EmbedData {
  return {
    title: cleanText(title, maxTitleLength) ?? titleFromUrl(page),
    site: cleanText(siteName, maxSiteLength) ?? hostOf(page),
    description: cleanText(description, maxDescriptionLength),
    icon: icon?.startsWith('https:') && icon.length <= maxUrlLength ? icon : undefined,
    player,
  }
}

/** Fetches oEmbed data. Returns the status if it is not 200, and undefined if the data is not valid or cannot be fetched. */
async function fetchOembed(get: Get, endpoint: URL): Promise<DescribedPage | number | undefined> {
  try {
    const reply = await get(endpoint.href)
    if (reply.status !== 200) {
      reply.discard()
      return reply.status
    }
    const text = (await readStart(reply, maxOembedBytes)).toString('utf8')
    return parseOembed(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    if (!(error instanceof FetchError) || error.failure === 'aborted') throw error
    return undefined
  }
}

function parseOembed(value: unknown): DescribedPage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const textOf = (key: string): string | undefined => {
    const text = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
    return typeof text === 'string' && text.trim() !== '' ? text : undefined
  }
  return {
    title: textOf('title') ?? textOf('author_name'),
    siteName: textOf('provider_name'),
    player: findPlayerUrl(textOf('html') ?? ''),
  }
}

/** Maximum length of the tag of a frame. */
const maxFrameTag = 4096

/** Returns the URL of the frame in the HTML of a provider if it is a supported player. Nothing else of the HTML is used. */
function findPlayerUrl(html: string): string | undefined {
  const start = html.search(/<iframe\s/i)
  const tag = start === -1 ? '' : html.slice(start, start + maxFrameTag)
  const frame = /^[^>]*?\ssrc\s*=\s*(?:"([^"]+)"|'([^']+)')/i.exec(tag)
  const source = (frame?.[1] ?? frame?.[2])?.replaceAll('&amp;', '&')
  const url = source === undefined ? undefined : parseHttpUrl(source, 'https://localhost/')
  return url && findEmbedPlayer(url)?.url
}

/** Reads the start of a body, until the limit or until `isEnough` returns true for a chunk, and closes the connection. */
async function readStart(
  { body }: FetchResponse,
  maxBytes: number,
  isEnough: (chunk: string) => boolean = () => false,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  let tail = ''
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    const text = tail + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
    if (size >= maxBytes || isEnough(text)) break
    tail = text.slice(-maxTagNameLength)
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

/** Length of the start of a tag that ends the head, which two chunks may contain together. */
const maxTagNameLength = 8

const endsHead = (chunk: string): boolean => /<\/head|<body/i.test(chunk)

/** Removes control characters, characters that change the direction of the text around them, and repeated spaces. */
function cleanText(text: string | undefined, maxLength: number): string | undefined {
  const clean = text
    ?.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .toWellFormed()
    .trim()
  if (!clean) return undefined
  return clean.length <= maxLength ? clean : `${clean.slice(0, maxLength - 1).trimEnd()}…`.toWellFormed()
}

/** Returns a title for a page without one: the name of its file, or its host and path. */
function titleFromUrl(page: URL): string {
  const { pathname } = page
  const name = pathname.split('/').at(-1) ?? ''
  return (
    cleanText(/\.\w{1,8}$/.test(name) ? decodePercent(name) : undefined, maxTitleLength) ??
    cleanText(`${hostOf(page)}${pathname === '/' ? '' : decodePercent(pathname)}`, maxTitleLength) ??
    hostOf(page)
  )
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^www\./, '')

function parseHttpUrl(address: string | undefined, base: string): URL | undefined {
  if (address === undefined || !URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  return /^https?:$/.test(url.protocol) ? url : undefined
}

const withoutUndefined = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
