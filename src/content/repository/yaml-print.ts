import { type Document, parseDocument } from 'yaml'
import { newlineOf } from './yaml-edits.ts'
import { YamlFile } from './yaml-text.ts'

export interface Printing {
  /** The whole written anew, in the lines of this system. */
  fresh: string
  /** The source with edits to its lines; undefined when they cannot be told apart. */
  edited: () => string | undefined
  /** Makes the same edits to a parsed file, which may be formatted anew. */
  edit: (document: Document) => void
  /** Whether a text says what it should. */
  isRight: (text: string) => boolean
}

/** Prints over a text with as few changed lines as can be. What cannot be read in it stays as a comment. */
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
