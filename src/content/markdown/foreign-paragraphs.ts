// Paragraphs that are instructions to other tools, not text: imports, exports and comments of MDX, abbreviations, includes, and places
// of tables of contents.

const importLine = /^import[ \t](?:[\w$*{}, \t]+[ \t]from[ \t]+)?(?:"[^"]+"|'[^']+');?$/
const exportLine =
  /^export[ \t]+(?:(?:const|let|var)[ \t]+[\w$]+[ \t]*=|default[ \t]+\S|(?:async[ \t]+)?function[ \t]+[\w$]+[ \t]*\()/

const tableOfContents = /^(?:\[\[(?:_?toc_?)\]\]|\[toc\]|@\[toc\](?:\([^()\n]*\))?)[ \t]*$/i

/** Abbreviations of MkDocs, and includes of MkDocs and mdBook. */
const instructionLine =
  /^(?:\*\[[^\]]+\]:[ \t].*|-{1,}8<-{1,}(?:[ \t]+"[^"]*")?|\{\{#(?:include|rustdoc_include|playground)[ \t][^{}]*\}\})$/

/** Returns whether a paragraph is hidden, or shown as code; undefined if it is text. */
export function classifyParagraph(text: string): 'hidden' | 'code' | undefined {
  const first = text.charAt(0)
  if (tableOfContents.test(text)) return 'hidden'
  if (
    (first === '*' || first === '-' || first === '{') &&
    text.split('\n').every((line) => instructionLine.test(line.trim()))
  )
    return 'hidden'
  if (first !== 'i' && first !== 'e' && first !== '{') return undefined
  if (text.startsWith('{/*') && text.indexOf('*/') === text.length - '*/}'.length && text.endsWith('}')) return 'hidden'
  const lines = text.split(/\r?\n/)
  if (lines.every((line) => importLine.test(line.trim()))) return 'hidden'
  return exportLine.test(lines[0] as string) ? 'code' : undefined
}
