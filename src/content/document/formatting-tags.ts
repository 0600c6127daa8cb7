/** Elements that format text and are rendered in pages, without their attributes. */
export const formattingElements = ['u', 'ins', 'small', 'big', 'q', 'abbr', 'cite', 'dfn', 'var', 'samp'] as const

const formattingTag = new RegExp(`^</?(${formattingElements.join('|')})(?![\\w-])[^>]*>$`, 'i')

/** Returns the name of the element of a tag that formats text, as it is written; undefined for other HTML. */
export const formattingName = (html: string): string | undefined => formattingTag.exec(html)?.[1]
