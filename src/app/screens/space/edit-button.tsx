import type { Space } from '../../../contract/space.ts'
import { preloadVisualEditor } from '../../load-module.ts'
import { useQuery } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { useUser } from '../../session.ts'
import { useShortcuts } from '../../shortcuts.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useAction } from '../../ui/use-action.ts'
import { toEditorPath } from '../edit/editor-path.ts'
import type { PagePlace } from '../edit/page-text.ts'
import { canEditLive } from './can-edit-live.ts'
import { pageTexts } from './page-texts.ts'
import { startChangeRequest } from './send-changes.ts'

/** Maximum number of change requests that are offered to continue. */
const maxOffered = 5

interface EditButtonProps {
  space: Space
  kind: PagePlace['kind']
  /** ID of the page or of the reusable content. */
  pageId: string
}

/**
 * Opens the editor in a change request: a new one, or one of the user that is not merged yet. Its menu also offers live editing.
 */
export function EditButton({ space, kind, pageId }: EditButtonProps) {
  const user = useUser()
  const { data } = useQuery(user && 'GET /orgs/{organizationId}/change-requests', {
    params: { organizationId: space.organization },
    query: { creator: user?.id ?? '', space: space.id, status: ['draft', 'open'], limit: maxOffered },
  })
  const open = (number?: number) => navigate(toEditorPath({ spaceId: space.id, kind, pageId }, number))
  const [startNew, isStarting] = useAction(async () => {
    if (kind === 'page') preloadVisualEditor()
    open((await startChangeRequest(space)).number)
  })
  const own = data?.items ?? []
  const [latest] = own
  useShortcuts([
    {
      keys: 'e',
      title: pageTexts.edit,
      run() {
        if (latest) open(latest.number)
        else if (data) void startNew()
      },
    },
  ])
  const liveItem = canEditLive(space) && {
    title: pageTexts.editLive,
    icon: 'world' as const,
    startsGroup: true,
    onSelect: () => open(),
  }
  if (own.length === 0)
    return (
      <div class="edit-split">
        <Button kind="primary" icon="edit" isBusy={isStarting} disabled={!data} onClick={() => void startNew()}>
          {pageTexts.edit}
        </Button>
        {liveItem && (
          <Menu
            kind="primary"
            icon="chevron-down"
            label={pageTexts.ways}
            items={[
              { title: pageTexts.editInChangeRequest, icon: 'git-pull-request', onSelect: () => void startNew() },
              liveItem,
            ]}
          />
        )}
      </div>
    )
  return (
    <Menu
      kind="primary"
      icon="edit"
      items={[
        ...own.map(({ number, subject }) => ({
          title: fillText(pageTexts.continueIn, { number, subject: subject || pageTexts.untitled }),
          icon: 'edit' as const,
          onSelect: () => open(number),
        })),
        { title: pageTexts.startNew, icon: 'plus', startsGroup: true, onSelect: () => void startNew() },
        liveItem,
      ]}
    >
      {pageTexts.edit}
    </Menu>
  )
}
