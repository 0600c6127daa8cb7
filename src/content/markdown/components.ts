import { directiveTag, hasHintStyle } from './directives.ts'
import type { BlockTag } from './block-tag.ts'
import { isElementName, isUnambiguousTag } from './html.ts'

// Components of MDX (`<Note>`, `<Tabs>`) and shortcodes of Hugo (`{{< note >}}`) on their own lines enclose Markdown.

/** The tag of a component without a block: it is not shown, but its content is. No tag can be written with such a name. */
export const componentTag = '<component>'
/** The tag of a component without content, which is shown as code. */
export const emptyComponentTag = '<empty-component>'

// Each of these patterns matches a line in one way only: ambiguous whitespace would cause exponential backtracking.
const jsxLine = /^((?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t])*)<(\/)?([A-Z][\w.]*)(?![\w.])([^<>]*)>$/
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

interface ComponentLine {
  name: string
  isClosing: boolean
  isEmpty: boolean
  attributes: Readonly<Record<string, string>>
  start: number
  end: number
}

/** Collects the lines of components of a text in order. Only components that are closed, or that have no content, become tags. */
export class ComponentPairs {
  readonly #tags: BlockTag[] = []
  readonly #open: ComponentLine[] = []
  readonly #counts = new Map<string, number>()
  /** Shortcodes without a closing line have no content. */
  readonly #unclosed = new Map<number, ComponentLine>()

  /** Reads a line that starts at an offset of the source; returns whether it is one of a component. */
  add(line: string, lineStart: number): boolean {
    const found = readComponentLine(line.trimEnd(), lineStart)
    if (!found) return false
    if (found.isEmpty) this.#tags.push(toTag(emptyComponentTag, {}, found))
    else if (found.isClosing) this.#close(found)
    else {
      this.#open.push(found)
      this.#counts.set(found.name, (this.#counts.get(found.name) ?? 0) + 1)
      if (found.name.startsWith('{')) this.#unclosed.set(found.start, found)
    }
    return true
  }

  #close(closing: ComponentLine): void {
    // Searching all open components for each closing line without an opening one would take quadratic time.
    if (!this.#counts.get(closing.name)) return
    for (let line = this.#open.pop(); line; line = this.#open.pop()) {
      this.#counts.set(line.name, (this.#counts.get(line.name) ?? 0) - 1)
      if (line.name !== closing.name) continue
      const { name, attributes } = describeComponent(line)
      this.#unclosed.delete(line.start)
      this.#tags.push(toTag(name, attributes, line), toTag(`end${name}`, {}, closing))
      return
    }
  }

  list(): readonly BlockTag[] {
    const empty = Array.from(this.#unclosed.values(), (line) => toTag(emptyComponentTag, {}, line))
    return [...this.#tags, ...empty]
  }
}

const toTag = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  { start, end }: Pick<ComponentLine, 'start' | 'end'>,
): BlockTag => ({ name, attributes, rest: '', start, end })

function readComponentLine(line: string, lineStart: number): ComponentLine | undefined {
  const end = lineStart + line.length
  const jsx = jsxLine.exec(line)
  if (jsx) {
    const [, prefix = '', slash, name = '', rest = ''] = jsx
    if (isElement(name)) return undefined
    const isEmpty = rest.trimEnd().endsWith('/')
    const attributes = readAttributes(rest)
    return { name, isClosing: slash !== undefined, isEmpty, attributes, start: lineStart + prefix.length, end }
  }
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

/** Whether a name with capital letters is HTML: `<TABLE>` and `<Div>`, not `<Map>`. */
function isElement(name: string): boolean {
  const lower = name.toLowerCase()
  return name === name.toUpperCase()
    ? isElementName(name)
    : !componentKinds.has(lower) && isUnambiguousTag({ name: lower })
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
        : { name: componentTag, attributes: {} }
  }
}
