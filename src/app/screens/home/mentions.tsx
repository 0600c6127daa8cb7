import { useEffect, useState } from 'preact/hooks'
import type { Mention } from '../../../contract/comment.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { defineTexts, fillText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Time } from '../../ui/time.tsx'
import { toDraft } from '../comments/mentions.ts'

const texts = defineTexts('mentions', {
  title: 'Mentions',
  by: '{name} mentioned you',
})

/** Maximum number of shown mentions. */
const maxMentions = 5

/** Shows the comments that mention the user in an organization; nothing if there are none. */
export function Mentions({ organizationId }: { organizationId: string }) {
  const { items } = useList('GET /user/mentions', { query: { limit: 50 } })
  const shown = (items ?? []).filter(({ organization }) => organization === organizationId).slice(0, maxMentions)
  if (shown.length === 0) return null
  return (
    <section class="section">
      <h2>{texts.title}</h2>
      <ul class="rows">
        {shown.map((mention) => (
          <li key={mention.urls.location}>
            <MentionRow mention={mention} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function MentionRow({ mention }: { mention: Mention }) {
  const { mentionedBy, mentionedAt, body } = mention
  const text = useText(body.markdown ?? '')
  return (
    <a class="row" href={appHref(toCommentPath(mention))}>
      <Avatar person={mentionedBy} />
      <span class="row-title row-title-with-text">
        {fillText(texts.by, { name: mentionedBy.displayName })}
        <span class="row-text">{text}</span>
      </span>
      <span class="row-facts">
        <Time at={mentionedAt} />
      </span>
    </a>
  )
}

/** Returns the screen that shows the comment. */
const toCommentPath = ({ space, changeRequest, comment }: Mention): string =>
  changeRequest === undefined
    ? `/spaces/${space}/comments/${comment}`
    : `/spaces/${space}/change-requests/${changeRequest}?comment=${comment}#comments`

/** Returns the text of a comment on one line with the names of mentioned users; empty until they are read. */
function useText(markdown: string): string {
  const [text, setText] = useState('')
  useEffect(() => {
    let isCurrent = true
    void toDraft(markdown).then((draft) => isCurrent && setText(toPlainText(draft.text)))
    return () => void (isCurrent = false)
  }, [markdown])
  return text
}

/** Returns the text of Markdown on one line. Links are replaced by their text; remaining mentions are of deleted users. */
const toPlainText = (markdown: string): string =>
  markdown
    .replace(/\[[^\]]*\]\(\/users\/[^)]*"mention"\)/g, '@…')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`~>#]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
