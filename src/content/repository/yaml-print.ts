import { type Document, parseDocument } from 'yaml'
import { newlineOf } from './yaml-edits.ts'
import { YamlFile } from './yaml-text.ts'

export interface Printing {
  /** The complete text printed anew, with LF line breaks. */
  fresh: string
  /** Returns the source with edited lines; undefined if the lines of an item cannot be edited separately. */
  edited: () => string | undefined
  /** Applies the same edits to a parsed file; printing it may change its formatting. */
  edit: (document: Document) => void
  /** Whether a text parses to the intended values. */
  isRight: (text: string) => boolean
}

/** Prints YAML over a source with as few changed lines as possible. A source that cannot be edited is kept as a comment. */
export function printOverYaml(source: string, { fresh, edited, edit, isRight }: Printing): string {
  const newline = newlineOf(source)
  const { root, isSound } = new YamlFile(source, '')
  const appended = () =>
    isSound && root === null ? joined([source, fresh.replaceAll('\n', newline)], newline) : undefined
  const reformatted = () => {
    try {
      const document = parseDocument(source, { uniqueKeys: false, prettyErrors: false })
      edit(document)
      return document.toString({ lineWidth: 0 }).replaceAll('\n', newline)
    } catch {
      return undefined
    }
  }
  for (const attempt of [edited, appended, reformatted]) {
    const text = attempt()
    if (text !== undefined && isRight(text)) return text
  }
  const asComment = source.split(/(?<=\n)/).map((line) => `# ${line}`)
  return joined([asComment.join(''), fresh.replaceAll('\n', newline)], newline)
}

function joined(parts: readonly string[], newline: string): string {
  return parts.reduce(
    (text, part) => text + (text === '' || text.endsWith('\n') || part === '' ? '' : newline) + part,
    '',
  )
}
