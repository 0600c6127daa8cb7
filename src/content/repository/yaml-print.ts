import { type Document, parseDocument } from 'yaml'
import { detectLineBreak } from './yaml-edits.ts'
import { YamlFile } from './yaml-text.ts'

export interface YamlUpdate {
  /** The complete text printed again, with LF line breaks. */
  fullText: string
  /** Returns the source with edited lines; undefined if the lines of an item cannot be edited separately. */
  editLines: () => string | undefined
  /** Applies the same edits to a parsed file; printing it may change its formatting. */
  editDocument: (document: Document) => void
  /** Whether a text parses to the intended values. */
  isCorrect: (text: string) => boolean
}

/** Prints YAML over a source with as few changed lines as possible. A source that cannot be edited is kept as a comment. */
export function spliceYaml(source: string, { fullText, editLines, editDocument, isCorrect }: YamlUpdate): string {
  const newline = detectLineBreak(source)
  const { root, isValid } = new YamlFile(source, '')
  const append = () =>
    isValid && root === null ? joinWithNewlines([source, fullText.replaceAll('\n', newline)], newline) : undefined
  const reformat = () => {
    try {
      const document = parseDocument(source, { uniqueKeys: false, prettyErrors: false })
      editDocument(document)
      return document.toString({ lineWidth: 0 }).replaceAll('\n', newline)
    } catch {
      return undefined
    }
  }
  for (const attempt of [editLines, append, reformat]) {
    const text = attempt()
    if (text !== undefined && isCorrect(text)) return text
  }
  const commentLines = source.split(/(?<=\n)/).map((line) => `# ${line}`)
  return joinWithNewlines([commentLines.join(''), fullText.replaceAll('\n', newline)], newline)
}

function joinWithNewlines(parts: readonly string[], newline: string): string {
  return parts.reduce(
    (text, part) => text + (text === '' || text.endsWith('\n') || part === '' ? '' : newline) + part,
    '',
  )
}
