import type { BlockTag, TagEdge } from './block-tag.ts'
import { type ComponentTag, mayHaveComponent, readComponentEdges } from './component-lines.ts'
import { directiveTag, hasHintStyle } from './directives.ts'

// Components of MDX (`<Note>`, `<Tabs>`) and shortcodes of Hugo (`{{< note >}}`) on their own lines enclose Markdown.

/** The tag of a component without a block: it is not shown, but its content is. No tag can be written with such a name. */
export const componentTag = '<component>'
/** The tag of a component without content. */
export const emptyComponentTag = '<empty-component>'

// The pattern matches a line in one way only: ambiguous whitespace would cause exponential backtracking.
const shortcodeLine =
  /^((?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t])*)\{\{([<%])[ \t]*(?:(\/)[ \t]*)?([A-Za-z][\w-]*)(?![\w-])([^{}]*)\}\}$/
const attribute = /(?<![\w-])([\w-]+)=(?:"([^"]*)"|'([^']*)'|\{["'`]?([^{}"'`]*)["'`]?\}|([^\s"'{}]+))/g
const positional = /^\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=]+)(?!\S))/

/** Kinds of components, by their names in lower case. */
const componentKinds: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tabs: 'tabs tabgroup tabpane codetabs',
    tab: 'tab tabitem tabpanel',
    steps: 'steps stepper',
    step: 'step',
    details: 'details accordion expandable collapse collapsible expand toggle',
    'code-group': 'codegroup codeblocks',
    callout: 'callout admonition aside alert notice hint',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
)

/** Whether a name is that of a box for remarks. */
export const isCallout = (name: string): boolean => componentKinds.get(name) === 'callout'

interface ComponentLine {
  name: string
  isClosing: boolean
  isEmpty: boolean
  attributes: Readonly<Record<string, string>>
  start: number
  end: number
  /** Set if the line also contains text. */
  edge?: Omit<TagEdge, 'partner'>
}

/** Collects the tags of components of a text in order. Only components that are closed, or that have no content, become tags. */
export class ComponentPairs {
  readonly #tags: BlockTag[] = []
  readonly #open: ComponentLine[] = []
  readonly #counts = new Map<string, number>()
  /** Shortcodes without a closing line have no content. */
  readonly #unclosed = new Map<number, ComponentLine>()

  /** Reads a line of the source; returns the end of its tags, which may be in a later line, or undefined if it has none. */
  read(source: string, start: number, end: number, budget: { left: number }): number | undefined {
    const line = source.slice(start, end)
    const shortcode = line.includes('{{') ? readShortcodeLine(line.trimEnd(), start) : undefined
    if (shortcode) this.#add(shortcode)
    if (shortcode || !mayHaveComponent(line)) return shortcode && end
    // After a hard line break, a line is a part of its paragraph.
    const edges = source[start - 2] === '\\' ? undefined : readComponentEdges(source, start, end, budget)
    if (!edges) return undefined
    const { leading, trailing, isAlone, prefix } = edges
    const indent = prefix.replace(/[^>\t]/g, ' ')
    leading.forEach((tag, index) => {
      const isBeforeText = index === leading.length - 1
      this.#add(toLine(tag, isAlone ? undefined : { isBehindText: false, isBeforeText, indent }))
    })
    trailing.forEach((tag, index) => this.#add(toLine(tag, { isBehindText: index === 0, isBeforeText: false, indent })))
    return edges.end
  }

  #add(line: ComponentLine): void {
    if (line.isEmpty) this.#tags.push(toEmptyTag(line))
    else if (line.isClosing) this.#close(line)
    else {
      this.#open.push(line)
      this.#counts.set(line.name, (this.#counts.get(line.name) ?? 0) + 1)
      if (line.name.startsWith('{')) this.#unclosed.set(line.start, line)
    }
  }

  #close(closing: ComponentLine): void {
    // Searching all open components for each closing line without an opening one would take quadratic time.
    if (!this.#counts.get(closing.name)) return
    for (let line = this.#open.pop(); line; line = this.#open.pop()) {
      this.#counts.set(line.name, (this.#counts.get(line.name) ?? 0) - 1)
      if (line.name !== closing.name) continue
      const { name, attributes } = describeComponent(line)
      this.#unclosed.delete(line.start)
      const indent = line.edge?.indent ?? closing.edge?.indent
      const own = toTag(name, attributes, { ...line, ...withIndent(line.edge, indent) }, closing.start)
      this.#tags.push(own, toTag(`end${name}`, {}, { ...closing, ...withIndent(closing.edge, indent) }, line.start))
      return
    }
  }

  list(): readonly BlockTag[] {
    const empty = Array.from(this.#unclosed.values(), toEmptyTag)
    return [...this.#tags, ...empty]
  }
}

/** Both tags of a component begin new lines in the same item or quote. */
const withIndent = (edge: ComponentLine['edge'], indent = ''): Pick<ComponentLine, 'edge'> =>
  edge ? { edge: { ...edge, indent } } : {}

const toTag = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  { start, end, edge }: Pick<ComponentLine, 'start' | 'end' | 'edge'>,
  partner = start,
): BlockTag => ({ name, attributes, rest: '', start, end, ...(edge && { edge: { ...edge, partner } }) })

const toEmptyTag = (line: ComponentLine): BlockTag =>
  toTag(emptyComponentTag, { ...line.attributes, component: line.name.replace('{', '').toLowerCase() }, line)

const toLine = (tag: ComponentTag, edge: ComponentLine['edge']): ComponentLine => {
  const { name, isClosing, isEmpty, rest, start, end } = tag
  return { name, isClosing, isEmpty, attributes: readAttributes(rest), start, end, ...(edge && { edge }) }
}

function readShortcodeLine(line: string, lineStart: number): ComponentLine | undefined {
  const end = lineStart + line.length
  const shortcode = shortcodeLine.exec(line)
  const [, prefix = '', bracket, slash, name = '', rest = ''] = shortcode ?? []
  const text = rest.trimEnd()
  if (!shortcode || !text.endsWith(bracket === '<' ? '>' : '%')) return undefined
  const inner = text.slice(0, -1).trimEnd()
  const [, double, single, bare] = positional.exec(inner) ?? []
  const first = double ?? single ?? bare
  const attributes = { ...(first !== undefined && { first }), ...readAttributes(inner) }
  const isEmpty = inner.endsWith('/')
  // Shortcodes do not close components.
  return {
    name: `{${name}`,
    isClosing: slash !== undefined,
    isEmpty,
    attributes,
    start: lineStart + prefix.length,
    end,
  }
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name, double, single, braces, bare] of text.matchAll(attribute))
    attributes[(name as string).toLowerCase()] = double ?? single ?? braces ?? (bare as string)
  return attributes
}

const titled = (words: string | undefined): Record<string, string> => (words ? { title: words } : {})

/** Returns the tag that a component is parsed as. */
function describeComponent({ name: written, attributes: own }: ComponentLine): Pick<BlockTag, 'name' | 'attributes'> {
  const name = written.replace('{', '').toLowerCase()
  const kind = componentKinds.get(name)
  const title = own['title'] ?? own['label'] ?? own['header'] ?? own['summary'] ?? own['name']
  switch (kind) {
    case 'tabs':
      return { name: 'tabs', attributes: {} }
    case 'tab':
      return { name: 'tab', attributes: titled(title ?? own['value'] ?? own['first']) }
    case 'steps':
      return { name: 'stepper', attributes: {} }
    case 'step':
      return { name: directiveTag, attributes: { type: 'step', ...titled(title ?? own['first']) } }
    case 'details':
      return { name: directiveTag, attributes: { type: 'details', ...titled(title ?? own['first']) } }
    case 'code-group':
      return { name: directiveTag, attributes: { type: kind } }
    case 'callout': {
      const type = own['type'] ?? own['color'] ?? own['variant'] ?? own['style'] ?? own['kind'] ?? own['first'] ?? ''
      return { name: directiveTag, attributes: { type: type.toLowerCase(), ...titled(title) } }
    }
    default:
      return hasHintStyle(name)
        ? { name: directiveTag, attributes: { type: name, ...titled(title) } }
        : { name: componentTag, attributes: { ...own, component: name } }
  }
}
