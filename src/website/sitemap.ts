import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

export interface Sitemap {
  pages: string[]
  /** The sitemaps that an index lists. */
  sitemaps: string[]
}

/** Room for as many addresses of ordinary length as a sitemap may have. */
export const maxSitemapBytes = 16 * 1024 * 1024
const maxAddresses = 50_000

/** Reads a sitemap in XML, or as a list of addresses in plain text. */
export function parseSitemap(text: string): Sitemap {
  const sitemap: Sitemap = { pages: [], sitemaps: [] }
  if (!/^\s*</.test(text.slice(0, 1000))) {
    for (const line of text.split(/\s+/, maxAddresses)) if (/^https?:/i.test(line)) sitemap.pages.push(line)
    return sitemap
  }
  const addresses = /<(?:\w+:)?sitemapindex[\s>]/.test(text.slice(0, 10_000)) ? sitemap.sitemaps : sitemap.pages
  // Other vocabularies, such as that of images, have elements of this name with a prefix of their own.
  for (const [, written = ''] of text.matchAll(/<loc>([^<]*|\s*<!\[CDATA\[[^\]]*\]\]>\s*)<\/loc>/g)) {
    addresses.push(textOf(written))
    if (addresses.length === maxAddresses) break
  }
  return sitemap
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function textOf(xml: string): string {
  return xml
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(/&(\w+);/g, (entity, name: string) => entities[name] ?? entity)
    .trim()
}

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

/** The text of a sitemap, which may be packed; undefined when it cannot be unpacked or becomes too large. */
export async function sitemapText(bytes: Buffer): Promise<string | undefined> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!isPacked) return bytes.toString()
  try {
    return (await unpack(bytes, { maxOutputLength: maxSitemapBytes })).toString()
  } catch {
    return undefined
  }
}
