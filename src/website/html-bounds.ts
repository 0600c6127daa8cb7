// The parser takes time that grows with the square of the nesting and of the attributes of one element, and all that is made of
// an element takes kilobytes. No page that was made to be read has as many as would be felt; those too many are left out.

const maxOpenTags = 300
const maxTags = 80_000
/** Attributes and classes of one element, and of all. */
const maxAttributes = 200
const maxAttributesInAll = 400_000
/** Everything on the page would be put behind a base. */
const maxBaseLength = 4000

/** Elements that end when the next of their kind begins, so that many open ones are not nested. */
const endedByNext: ReadonlySet<string> = new Set(
  'p li dt dd tr td th thead tbody tfoot option optgroup area base br col embed hr img input link meta source track wbr'.split(
    ' ',
  ),
)

/**
 * The page without the tags that are too many or nested too deep, and without attributes where they are too many. What looks
 * like a tag counts as one wherever it stands: in comments and scripts too, whose ends are the parser's to know.
 */
export function boundedHtml(html: string): string {
  const parts: string[] = []
  let [tags, attributes, open, dropped, end] = [0, 0, 0, 0, 0]
  for (const match of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    const { index } = match
    if (index < end) continue
    const [start, slash, written = ''] = match
    const name = written.toLowerCase()
    if (slash === '') tags++
    let isLeftOut = tags > maxTags
    if (!isLeftOut && !endedByNext.has(name)) {
      if (slash === '' && open < maxOpenTags) open++
      else if (slash !== '' && dropped === 0) open = Math.max(0, open - 1)
      else {
        dropped += slash === '' ? 1 : -1
        isLeftOut = true
      }
    }
    const own =
      isLeftOut || attributes > maxAttributesInAll ? Infinity : countAttributes(html, index + start.length, name)
    if (own <= maxAttributes) {
      attributes += own
      continue
    }
    parts.push(html.slice(end, index), isLeftOut ? '' : `${start}>`)
    const close = html.indexOf('>', index + start.length)
    end = close < 0 ? html.length : close + 1
  }
  return end === 0 ? html : parts.join('') + html.slice(end)
}

/** About how many attributes and classes a tag has, whose name ends at a place; Infinity when it cannot be kept. */
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
