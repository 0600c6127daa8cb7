/** Classes that scripts put on a page, or that come with branches of the navigation which are opened later. */
const laterClasses: readonly string[] = [
  'branch',
  'drawing',
  'duotone',
  'emoji',
  'filled',
  'gap',
  'group',
  'has-branch',
  'icon-svg',
  'light',
  'new-mark',
  'nowhere',
  'solid',
  'sr-only',
  'thin',
  'zoom',
]

/**
 * Styles of which each page carries those that it uses: a page stands in one reply, and what is painted first waits for
 * nothing else.
 */
export interface UsableStyles {
  /** Those for what is marked up, as far as it can be told from its classes. */
  usedBy(html: string): string
}

type Rule =
  /** Used everywhere. */
  | string
  /** Used where all classes of one of its selectors are. */
  | { text: string; selectors: readonly (readonly string[])[] }
  | { head: string; rules: readonly Rule[] }

export function usableStyles(css: string): UsableStyles {
  let rules: readonly Rule[] | undefined
  return {
    usedBy(html) {
      // Read when a page needs it, and not by everything that starts.
      rules ??= new RuleReader(css).read()
      return written(rules, classesIn(html))
    },
  }
}

function classesIn(html: string): Set<string> {
  // Most elements of a page have the same few.
  const lists = new Set(Array.from(html.matchAll(/ class="([^"]*)"/g), ([, list = '']) => list))
  return new Set([...laterClasses, ...[...lists].flatMap((list) => list.split(' '))])
}

function written(rules: readonly Rule[], classes: ReadonlySet<string>): string {
  let text = ''
  for (const rule of rules) {
    if (typeof rule === 'string') text += rule
    else if ('selectors' in rule) {
      if (rule.selectors.some((wanted) => wanted.every((name) => classes.has(name)))) text += rule.text
    } else {
      const inner = written(rule.rules, classes)
      // Layers count also when they are empty: the first time they are named tells their order.
      if (inner !== '' || rule.head.startsWith('@layer')) text += `${rule.head}{${inner}}`
    }
  }
  return text
}

/** Reads what the build wrote: no comments, and every brace outside of quotes belongs to a rule. */
class RuleReader {
  readonly #css: string
  #at = 0

  constructor(css: string) {
    this.#css = css
  }

  read(): Rule[] {
    const rules: Rule[] = []
    while (this.#at < this.#css.length) {
      const start = this.#at
      const end = this.#next('{};')
      const head = this.#css.slice(start, end)
      this.#at = end + 1
      if (this.#css[end] === '}') break
      if (this.#css[end] === ';' || end === this.#css.length) rules.push(this.#css.slice(start, this.#at))
      else if (/^@(?:layer|media|supports|container)\b/.test(head)) rules.push({ head, rules: this.read() })
      else {
        this.#skipBlock()
        const text = this.#css.slice(start, this.#at)
        rules.push(head.startsWith('@') ? text : { text, selectors: selectorsOf(head) })
      }
    }
    return rules
  }

  /** The place of the next of some signs, outside of quotes. */
  #next(signs: string): number {
    for (let at = this.#at; at < this.#css.length; at++) {
      const one = this.#css[at] as string
      if (one === '"' || one === "'") at = this.#endOfQuote(at)
      else if (one === '\\') at++
      else if (signs.includes(one)) return at
    }
    return this.#css.length
  }

  #endOfQuote(start: number): number {
    const quote = this.#css[start]
    let at = start + 1
    while (at < this.#css.length && this.#css[at] !== quote) at += this.#css[at] === '\\' ? 2 : 1
    return at
  }

  /** Goes behind the end of a block whose beginning was read. */
  #skipBlock(): void {
    for (let depth = 1; depth > 0 && this.#at < this.#css.length;) {
      const at = this.#next('{}')
      depth += this.#css[at] === '{' ? 1 : -1
      this.#at = at + 1
    }
  }
}

/** The classes that each of several selectors asks for. What stands in brackets is one way among others, or none. */
function selectorsOf(list: string): string[][] {
  let outside = list
  for (let before = ''; before !== outside;) {
    before = outside
    outside = outside.replace(/\([^()]*\)|\[[^\]]*\]/g, '')
  }
  return outside.split(',').map((selector) => [...selector.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name))
}
