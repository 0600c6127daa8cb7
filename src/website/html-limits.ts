// The parser needs time quadratic in the nesting depth and in the attributes of an element, and every element takes kilobytes of
// memory. Ordinary pages are far below these limits; everything above is omitted.

const maxOpenTags = 300
const maxTags = 80_000
/** Maximum number of attributes and classes of one element, and of all elements. */
const maxAttributes = 200
const maxTotalAttributes = 400_000
/** Maximum length of a base URL, which is prepended to all relative URLs of the page. */
const maxBaseLength = 4000

/** Elements that the next element of the same kind closes, so that many open ones are not nested. */
const implicitlyClosed: ReadonlySet<string> = new Set(
  'p li dt dd tr td th thead tbody tfoot option optgroup area base br col embed hr img input link meta source track wbr'.split(
    ' ',
  ),
)

/**
 * Removes tags that exceed the limits of count or depth, and attributes that exceed theirs. Everything that looks like a tag is
 * counted, also in comments and scripts, because only the parser can determine where these end.
 */
export function limitHtml(html: string): string {
  const parts: string[] = []
  let [tags, attributes, open, dropped, end] = [0, 0, 0, 0, 0]
  for (const match of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    const { index } = match
    if (index < end) continue
    const [start, slash, tagName = ''] = match
    const name = tagName.toLowerCase()
    if (slash === '') tags++
    let isOmitted = tags > maxTags
    if (!isOmitted && !implicitlyClosed.has(name)) {
      if (slash === '' && open < maxOpenTags) open++
      else if (slash !== '' && dropped === 0) open = Math.max(0, open - 1)
      else {
        dropped += slash === '' ? 1 : -1
        isOmitted = true
      }
    }
    const attributeCount =
      isOmitted || attributes > maxTotalAttributes ? Infinity : countAttributes(html, index + start.length, name)
    if (attributeCount <= maxAttributes) {
      attributes += attributeCount
      continue
    }
    parts.push(html.slice(end, index), isOmitted ? '' : `${start}>`)
    const close = html.indexOf('>', index + start.length)
    end = close < 0 ? html.length : close + 1
  }
  return end === 0 ? html : parts.join('') + html.slice(end)
}

/** Estimates the number of attributes and classes of a tag whose name ends at `from`; Infinity if they must be removed. */
function countAttributes(html: string, from: number, name: string): number {
  let count = 0
  const mark = /\s+|>|=\s*["']/g
  mark.lastIndex = from
  for (let found = mark.exec(html); found && count <= maxAttributes; found = mark.exec(html)) {
    const [text] = found
    if (text === '>') break
    if (!text.startsWith('=')) {
      count++
      continue
    }
    const close = html.indexOf(text.at(-1) as string, mark.lastIndex)
    if (close < 0) break
    const value = html.slice(mark.lastIndex, close)
    if (name === 'base' && value.length > maxBaseLength) return Infinity
    if (/class$/i.test(html.slice(found.index - 'class'.length, found.index))) count += value.match(/\s+/g)?.length ?? 0
    mark.lastIndex = close + 1
  }
  return count
}
