import { normalizePercentEncoding } from './crawl-scope.ts'

/** Rules of a host's robots.txt (RFC 9309) for this crawler. */
export interface Robots {
  /** Whether a path, with its query if any, may be requested. */
  isAllowed(path: string): boolean
  /** Minimum milliseconds between requests. */
  delay: number
  sitemaps: readonly string[]
}

interface Rule {
  isAllowed: boolean
  pattern: string
}

interface Group {
  agents: string[]
  rules: Rule[]
  delay: number
}

/** RFC 9309 requires crawlers to parse at least this much of a file. */
export const maxRobotsBytes = 512 * 1024

/** Name of this crawler in `User-agent` lines. */
const productToken = 'octavo'

export const allowAll: Robots = { isAllowed: () => true, delay: 0, sitemaps: [] }

/** Maximum number of rules with `*` or `$`. Further disallowing rules are shortened to the text before the first of these. */
const maxPatterns = 200

/** Maximum length of a rule. Longer rules are truncated, so they apply to more paths. */
const maxRuleLength = 256

export function parseRobots(text: string): Robots {
  const { groups, sitemaps } = parseDirectives(text)
  const ours = groupsForAgent(groups, productToken)
  const chosen = ours.length > 0 ? ours : groupsForAgent(groups, '*')
  const { prefixes, patterns } = compileRules(chosen.flatMap((group) => group.rules))
  return {
    isAllowed(path) {
      const normalized = normalizePath(path)
      const prefix = prefixes.find(normalized)
      const pattern = patterns.find((rule) => hasPrecedence(rule, prefix) && matchesPattern(normalized, rule.pattern))
      return (pattern ?? prefix)?.isAllowed ?? true
    },
    delay: Math.max(0, ...chosen.map(({ delay }) => delay)),
    sitemaps,
  }
}

/** Separates rules that are compared with every path from those that can be looked up. */
function compileRules(rules: readonly Rule[]): { prefixes: PrefixRules; patterns: Rule[] } {
  const prefixes = new PrefixRules()
  const patterns: Rule[] = []
  for (const rule of rules) {
    const pattern = rule.pattern.slice(0, maxRuleLength)
    const at = pattern.search(/\*|\$$/)
    if (at < 0) prefixes.add({ ...rule, pattern })
    else if (patterns.length < maxPatterns) patterns.push({ ...rule, pattern })
    else if (!rule.isAllowed) prefixes.add({ ...rule, pattern: pattern.slice(0, at) })
  }
  return { prefixes, patterns: patterns.sort((a, b) => (hasPrecedence(a, b) ? -1 : 1)) }
}

/** Whether a rule has precedence: the longest rule applies, and of two rules with the same length the one that allows. */
function hasPrecedence(one: Rule, other: Rule | undefined): boolean {
  if (!other || one.pattern.length !== other.pattern.length) return one.pattern.length > (other?.pattern.length ?? -1)
  return one.isAllowed && !other.isAllowed
}

/** Rules without wildcards, with a lookup that does not compare a path with each of them. */
class PrefixRules {
  readonly #rules = new Map<string, Rule>()
  /** Distinct lengths of the rules in descending order. */
  #lengths: number[] | undefined

  add(rule: Rule): void {
    if (hasPrecedence(rule, this.#rules.get(rule.pattern))) this.#rules.set(rule.pattern, rule)
    this.#lengths = undefined
  }

  /** Returns the longest rule that is a prefix of the path. */
  find(path: string): Rule | undefined {
    this.#lengths ??= [...new Set(Array.from(this.#rules.keys(), ({ length }) => length))].sort((a, b) => b - a)
    for (const length of this.#lengths) {
      const rule = length <= path.length ? this.#rules.get(path.slice(0, length)) : undefined
      if (rule) return rule
    }
    return undefined
  }
}

const groupsForAgent = (groups: readonly Group[], agent: string) =>
  groups.filter(({ agents }) => agents.includes(agent))

function parseDirectives(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = []
  const sitemaps: string[] = []
  let group: Group | undefined
  let isInAgentLines = false
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    const directive = line.replace(/#.*$/, '')
    const colon = directive.indexOf(':')
    if (colon < 0) continue
    const value = directive.slice(colon + 1).trim()
    switch (directive.slice(0, colon).trim().toLowerCase()) {
      case 'user-agent':
        if (!group || !isInAgentLines) groups.push((group = { agents: [], rules: [], delay: 0 }))
        isInAgentLines = true
        group.agents.push(parseAgent(value))
        break
      case 'allow':
      case 'disallow':
        isInAgentLines = false
        if (value !== '') group?.rules.push({ isAllowed: /^\s*allow/i.test(directive), pattern: normalizePath(value) })
        break
      case 'crawl-delay':
        isInAgentLines = false
        if (group) group.delay = Math.max(group.delay, Number(value) * 1000 || 0)
        break
      case 'sitemap':
        if (value !== '') sitemaps.push(value)
        break
    }
  }
  return { groups, sitemaps }
}

/** Returns the name without a version after it. */
function parseAgent(value: string): string {
  return value === '*' ? value : (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase()
}

/** Percent-encodes characters that a URL cannot contain, and decodes those that need no encoding. */
function normalizePath(path: string): string {
  return normalizePercentEncoding(path.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent))
}

/** Matches `*` with any text and `$` with the end, without backtracking. */
function matchesPattern(path: string, pattern: string): boolean {
  const isAnchored = pattern.endsWith('$')
  const parts = (isAnchored ? pattern.slice(0, -1) : pattern).split('*')
  const first = parts[0] as string
  if (!path.startsWith(first)) return false
  if (parts.length === 1) return !isAnchored || path.length === first.length
  const last = parts.pop() as string
  let at = first.length
  for (const part of parts.slice(1)) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return isAnchored ? path.length - last.length >= at && path.endsWith(last) : path.includes(last, at)
}
