/** A block tag on its own line: `{% hint style="info" %}`, the line of a directive: `:::note`, or that of a component: `<Note>`. */
export interface BlockTag {
  /** `hint`, `endhint`, `@mermaid/diagram`, … */
  name: string
  attributes: Readonly<Record<string, string>>
  /** Text after the name, as written. */
  rest: string
  /** Offsets of `{%` and of the end of `%}` in the source. */
  start: number
  end: number
  /** Set if the tag shares its line with text. */
  edge?: TagEdge
  /** Set if an indented body follows, which the parser reads as the content of a list item. */
  isItem?: true
  /** Position of the title in the source. */
  title?: { start: number; end: number }
}

/** A tag at the start or end of a line that also contains text. */
export interface TagEdge {
  isBehindText: boolean
  isBeforeText: boolean
  /** Indentation and quote markers of a new line in the same item or quote. */
  indent: string
  /** Start of the tag that closes this one or that this one closes. */
  partner: number
}
