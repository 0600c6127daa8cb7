import type { BlockTag } from './block-tag.ts'
import { componentTag, emptyComponentTag, isCallout } from './components.ts'
import { isAlternative, isRestriction } from './template-tags.ts'
import { directiveTag, hasHintStyle } from './directives.ts'

// Tags of plugins of older GitBook versions and of other template languages: `{% method %}`, `{% youtube %}`, `{% /callout %}`. Those
// without a block are parsed like components: readers see their content, not the tags.

/** Tags whose content is code. */
const codeTags: ReadonlyMap<string | undefined, string> = new Map([
  ['mermaid', 'mermaid'],
  ['plantuml', 'plantuml'],
  ['uml', 'plantuml'],
  ['graph', ''],
  ['chart', ''],
  ['codesnippet', ''],
  ['codeblock', ''],
  ['terminal', ''],
  ['highlight', ''],
])

/** Returns the syntax of a tag whose content is code; undefined if it is Markdown. */
export function codeSyntaxOf({ attributes: { component, language } }: BlockTag): string | undefined {
  const syntax = codeTags.get(component)
  return syntax === '' ? (language ?? '') : syntax
}

/** Whether the content of a tag is a remark to authors. */
export const isRemark = ({ attributes: { component } }: BlockTag): boolean => component === 'comment'

/** Returns a tag whose name is a synonym as the tag that it means. */
export function toKnownTag(tag: BlockTag): BlockTag {
  const { name, attributes } = tag
  const isClosing = name.startsWith('end')
  const own = (isClosing ? name.slice('end'.length) : name).toLowerCase()
  const words = readWords(tag)
  if (own === 'tab' && !isClosing && attributes['title'] === undefined) {
    const title = attributes['label'] ?? words
    return title === undefined ? tag : { ...tag, attributes: { ...attributes, title } }
  }
  if (own === 'hint' && !isClosing && words !== undefined) return { ...tag, attributes: { style: words } }
  if (own === 'hint' || !(isCallout(own) || hasHintStyle(own))) return tag
  if (isClosing) return { ...tag, name: `end${directiveTag}` }
  const { type = attributes['style'] ?? own, title } = attributes
  return { ...tag, name: directiveTag, attributes: { type, ...(title && { title }) } }
}

/** Returns the words of a tag that has words instead of attributes: `{% tab Two words %}`. */
function readWords({ attributes, rest }: BlockTag): string | undefined {
  if (rest === '' || rest.includes('=') || Object.keys(attributes).length > 0) return undefined
  const [, double, single] = /^(?:"([^"]*)"|'([^']*)')$/.exec(rest) ?? []
  return double ?? single ?? rest
}

/** Converts tags without a block to those of components. `isKnown` returns whether a block has a tag of that name. */
export function convertForeignTags(tags: readonly BlockTag[], isKnown: (name: string) => boolean): BlockTag[] {
  const openings = new Map<BlockTag, BlockTag>()
  const open: BlockTag[] = []
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)
  for (const tag of tags) {
    const name = nameWithoutEnd(tag)
    if (isKnown(name)) continue
    if (name === tag.name) {
      open.push(tag)
      count(name, 1)
    } else if (counts.get(name)) {
      for (let last = open.pop(); last; last = open.pop()) {
        count(last.name, -1)
        if (last.name !== name) continue
        openings.set(tag, last)
        break
      }
    }
  }
  const closed = new Set(openings.values())
  const conditions = findForeignConditions(tags)
  return tags.map((tag) => {
    if (conditions.has(tag))
      return tag.name === 'if'
        ? { ...tag, name: componentTag, attributes: { component: 'if' } }
        : { ...tag, name: `end${componentTag}` }
    const isPage = tag.name !== 'include' || /^(?:"[^"]*"|'[^']*')$/.test(tag.rest)
    if (isPage && isKnown(nameWithoutEnd(tag))) return tag
    if (openings.has(tag)) return { ...tag, name: `end${componentTag}` }
    return { ...tag, name: closed.has(tag) ? componentTag : emptyComponentTag, attributes: describe(tag) }
  })
}

/**
 * Returns the tags of conditions with several parts: all of their parts are shown, because no block has them. Those that restrict who
 * may read a part remain conditions, so that nothing is shown to others.
 */
function findForeignConditions(tags: readonly BlockTag[]): ReadonlySet<BlockTag> {
  const found = new Set<BlockTag>()
  const open: { tag: BlockTag; hasParts: boolean; isRestricted: boolean }[] = []
  for (const tag of tags) {
    const last = open.at(-1)
    const isRestricted = isRestriction(tag.rest)
    if (tag.name === 'if') open.push({ tag, hasParts: false, isRestricted })
    else if (last && isAlternative(tag.name)) {
      last.hasParts = true
      last.isRestricted ||= isRestricted
    } else if (tag.name === 'endif') {
      open.pop()
      if (last?.hasParts && !last.isRestricted) found.add(last.tag).add(tag)
    }
  }
  return found
}

const nameWithoutEnd = ({ name }: BlockTag): string => (name.startsWith('end') ? name.slice('end'.length) : name)

function describe({ name, attributes, rest }: BlockTag): BlockTag['attributes'] {
  const first = /^(?:"([^"]*)"|'([^']*)'|([^\s"'=,]+)(?![^\s,]))/.exec(rest)
  const { lang, language = lang, title, text = attributes['content'] } = attributes
  const word = first?.[1] ?? first?.[2] ?? first?.[3]
  return {
    ...attributes,
    component: name.toLowerCase(),
    ...(word && { first: word }),
    ...(name === 'highlight' && word ? { language: word } : language && { language }),
    ...(name === 'sample' && lang && { title: title ?? lang }),
    ...(name === 'include' && text && { text }),
  }
}
