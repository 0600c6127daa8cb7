import { decodeEntities } from '../content/markdown/html.ts'

/** Metadata in the head of a web page. Addresses are as written in the page. */
export interface PageMetadata {
  title?: string | undefined
  siteName?: string | undefined
  description?: string | undefined
  icon?: string | undefined
  /** Address of the oEmbed data of the page. */
  oembed?: string | undefined
  /** Base of relative addresses. */
  base?: string | undefined
}

interface HeadElement {
  name: string
  attributes: ReadonlyMap<string, string>
  text: string
}

/** Maximum number of tags that are read, so that a hostile page does not block the event loop. */
const maxTags = 5000
const maxAttributes = 40
/** Maximum length of an attribute value and of the title as written. */
const maxValueLength = 4096

/** Elements whose content is not markup. */
const rawTextElements = new Map(
  ['title', 'script', 'style', 'textarea'].map((name) => [name, new RegExp(`</${name}`, 'gi')] as const),
)

/** Reads the metadata in the head of a page: Open Graph, common meta tags, the title and links. */
export function readPageMetadata(html: string): PageMetadata {
  const values = new Map<string, string>()
  let [title, icon, touchIcon, oembed, base]: (string | undefined)[] = []
  for (const { name, attributes, text } of scanHead(html)) {
    if (name === 'title') title ??= text
    if (name === 'base') base ??= attributes.get('href')
    if (name === 'meta') {
      const key = (attributes.get('property') ?? attributes.get('name'))?.toLowerCase()
      const content = attributes.get('content')
      if (key !== undefined && content && !values.has(key)) values.set(key, content)
    }
    if (name === 'link') {
      const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/)
      const href = attributes.get('href')
      if (relations.includes('icon')) icon ??= href
      if (relations.includes('apple-touch-icon')) touchIcon ??= href
      if (relations.includes('alternate') && /^(?:application|text)\/json\+oembed$/i.test(attributes.get('type') ?? ''))
        oembed ??= href
    }
  }
  const first = (...keys: string[]) => keys.map((key) => values.get(key)).find((value) => value !== undefined)
  return {
    title: first('og:title', 'twitter:title') ?? title,
    siteName: first('og:site_name', 'application-name'),
    description: first('og:description', 'description', 'twitter:description'),
    icon: icon ?? touchIcon,
    oembed,
    base,
  }
}

/**
 * Yields the elements with metadata of a head. A search for the end of something that finds nothing ends the scan, so its time
 * is linear in the length of the page.
 */
function* scanHead(html: string): Iterable<HeadElement> {
  const tag = /<(?:!--|(\/?)([a-z][a-z0-9-]*))/gi
  for (let count = 0; count < maxTags; count++) {
    const match = tag.exec(html)
    if (!match) return
    if (match[2] === undefined) {
      const end = html.indexOf('-->', tag.lastIndex)
      if (end === -1) return
      tag.lastIndex = end
      continue
    }
    const name = match[2].toLowerCase()
    const isClosing = match[1] !== ''
    if (name === 'body' || (isClosing && name === 'head')) return
    const read = readAttributes(html, tag.lastIndex)
    if (!read) return
    const { attributes, end } = read
    tag.lastIndex = end
    if (isClosing) continue
    const closing = rawTextElements.get(name)
    if (closing) {
      closing.lastIndex = end
      const found = closing.exec(html)
      if (!found) return
      tag.lastIndex = found.index
      yield { name, attributes, text: decodeValue(html.slice(end, found.index)) }
    } else yield { name, attributes, text: '' }
  }
}

/** Reads the attributes of a tag from the end of its name; undefined if the tag does not end. */
function readAttributes(
  html: string,
  from: number,
): { attributes: ReadonlyMap<string, string>; end: number } | undefined {
  const attributes = new Map<string, string>()
  let at = from
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const text = pattern.exec(html)?.[0] ?? ''
    at += text.length
    return text
  }
  for (let count = 0; count < maxAttributes; count++) {
    take(/[\s/]*/y)
    if (html[at] === '>') return { attributes, end: at + 1 }
    const name = take(/=?[^\s/>=]*/y).toLowerCase()
    if (name === '') return undefined
    let value = ''
    if (take(/\s*=\s*/y) !== '') {
      const quote = html[at]
      if (quote === '"' || quote === "'") {
        const end = html.indexOf(quote, at + 1)
        if (end === -1) return undefined
        value = html.slice(at + 1, end)
        at = end + 1
      } else value = take(/[^\s>]*/y)
    }
    if (!attributes.has(name)) attributes.set(name, decodeValue(value))
  }
  const end = html.indexOf('>', at)
  return end === -1 ? undefined : { attributes, end: end + 1 }
}

const decodeValue = (value: string): string => decodeEntities(value.slice(0, maxValueLength)).trim()
