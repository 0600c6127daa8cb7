import type { Fragment, Mark, Node } from 'prosemirror-model'
import { diffLines } from '../screens/edit/line-diff.ts'

/** Inlines that replace a range of others. */
interface InlineChange {
  from: number
  to: number
  content: Fragment
}

/** Returns the changes that turn one text into another by word. */
export function diffInlines(before: Fragment, after: Fragment): InlineChange[] {
  const [olds, news] = [splitWords(before), splitWords(after)]
  let added = 0
  return diffLines(olds.words, news.words).map(({ from, to, lines }) => {
    const content = after.cut(news.starts[from + added] ?? 0, news.starts[from + added + lines.length] ?? 0)
    added += lines.length - (to - from)
    return { from: olds.starts[from] ?? 0, to: olds.starts[to] ?? 0, content }
  })
}

/** Removes equal characters at both ends of a change. */
export function trimChange({ from, to, content }: InlineChange, before: Fragment): InlineChange {
  const old = before.cut(from, to)
  const start = old.findDiffStart(content)
  const ends = old.findDiffEnd(content)
  if (start === null || !ends) return { from, to: from, content: content.cut(0, 0) }
  // The same characters must not be counted at both ends.
  const overlap = Math.max(0, start - Math.min(ends.a, ends.b))
  return { from: from + start, to: from + ends.a + overlap, content: content.cut(start, ends.b + overlap) }
}

/** Returns the words of a text and their offsets, followed by the length of the text. */
function splitWords(content: Fragment): { words: string[]; starts: number[] } {
  const words: string[] = []
  const starts = [0]
  let lastLink: unknown
  const add = (word: string, size: number, link: unknown) => {
    const end = (starts.at(-1) ?? 0) + size
    // A link that is read again has another number, so a part of it would become a separate link.
    if (link !== undefined && link === lastLink) {
      words.push(`${words.pop()} ${word}`)
      starts[starts.length - 1] = end
    } else {
      words.push(word)
      starts.push(end)
    }
    lastLink = link
  }
  for (const node of content.content) {
    const marks = node.marks.map(describeMark).join('')
    const link: unknown = node.marks.find(({ type }) => type.name === 'link')?.attrs['id']
    if (!node.isText) add(`${marks} ${describe(node)}`, node.nodeSize, link)
    else
      for (const word of node.text?.split(/(?<=\s)(?=\S)|(?<=\S)(?=\s)/) ?? [])
        add(`${marks} ${word}`, word.length, link)
  }
  return { words, starts }
}

const describe = ({ type, attrs }: Node): string => `${type.name} ${JSON.stringify(attrs)}`

const describeMark = ({ type, attrs }: Mark): string => `${type.name}${JSON.stringify({ ...attrs, id: undefined })}`
