import { createDocument } from '../document/build.ts'
import type { Document, Fragment } from '../document/nodes.ts'
import { collectAnnotationBodies } from './fingerprints.ts'

const definitionStart = /^\[\^[^\]\s]+\]:[ \t]*/
const indentation = '    '

/**
 * Prints an edited footnote over its source with a function that does so for a page, so that only the edited lines change. Returns
 * undefined if the source cannot be read as a page: its lines are not indented, or it references other footnotes.
 */
export function spliceFootnote(
  written: string,
  body: Fragment,
  splice: (source: string, document: Document) => string,
): string | undefined {
  const source = written.replaceAll('\r\n', '\n')
  const end = /\s*$/.exec(source)?.[0] ?? ''
  const [first = '', ...others] = source.slice(0, source.length - end.length).split('\n')
  const start = definitionStart.exec(first)?.[0]
  const isIndented = others.every((line) => line === '' || line.startsWith(indentation))
  const hasFootnotes = source.includes('[^', 2) || Array.from(collectAnnotationBodies(body.nodes)).length > 0
  if (start === undefined || !isIndented || hasFootnotes) return undefined
  const startsBelow = first === start
  const lines = others.map((line) => line.slice(indentation.length))
  const page = (startsBelow ? lines : [first.slice(start.length), ...lines]).join('\n')
  // A front matter is only possible at the start of a file.
  if (page.startsWith('---')) return undefined
  const printed = splice(page, createDocument(body.nodes)).replace(/\n(?=[^\n])/g, `\n${indentation}`)
  return `${start}${startsBelow ? `\n${indentation}` : ''}${printed}${end}`
}
