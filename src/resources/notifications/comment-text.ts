import type { Document, Text } from '../../content/document/nodes.ts'
import { collectReferences } from '../../content/document/references.ts'
import { documentText } from '../../content/document/text.ts'

/** Returns the users whom a stored comment mentions. */
export const findMentionedIds = (body: string): string[] =>
  collectReferences(JSON.parse(body) as Document).flatMap(({ ref }) => (ref.kind === 'user' ? [ref.user] : []))

interface StoredMention {
  type: 'mention'
  data: { ref: { kind: string; user: string } }
}

const isMention = (value: unknown): value is StoredMention =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'mention'

const toText = (text: string): Text => ({ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] })

/** Returns the words of a stored comment, with the names of mentioned users. */
export function toCommentText(body: string, nameOf: (userId: string) => string): string {
  const document = JSON.parse(body, (_, value: unknown) =>
    isMention(value) && value.data.ref.kind === 'user' ? toText(`@${nameOf(value.data.ref.user)}`) : value,
  ) as Document
  return documentText(document)
}
