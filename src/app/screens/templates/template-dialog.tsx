import type { TableOfContentsPage } from '../../../contract/revision.ts'
import type { Template } from '../../../contract/template.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { WindowedList } from '../../ui/windowed-list.tsx'
import { toEmoji } from '../organization/space-rows.ts'
import { templateTexts as texts } from './template-texts.ts'

interface TemplateDialogProps {
  organizationId: string
  template: Template
  /** Whether the user may create spaces and delete templates. */
  canCreate: boolean
  onClose: () => void
}

const rowHeight = 32

/** Shows the pages of a template, which can be used or deleted. */
export function TemplateDialog({ organizationId, template, canCreate, onClose }: TemplateDialogProps) {
  const { id: templateId, title, subtitle, builtIn } = template
  const ofServer = useQuery(builtIn ? 'GET /templates/{templateId}/pages' : undefined, { params: { templateId } })
  const ofOrganization = useQuery(
    builtIn ? undefined : 'GET /orgs/{organizationId}/templates/{templateId}/pages',
    { params: { organizationId, templateId } },
  )
  const { data, error, reload } = builtIn ? ofServer : ofOrganization
  const [remove, isRemoving] = useAction(async () => {
    onClose()
    await deleteTemplate(organizationId, template)
  })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        canCreate && (
          <>
            {!builtIn && (
              <Button kind="quiet" icon="trash" isBusy={isRemoving} onClick={() => void remove()}>
                {texts.remove}
              </Button>
            )}
            <LinkButton kind="primary" href={appHref(`/orgs/${organizationId}/new?from=template&template=${templateId}`)}>
              {texts.use}
            </LinkButton>
          </>
        )
      }
    >
      {subtitle !== '' && <p>{subtitle}</p>}
      <h3 class="dialog-title">{texts.contents}</h3>
      {!data && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {data && (
        <WindowedList
          items={toRows(data.pages)}
          rowHeight={rowHeight}
          label={texts.contents}
          keyOf={({ page }) => page.id}
          renderRow={(row) => <PageRow {...row} />}
        />
      )}
    </Dialog>
  )
}

interface Row {
  page: TableOfContentsPage
  depth: number
}

const toRows = (pages: readonly TableOfContentsPage[], depth = 0): Row[] =>
  pages.flatMap((page) => [{ page, depth }, ...toRows(page.pages ?? [], depth + 1)])

function PageRow({ page: { title, emoji, type }, depth }: Row) {
  const character = toEmoji(emoji)
  return (
    <span class="sidebar-link" style={{ paddingInlineStart: `${8 + depth * 16}px` }}>
      {character === '' ? <Icon name={type === 'group' ? 'folder' : 'file-text'} /> : <span>{character}</span>}
      <span>{title}</span>
    </span>
  )
}

async function deleteTemplate(organizationId: string, { id, title }: Template): Promise<void> {
  const isConfirmed = await confirmAction({
    title: fillText(texts.removeTitle, { title }),
    text: texts.removeText,
    action: texts.remove,
    isDangerous: true,
  })
  if (!isConfirmed) return
  await request('DELETE /orgs/{organizationId}/templates/{templateId}', { params: { organizationId, templateId: id } })
  invalidate(`/orgs/${organizationId}/templates`)
  showToast(texts.removed)
}
