import { inOneEncoding } from './scope.ts'

/** What a host asks of those who read it, as RFC 9309 has it. */
export interface Robots {
  /** Whether a path, with its query if any, may be read. */
  isAllowed(path: string): boolean
  /** Milliseconds between requests. */
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

/** As much of a file as must be read. */
export const maxRobotsBytes = 512 * 1024

/** The name that the rules for this service are found by. */
const productToken = 'octavo'

export const everythingAllowed: Robots = { isAllowed: () => true, delay: 0, sitemaps: [] }

export function parseRobots(text: string): Robots {
  const { groups, sitemaps } = readLines(text)
  const ours = groupsOf(groups, productToken)
  const chosen = ours.length > 0 ? ours : groupsOf(groups, '*')
  // The longest pattern decides, and of two that are equally long the one that allows.
  const rules = chosen
    .flatMap((group) => group.rules)
    .sort((a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed))
  return {
    isAllowed(path) {
      const normal = inNormalForm(path)
      return rules.find(({ pattern }) => matches(normal, pattern))?.isAllowed ?? true
    },
    delay: Math.max(0, ...chosen.map(({ delay }) => delay)),
    sitemaps,
  }
}

const groupsOf = (groups: readonly Group[], agent: string) => groups.filter(({ agents }) => agents.includes(agent))

function readLines(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = []
  const sitemaps: string[] = []
  let group: Group | undefined
  let isOpen = false
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    const written = line.replace(/#.*$/, '')
    const colon = written.indexOf(':')
    if (colon < 0) continue
    const value = written.slice(colon + 1).trim()
    switch (written.slice(0, colon).trim().toLowerCase()) {
      case 'user-agent':
        if (!group || !isOpen) groups.push((group = { agents: [], rules: [], delay: 0 }))
        isOpen = true
        group.agents.push(agentOf(value))
        break
      case 'allow':
      case 'disallow':
        isOpen = false
        if (value !== '') group?.rules.push({ isAllowed: /^\s*allow/i.test(written), pattern: inNormalForm(value) })
        break
      case 'crawl-delay':
        isOpen = false
        if (group) group.delay = Math.max(group.delay, Number(value) * 1000 || 0)
        break
      case 'sitemap':
        if (value !== '') sitemaps.push(value)
        break
    }
  }
  return { groups, sitemaps }
}

/** Without a version, which some write behind the name. */
function agentOf(value: string): string {
  return value === '*' ? value : (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase()
}

/** With the characters that no address can have percent-encoded. */
function inNormalForm(path: string): string {
  return inOneEncoding(path.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent))
}

/** `*` stands for anything and `$` for the end; takes no longer for patterns that are meant to take long. */
function matches(path: string, pattern: string): boolean {
  const isToEnd = pattern.endsWith('$')
  const parts = (isToEnd ? pattern.slice(0, -1) : pattern).split('*')
  const first = parts[0] as string
  if (!path.startsWith(first)) return false
  if (parts.length === 1) return !isToEnd || path.length === first.length
  const last = parts.pop() as string
  let at = first.length
  for (const part of parts.slice(1)) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return isToEnd ? path.length - last.length >= at && path.endsWith(last) : path.includes(last, at)
}
