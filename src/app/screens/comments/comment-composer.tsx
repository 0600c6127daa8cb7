import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { User } from '../../../contract/shared.ts'
import { Button } from '../../ui/button.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { type CommentDraft, emptyDraft, readDraft, writeDraft } from './comment-drafts.ts'
import { commentTexts } from './comment-texts.ts'
import { MentionList, useMembers } from './mention-list.tsx'
import { findMentionQuery, toMarkdown } from './mentions.ts'

/** Maximum length of the Markdown of a comment. */
const maxLength = 16 * 1024

interface CommentComposerProps {
  organizationId: string
  /** Key under which unsent text is stored, from the subject of the comment. */
  draftKey: string
  label: string
  submitTitle: string
  /** Initial text, unless unsent text is stored. */
  initial?: CommentDraft | undefined
  onSubmit: (markdown: string) => Promise<void>
  onCancel?: (() => void) | undefined
  autoFocus?: boolean
}

/** Field for the Markdown of a comment. `@` opens a list of members, Ctrl+Enter sends. */
export function CommentComposer(props: CommentComposerProps) {
  const { organizationId, draftKey, label, submitTitle, initial = emptyDraft, onCancel, autoFocus = false } = props
  const [draft, setDraft] = useState<CommentDraft>(() => readDraft(draftKey) ?? initial)
  const [mention, setMention] = useState<{ query: string; at: number } | undefined>()
  const [active, setActive] = useState(0)
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const members = useMembers(organizationId, mention?.query)
  useEffect(() => setActive(0), [members])
  useEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [])

  const change = (next: CommentDraft) => {
    setDraft(next)
    writeDraft(draftKey, next)
  }
  const [submit, isSending] = useAction(async () => {
    if (draft.text.trim() === '') return
    await props.onSubmit(toMarkdown(draft))
    change(emptyDraft)
  })
  const choose = ({ displayName, id }: User) => {
    if (!mention || !field.current) return
    const end = mention.at + mention.query.length + 1
    const before = `${draft.text.slice(0, mention.at)}@${displayName} `
    change({ text: before + draft.text.slice(end), mentions: { ...draft.mentions, [displayName]: id } })
    setMention(undefined)
    const input = field.current
    // The caret can only be set after the new text is in the field.
    requestAnimationFrame(() => input.setSelectionRange(before.length, before.length))
  }
  const updateMention = ({ value, selectionStart }: HTMLTextAreaElement) =>
    setMention(findMentionQuery(value, selectionStart))
  const handleKey = (event: KeyboardEvent) => {
    const isOpen = members.length > 0
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
    else if (isOpen && event.key === 'ArrowDown') setActive((active + 1) % members.length)
    else if (isOpen && event.key === 'ArrowUp') setActive((active + members.length - 1) % members.length)
    else if (isOpen && (event.key === 'Enter' || event.key === 'Tab')) choose(members[active] as User)
    else if (isOpen && event.key === 'Escape') setMention(undefined)
    else if (event.key === 'Escape' && onCancel) onCancel()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <textarea
        ref={field}
        class="input"
        rows={draft.text.includes('\n') ? 5 : 2}
        maxLength={maxLength}
        aria-label={label}
        placeholder={label}
        title={commentTexts.writeHint}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={members.length > 0 ? listId : undefined}
        aria-activedescendant={members.length > 0 ? `${listId}-${active}` : undefined}
        value={draft.text}
        onInput={(event) => {
          change({ ...draft, text: event.currentTarget.value })
          updateMention(event.currentTarget)
        }}
        onKeyDown={handleKey}
        onBlur={() => setMention(undefined)}
      />
      {members.length > 0 && <MentionList id={listId} members={members} active={active} onChoose={choose} />}
      {(draft.text !== '' || onCancel) && (
        <div class="composer-actions">
          {onCancel && (
            <Button kind="quiet" onClick={onCancel}>
              {uiTexts.cancel}
            </Button>
          )}
          <Button type="submit" kind="primary" isBusy={isSending} disabled={draft.text.trim() === ''}>
            {submitTitle}
          </Button>
        </div>
      )}
    </form>
  )
}
