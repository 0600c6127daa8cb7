import { request } from '../../api.ts'
import { escapePattern } from '../../../content/document/escape-pattern.ts'
import type { CommentDraft } from './comment-drafts.ts'

/** Returns the Markdown of a draft: each `@name` of a mentioned member becomes a link. */
export function toMarkdown({ text, mentions }: CommentDraft): string {
  // A name can start with another name.
  const names = Object.keys(mentions).sort((one, other) => other.length - one.length)
  if (names.length === 0) return text
  const pattern = new RegExp(`@(${names.map(escapePattern).join('|')})`, 'g')
  return text.replace(pattern, (_, name: string) => {
    const label = name.replace(/[\\[\]]/g, '\\$&')
    return `[${label}](/users/${mentions[name]} "mention")`
  })
}

/** Returns the draft of a comment that is edited: links to members become `@name`. */
export async function toDraft(markdown: string): Promise<CommentDraft> {
  const mentions: Record<string, string> = {}
  const names = new Map<string, string>()
  const pattern = /\[[^\]\n]*\]\(\/users\/([\w-]+) "mention"\)/g
  for (const [, id = ''] of markdown.matchAll(pattern)) {
    if (names.has(id)) continue
    const name = await readName(id)
    if (name === undefined) continue
    names.set(id, name)
    mentions[name] = id
  }
  const text = markdown.replace(pattern, (link, id: string) => (names.has(id) ? `@${names.get(id)}` : link))
  return { text: text.trim(), mentions }
}

const readName = (userId: string): Promise<string | undefined> =>
  request('GET /users/{userId}', { params: { userId } }).then(
    ({ displayName }) => displayName,
    () => undefined,
  )

/** Returns the part of a name after an `@` before the caret, with the position of the `@`. */
export function findMentionQuery(text: string, caret: number): { query: string; at: number } | undefined {
  const found = /(?:^|[\s(])@([^\s@]{0,40}(?: [^\s@]{1,40})?)$/u.exec(text.slice(0, caret))
  return found ? { query: found[1] as string, at: caret - (found[1] as string).length - 1 } : undefined
}
