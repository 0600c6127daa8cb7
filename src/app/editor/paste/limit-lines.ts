/** Maximum number of paragraphs that are created from text. */
const maxParagraphs = 5000

/** Joins lines of a text that has too many. */
export function limitLines(text: string): string {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  if (lines.length <= maxParagraphs) return text
  const size = Math.ceil(lines.length / maxParagraphs)
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, index) =>
    lines.slice(index * size, (index + 1) * size).join(' '),
  ).join('\n')
}
