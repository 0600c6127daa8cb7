import { corpusFiles, readCorpusFile } from '../../tests/support/corpus.ts'

/** Page of the site that all generators publish: Markdown with the same meaning in all of them. */
export interface PlainPage {
  /** Name of the folder and of the navigation group. */
  part: string
  slug: string
  title: string
  /** Markdown without the title. */
  text: string
}

const pagesInPart = 10

/** Minimum length of a page; shorter pages are not representative. */
const minLength = 1000

/** Syntax without an equivalent in other generators, or with another meaning there. */
const unsupportedSyntax = /\{% *(?:openapi|include|for|if|updates?|embed)\b|<(?:table|pre|script|style|template)\b|\{\{/

/** Chooses a number of real pages from the whole corpus and reduces each to plain Markdown. */
export function choosePages(count: number): PlainPage[] {
  const plain = corpusFiles()
    .filter((file) => file.includes('/') && !file.endsWith('SUMMARY.md'))
    .map(readCorpusFile)
    .filter((source) => !unsupportedSyntax.test(source))
    .map(reduce)
    .filter(({ title, text }) => title !== '' && text.length >= minLength)
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

/** Returns the names of the parts in order. */
export const listParts = (pages: readonly PlainPage[]): string[] => [...new Set(pages.map(({ part }) => part))]

export const partTitle = (part: string): string => part.replace('part-', 'Part ')

export const toMarkdown = ({ title, text }: PlainPage): string => `# ${title}\n\n${text}`

/** Renders only the text of a page, as a lower bound for all generators. */
export function renderBareHtml({ title, text }: PlainPage): string {
  // Every second part is code.
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

/** Removes front matter, block tags, HTML and images but keeps their text. Code is unchanged. */
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
  // Every second part is inline code.
  const parts = line.split(/(`+[^`]+`+)/)
  return parts.map((part, index) => (index % 2 === 1 ? part : reduceText(part))).join('')
}

const reduceText = (text: string): string =>
  text
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/<(https?:[^>]+)>/g, '$1')
    .replaceAll(/(?<!\\)<\/?[a-zA-Z!][^>]*>/g, '')
    .replaceAll(/(?<!\\)</g, '\\<')
    // Link targets differ between generators; link texts do not.
    .replaceAll(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, '$1')
