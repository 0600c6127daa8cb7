import { corpusFiles, readCorpusFile } from '../../tests/support/corpus.ts'

/** A page of the site that everyone publishes: Markdown that all understand alike. */
export interface PlainPage {
  /** The folder, and the group of the navigation, that it stands in. */
  part: string
  slug: string
  title: string
  /** Without the title. */
  text: string
}

const pagesInPart = 10

/** Smaller ones say nothing about reading. */
const smallest = 1000

/** What has no counterpart elsewhere, or would be another text there. */
const foreign = /\{% *(?:openapi|include|for|if|updates?|embed)\b|<(?:table|pre|script|style|template)\b|\{\{/

/** So many real pages, from all over the corpus, each reduced to plain Markdown. */
export function choosePages(count: number): PlainPage[] {
  const plain = corpusFiles()
    .filter((file) => file.includes('/') && !file.endsWith('SUMMARY.md'))
    .map(readCorpusFile)
    .filter((source) => !foreign.test(source))
    .map(reduce)
    .filter(({ title, text }) => title !== '' && text.length >= smallest)
  const chosen = plain.filter((_, index) => Math.floor((index * count) / plain.length) !== indexBefore(index))
  return chosen.map((page, index) => ({
    ...page,
    part: `part-${Math.floor(index / pagesInPart) + 1}`,
    slug: `page-${index + 1}`,
  }))

  function indexBefore(index: number): number {
    return Math.floor(((index - 1) * count) / plain.length)
  }
}

/** The names of the parts, in order. */
export const partsOf = (pages: readonly PlainPage[]): string[] => [...new Set(pages.map(({ part }) => part))]

export const partTitle = (part: string): string => part.replace('part-', 'Part ')

export const markdownOf = ({ title, text }: PlainPage): string => `# ${title}\n\n${text}`

/** The text of a page and nothing else: what no generator can be faster than. */
export function bareHtml({ title, text }: PlainPage): string {
  // Every other part is code.
  const parts = text.split(/(^```[^]*?^```$)/m)
  const body = parts.map((part, index) => (index % 2 === 1 ? `<pre>${escaped(part)}</pre>` : bareBlocks(part)))
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>`
  return `<!doctype html><html lang="en"><head>${head}</head><body><h1>${escaped(title)}</h1>${body.join('\n')}</body></html>`
}

function bareBlocks(text: string): string {
  const blocks = text.split(/\n{2,}/).map((block) => {
    const [, marks, heading = ''] = /^(#{1,6}) (.*)/.exec(block) ?? []
    return marks ? `<h${marks.length}>${escaped(heading)}</h${marks.length}>` : `<p>${escaped(block)}</p>`
  })
  return blocks.join('\n')
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Drops front matter, block tags, HTML and pictures; what they hold stays. Code stays as it is. */
function reduce(source: string): { title: string; text: string } {
  const lines: string[] = []
  let title = ''
  let fence: string | undefined
  for (const line of source.replace(/^---\n[^]*?\n---\n/, '').split('\n')) {
    const [, marks] = /^\s*(?:[*-] +|\d+\. +)?(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== undefined || marks !== undefined) {
      lines.push(line)
      if (fence === undefined) fence = marks
      else if (marks?.startsWith(fence) && line.trim() === marks) fence = undefined
    } else {
      const reduced = reduceLine(line)
      const heading = /^# (.+)/.exec(reduced)?.[1]
      if (heading !== undefined && title === '') title = heading.replaceAll(/[`*\\]/g, '').trim()
      else if (reduced.trim() !== '' || line.trim() === '') lines.push(reduced)
    }
  }
  if (fence !== undefined) lines.push(fence)
  const text = lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return { title, text: `${text}\n` }
}

function reduceLine(line: string): string {
  const [, tab] = /^\s*\{% *tab title="([^"]*)"/.exec(line) ?? []
  if (tab !== undefined) return `**${tab}**`
  if (/^\s*\{%.*%\}\s*$/.test(line)) return ''
  // Every other part is inline code.
  const parts = line.split(/(`+[^`]+`+)/)
  return parts.map((part, index) => (index % 2 === 1 ? part : reduceText(part))).join('')
}

const reduceText = (text: string): string =>
  text
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/<(https?:[^>]+)>/g, '$1')
    .replaceAll(/(?<!\\)<\/?[a-zA-Z!][^>]*>/g, '')
    .replaceAll(/(?<!\\)</g, '\\<')
    // Where pages lead to differs between generators; what they say does not.
    .replaceAll(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, '$1')
