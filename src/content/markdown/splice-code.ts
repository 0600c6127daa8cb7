import type { Code } from '../document/nodes.ts'
import { alignSequences, toSequenceEdits } from '../document/sequences.ts'
import { toPlainLines, printBlock } from './print-blocks.ts'
import type { PrintContext } from './print-html-inlines.ts'
import { spliceWords } from './splice-words.ts'

interface EditedCode {
  /** The code as it is in the source, and as it is wanted. */
  before: Code
  after: Code
  /** Source of the block. */
  source: string
  /** Offsets at which the fence or the first indented line starts, and at which the code ends. */
  start: number
  end: number
  prefix: string
  newline: string
  context: PrintContext
}

interface Line {
  /** Indentation and quote markers before the text. */
  lead: string
  text: string
  /** Newline sequence after the line; one block may contain both sequences. */
  lineEnd: string
}

const fence = /^[ \t]*(?:`{3,}|~{3,})/

/** Prints code over its source; only the edited lines change. */
export function spliceCode({ before, after, source, start, end, prefix, newline, context }: EditedCode) {
  const [old, wanted] = [toPlainLines(before), toPlainLines(after)]
  const written = source.slice(start, end)
  const lines = old && wanted && splitCodeLines(written, old, prefix)
  if (!lines) return undefined
  const { head, body, tail } = lines
  const opening = spliceOpening(source.slice(0, start) + head, before, after, { prefix, newline, context })
  if (opening === undefined) return undefined
  const pairs = alignSequences(old, wanted)
  const from = new Map(pairs.map(([at, index]) => [index, at]))
  // If the number of lines in an edit is unchanged, they are the same lines, edited; they keep their indentation.
  const edited = new Map(
    toSequenceEdits(pairs, old.length, wanted.length)
      .filter((edit) => edit.to - edit.from === edit.sideTo - edit.sideFrom)
      .flatMap((edit) =>
        Array.from({ length: edit.to - edit.from }, (_, nth) => [edit.sideFrom + nth, edit.from + nth] as const),
      ),
  )
  let lead = body.find(({ text }) => text !== '')?.lead ?? prefix
  const texts = wanted.map((text, index) => {
    const line = body[from.get(index) ?? edited.get(index) ?? -1]
    if (line && line.text !== '') lead = line.lead
    if (line?.text === text) return line.lead + line.text
    if (text === '') return lead.trimEnd()
    return (lead.endsWith('>') && /^[ \t]/.test(text) ? `${lead} ` : lead) + text
  })
  const usualEnd = body.find(({ lineEnd }) => lineEnd !== '')?.lineEnd ?? newline
  const lineEnds = wanted.map((_, index) => body[from.get(index) ?? edited.get(index) ?? -1]?.lineEnd || usualEnd)
  // The prefix of the first line of indented code is before the start of the code.
  if (head === '' && texts[0]?.startsWith(prefix)) texts[0] = texts[0].slice(prefix.length)
  const last = texts.length - 1
  const joined = texts.map((line, index) => (index === last && tail === '' ? line : line + (lineEnds[index] as string)))
  return opening + joined.join('') + tail + source.slice(end)
}

interface Lines {
  head: string
  body: readonly Line[]
  /** The line of the closing fence; empty if there is none. */
  tail: string
}

/** Splits the source into the lines of code and the parts before and after them; undefined if they are not found. */
function splitCodeLines(written: string, texts: readonly string[], prefix: string): Lines | undefined {
  const lines = written.split(/\r?\n/)
  const lineEnds = written.match(/\r?\n/g) ?? []
  const isFenced = fence.test(lines[0] as string)
  const first = isFenced ? 1 : 0
  const around = lines.length - texts.length
  if (isFenced ? around !== 1 && around !== 2 : around !== 0) return undefined
  const body: Line[] = []
  for (const [index, text] of texts.entries()) {
    const line = (isFenced || index > 0 ? '' : prefix) + (lines[first + index] as string)
    const lead = line.slice(0, line.length - text.length)
    if (!line.endsWith(text) || !/^[ \t>]*$/.test(lead)) return undefined
    body.push({ lead, text, lineEnd: lineEnds[first + index] ?? '' })
  }
  return {
    head: isFenced ? (lines[0] as string) + (lineEnds[0] ?? '') : '',
    body,
    tail: lines[first + texts.length] ?? '',
  }
}

const placeholderLine = 'x'

/** Prints the part before the lines, with the wanted title, language and other options. */
function spliceOpening(
  source: string,
  before: Code,
  after: Code,
  { prefix, newline, context }: Pick<EditedCode, 'prefix' | 'newline' | 'context'>,
): string | undefined {
  const opening = ({ data }: Code) => {
    const line = { object: 'block', type: 'code-line', nodes: [text(placeholderLine)] } as const
    const printed = printBlock({ object: 'block', type: 'code', ...(data && { data }), nodes: [line] }, context, false)
    return printed.slice(0, printed.lastIndexOf(`\n${placeholderLine}\n`))
  }
  const [old, wanted] = [opening(before), opening(after)]
  if (old === wanted) return source
  // Code with options needs a tag that is closed, and indented code cannot contain a language.
  if (old.includes('{%') !== wanted.includes('{%') || source === '') return undefined
  return spliceWords({ before: old, after: wanted, source, prefix, newline })
}

const text = (value: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] }) as const
