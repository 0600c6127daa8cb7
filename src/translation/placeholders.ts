/** A piece of a text. Fixed pieces are not translated. */
export interface TextPiece {
  text: string
  isFixed: boolean
}

/**
 * Parts of a text that stay as they are: URLs, email addresses, placeholders of templates and programs, options of commands,
 * and names that contain an underscore. Each alternative begins with a character class and has no nested repetition, so that
 * matching is linear.
 */
const fixedText = new RegExp(
  [
    String.raw`\bhttps?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]`,
    String.raw`\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}`,
    String.raw`\{\{[^{}]{0,200}\}\}`,
    String.raw`\{%[^{}%]{0,200}%\}`,
    String.raw`\$?\{[\w.:-]{0,100}\}`,
    String.raw`%(?:\d{1,3}\$)?[sdif]\b`,
    String.raw`%\(\w{1,100}\)[sdif]`,
    String.raw`<[A-Za-z][\w. -]{0,100}>`,
    String.raw`(?<![\w-])--[a-z][\w-]{0,100}`,
    String.raw`\b[A-Za-z0-9]{1,100}(?:_[A-Za-z0-9]{1,100}){1,20}\b`,
  ].join('|'),
  'gu',
)

/** Splits a text into pieces that are translated and pieces that are not; together they are the text. */
export function splitFixedText(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(fixedText)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isFixed: false })
    pieces.push({ text: match, isFixed: true })
    end = index + match.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isFixed: false })
  return pieces
}
