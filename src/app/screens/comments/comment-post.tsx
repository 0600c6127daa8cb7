import { useState } from 'preact/hooks'
import type { Comment, CommentReply } from '../../../contract/comment.ts'
import { useUser } from '../../session.ts'
import { countText, fillText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { DocumentView } from '../../ui/document-view.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CommentComposer } from './comment-composer.tsx'
import type { CommentDraft } from './comment-drafts.ts'
import { commentTexts } from './comment-texts.ts'
import { toDraft } from './mentions.ts'

/** Emojis that are offered; others can be added through the API. */
const offeredEmojis = ['👍', '👎', '😄', '🎉', '❤️', '👀']

interface ReactionChange {
  addedReactions?: string[]
  removedReactions?: string[]
}

interface CommentPostProps {
  post: Comment | CommentReply
  spaceId: string
  organizationId: string
  /** Reads the body as Markdown. */
  readMarkdown: () => Promise<string>
  onEdit: (markdown: string) => Promise<void>
  onDelete: () => Promise<void>
  onReact: (change: ReactionChange) => Promise<void>
  /** Further actions, before editing and deleting. */
  items?: readonly (MenuItem | false)[]
}

/** A comment or reply: its author, text, reactions and actions. */
export function CommentPost(props: CommentPostProps) {
  const { post, spaceId, organizationId, readMarkdown, onEdit, items = [] } = props
  const { postedBy, postedAt, editedAt, body, permissions } = post
  const [edited, setEdited] = useState<CommentDraft | undefined>()
  const [startEditing] = useAction(async () => setEdited(await toDraft(await readMarkdown())))
  const [remove] = useAction(props.onDelete)
  const actions: MenuItem[] = [
    ...items.filter((item): item is MenuItem => item !== false),
    ...(permissions.edit
      ? [{ title: commentTexts.edit, icon: 'edit' as const, onSelect: () => void startEditing() }]
      : []),
    ...(permissions.delete
      ? [{ title: commentTexts.remove, icon: 'trash' as const, isDangerous: true, onSelect: () => void remove() }]
      : []),
  ]
  return (
    <div class="comment-post">
      <header class="comment-head">
        <Avatar person={postedBy} size={22} />
        <strong>{postedBy.displayName}</strong>
        <span class="comment-time">
          <Time at={postedAt} />
          {editedAt !== undefined && <span>{commentTexts.edited}</span>}
        </span>
        {actions.length > 0 && (
          <Menu icon="dots" label={fillText(commentTexts.actions, { name: postedBy.displayName })} items={actions} />
        )}
      </header>
      {edited ? (
        <CommentComposer
          organizationId={organizationId}
          draftKey={`edit.${post.id}`}
          label={commentTexts.edit}
          submitTitle={commentTexts.save}
          initial={edited}
          autoFocus
          onCancel={() => setEdited(undefined)}
          onSubmit={async (markdown) => {
            await onEdit(markdown)
            setEdited(undefined)
          }}
        />
      ) : (
        body.document && <DocumentView document={body.document} spaceId={spaceId} />
      )}
      <Reactions post={post} onReact={props.onReact} />
    </div>
  )
}

/** Reactions to a post; a click adds or removes that of the user. */
function Reactions({ post, onReact }: Pick<CommentPostProps, 'post' | 'onReact'>) {
  const user = useUser()
  const [react, isBusy] = useAction(onReact)
  const canReact = post.permissions.reply
  const reacted = post.reactions.map(({ emoji, count, users }) => ({
    emoji,
    count,
    isMine: users.some((reaction) => reaction.user.id === user?.id),
    names: users.map((reaction) => reaction.user.displayName).join(', '),
  }))
  if (reacted.length === 0 && !canReact) return null
  const toggle = (emoji: string, isMine: boolean) =>
    void react(isMine ? { removedReactions: [emoji] } : { addedReactions: [emoji] })
  return (
    <div class="reactions">
      {reacted.map(({ emoji, count, isMine, names }) => (
        <button
          key={emoji}
          type="button"
          class="reaction"
          aria-pressed={isMine}
          aria-label={countText(commentTexts.reactions, count, { emoji })}
          title={names}
          disabled={!canReact || isBusy}
          onClick={() => toggle(emoji, isMine)}
        >
          {emoji} {count}
        </button>
      ))}
      {canReact && (
        <Menu
          icon="mood-smile"
          label={commentTexts.react}
          items={offeredEmojis.map((emoji) => {
            const isMine = reacted.some((reaction) => reaction.emoji === emoji && reaction.isMine)
            return { title: emoji, isChecked: isMine, onSelect: () => toggle(emoji, isMine) }
          })}
        />
      )}
    </div>
  )
}
