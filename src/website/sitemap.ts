import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

export interface Sitemap {
  pages: string[]
  /** URLs of the sitemaps that an index lists. */
  sitemaps: string[]
}

/** Maximum size of a sitemap; enough for the maximum number of URLs of ordinary length. */
export const maxSitemapBytes = 16 * 1024 * 1024
const maxUrls = 50_000

/** Parses a sitemap in XML or in plain text with one URL per line. */
export function parseSitemap(text: string): Sitemap {
  const sitemap: Sitemap = { pages: [], sitemaps: [] }
  if (!/^\s*</.test(text.slice(0, 1000))) {
    for (const line of text.split(/\s+/, maxUrls)) if (/^https?:/i.test(line)) sitemap.pages.push(line)
    return sitemap
  }
  const addresses = /<(?:\w+:)?sitemapindex[\s>]/.test(text.slice(0, 10_000)) ? sitemap.sitemaps : sitemap.pages
  // Other vocabularies, such as image sitemaps, have elements of this name with a prefix.
  for (const [, xml = ''] of text.matchAll(/<loc>([^<]*|\s*<!\[CDATA\[[^\]]*\]\]>\s*)<\/loc>/g)) {
    addresses.push(decodeXmlText(xml))
    if (addresses.length === maxUrls) break
  }
  return sitemap
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeXmlText(xml: string): string {
  return xml
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(/&(\w+);/g, (entity, name: string) => entities[name] ?? entity)
    .trim()
}

const gunzipBytes = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

/** Decodes a sitemap, which may be compressed; undefined if it cannot be decompressed or is too large. */
export async function decodeSitemap(bytes: Buffer): Promise<string | undefined> {
  const isGzipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!isGzipped) return bytes.toString()
  try {
    return (await gunzipBytes(bytes, { maxOutputLength: maxSitemapBytes })).toString()
  } catch {
    return undefined
  }
}
