// Paragraphs that are instructions to other tools, not text: imports and exports of MDX, and attribute lists of kramdown.

const importLine = /^import[ \t](?:[\w$*{}, \t]+[ \t]from[ \t]+)?(?:"[^"]+"|'[^']+');?$/
const exportLine =
  /^export[ \t]+(?:(?:const|let|var)[ \t]+[\w$]+[ \t]*=|default[ \t]+\S|(?:async[ \t]+)?function[ \t]+[\w$]+[ \t]*\()/
const attributeList = /^\{:[^{}\n]*\}[ \t]*$/

/** Returns whether a paragraph is hidden, or shown as code; undefined if it is text. */
export function classifyParagraph(text: string): 'hidden' | 'code' | undefined {
  const first = text.charAt(0)
  if (first !== 'i' && first !== 'e' && first !== '{') return undefined
  const lines = text.split(/\r?\n/)
  if (lines.every((line) => attributeList.test(line))) return 'hidden'
  if (lines.every((line) => importLine.test(line.trim()))) return 'hidden'
  return exportLine.test(lines[0] as string) ? 'code' : undefined
}

/** Returns the length of the attribute list at the end of a text, with the newline before it; 0 if there is none. */
export function attributeListLength(text: string): number {
  const at = text.endsWith('}') ? text.lastIndexOf('\n') : -1
  return at !== -1 && attributeList.test(text.slice(at + 1)) ? text.length - at : 0
}
