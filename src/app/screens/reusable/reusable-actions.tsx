import { useState } from 'preact/hooks'
import type { RevisionReusableContent } from '../../../contract/revision.ts'
import { navigate } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { copyText } from '../../ui/copy.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RemoveDialog, UsesDialog, useReusableContentUses } from '../links/uses.tsx'
import { NameDialog } from '../space/rename-dialog.tsx'
import {
  type ContentTarget,
  offerUndo,
  openTarget,
  readRevision,
  sendAndShow,
  sendChanges,
} from '../space/send-changes.ts'
import { toIncludeMarkdown } from './include-markdown.ts'
import { reusableTexts as texts } from './reusable-texts.ts'

type Content = Pick<RevisionReusableContent, 'id' | 'title'>

/** Adds an empty reusable content and opens its editor. */
export async function createReusableContent(target: ContentTarget, title: string): Promise<void> {
  const { changes, number } = await sendChanges(target, [
    { operation: 'insert_reusable_content', title, document: { markdown: '' } },
  ])
  const created = changes.find((change) => change.object === 'created_reusable_content')
  if (created) navigate(`/spaces/${target.space.id}/change-requests/${number}/reusable/${created.reusableContent}`)
}

/** Deletes a reusable content and offers to undo it. */
async function removeReusableContent(target: ContentTarget, { id, title }: Content): Promise<void> {
  const opened = await openTarget(target)
  const revision = await readRevision(opened)
  const change = { operation: 'delete_reusable_content', reusableContent: id } as const
  const { number } = await sendAndShow(opened, [change], '/reusable')
  offerUndo(fillText(texts.removed, { title }), target, number, [
    { operation: 'revert_reusable_content', reusableContent: id, revision },
  ])
}

interface ReusableMenuProps {
  target: ContentTarget
  content: Content
  canEdit: boolean
  kind?: 'secondary' | 'quiet'
}

/** Actions for a reusable content. */
export function ReusableMenu({ target, content, canEdit, kind = 'quiet' }: ReusableMenuProps) {
  const [dialog, setDialog] = useState<'rename' | 'remove' | 'uses' | undefined>()
  const [copy] = useAction(() => copyText(toIncludeMarkdown(content.id)))
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu
        kind={kind}
        icon="dots"
        label={fillText(texts.actions, { title: content.title })}
        items={[
          { title: texts.copy, icon: 'markdown', onSelect: () => void copy() },
          { title: texts.whereUsed, icon: 'link', onSelect: () => setDialog('uses') },
          canEdit && { title: texts.rename, icon: 'edit', onSelect: () => setDialog('rename') },
          canEdit && {
            title: texts.remove,
            icon: 'trash',
            isDangerous: true,
            startsGroup: true,
            onSelect: () => setDialog('remove'),
          },
        ]}
      />
      {dialog === 'rename' && (
        <NameDialog
          title={texts.rename}
          label={texts.name}
          value={content.title}
          onClose={close}
          onSave={async (title) => {
            const change = { operation: 'update_reusable_content', reusableContent: content.id, title } as const
            await sendAndShow(target, [change], '/reusable')
          }}
        />
      )}
      {(dialog === 'uses' || dialog === 'remove') && (
        <ReusableUses target={target} content={content} isRemoving={dialog === 'remove'} onClose={close} />
      )}
    </>
  )
}

interface ReusableUsesProps {
  target: ContentTarget
  content: Content
  isRemoving: boolean
  onClose: () => void
}

function ReusableUses({ target, content, isRemoving, onClose }: ReusableUsesProps) {
  const uses = useReusableContentUses(target, content.id)
  const props = { target, uses, onClose }
  return isRemoving ? (
    <RemoveDialog
      {...props}
      title={fillText(texts.removeTitle, { title: content.title })}
      onRemove={() => removeReusableContent(target, content)}
    />
  ) : (
    <UsesDialog {...props} title={content.title} />
  )
}
