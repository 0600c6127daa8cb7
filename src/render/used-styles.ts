/** Classes that scripts add to a page, or that are in branches of the navigation loaded later. */
const dynamicClasses: readonly string[] = [
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

/** Selects the style rules that a page uses. They are part of the page, so that the first paint waits for nothing else. */
export interface StyleFilter {
  /** Returns the rules that the classes in the markup can match. */
  selectUsed(html: string): string
}

type Rule =
  /** Used everywhere. */
  | string
  /** Used if all classes of one of its selectors occur. */
  | { text: string; selectors: readonly (readonly string[])[] }
  | { head: string; rules: readonly Rule[] }

export function createStyleFilter(css: string): StyleFilter {
  let rules: readonly Rule[] | undefined
  return {
    selectUsed(html) {
      // Parsed on first use, because not every process renders pages.
      rules ??= new CssRuleParser(css).parse()
      return printRules(rules, findClasses(html))
    },
  }
}

function findClasses(html: string): Set<string> {
  // Most elements share a few class attributes.
  const lists = new Set(Array.from(html.matchAll(/ class="([^"]*)"/g), ([, list = '']) => list))
  return new Set([...dynamicClasses, ...[...lists].flatMap((list) => list.split(' '))])
}

function printRules(rules: readonly Rule[], classes: ReadonlySet<string>): string {
  let text = ''
  for (const rule of rules) {
    if (typeof rule === 'string') text += rule
    else if ('selectors' in rule) {
      if (rule.selectors.some((wanted) => wanted.every((name) => classes.has(name)))) text += rule.text
    } else {
      const inner = printRules(rule.rules, classes)
      // Empty layers are kept, because the first occurrence of each name determines their order.
      if (inner !== '' || rule.head.startsWith('@layer')) text += `${rule.head}{${inner}}`
    }
  }
  return text
}

/** Parses the stylesheet written by the build: it has no comments, and every brace outside quotes belongs to a rule. */
class CssRuleParser {
  readonly #css: string
  #position = 0

  constructor(css: string) {
    this.#css = css
  }

  parse(): Rule[] {
    const rules: Rule[] = []
    while (this.#position < this.#css.length) {
      const start = this.#position
      const end = this.#findNext('{};')
      const head = this.#css.slice(start, end)
      this.#position = end + 1
      if (this.#css[end] === '}') break
      if (this.#css[end] === ';' || end === this.#css.length) rules.push(this.#css.slice(start, this.#position))
      else if (/^@(?:layer|media|supports|container)\b/.test(head)) rules.push({ head, rules: this.parse() })
      else {
        this.#skipBlock()
        const text = this.#css.slice(start, this.#position)
        rules.push(head.startsWith('@') ? text : { text, selectors: parseSelectors(head) })
      }
    }
    return rules
  }

  /** Returns the index of the next of some characters outside quotes. */
  #findNext(characters: string): number {
    for (let at = this.#position; at < this.#css.length; at++) {
      const one = this.#css[at] as string
      if (one === '"' || one === "'") at = this.#endOfQuote(at)
      else if (one === '\\') at++
      else if (characters.includes(one)) return at
    }
    return this.#css.length
  }

  #endOfQuote(start: number): number {
    const quote = this.#css[start]
    let at = start + 1
    while (at < this.#css.length && this.#css[at] !== quote) at += this.#css[at] === '\\' ? 2 : 1
    return at
  }

  /** Returns the index after the end of an open block. */
  #skipBlock(): void {
    for (let depth = 1; depth > 0 && this.#position < this.#css.length;) {
      const at = this.#findNext('{}')
      depth += this.#css[at] === '{' ? 1 : -1
      this.#position = at + 1
    }
  }
}

/** Returns the classes that each selector requires; classes in parentheses are alternatives or negations. */
function parseSelectors(list: string): string[][] {
  let outside = list
  for (let before = ''; before !== outside;) {
    before = outside
    outside = outside.replace(/\([^()]*\)|\[[^\]]*\]/g, '')
  }
  return outside.split(',').map((selector) => [...selector.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name))
}
