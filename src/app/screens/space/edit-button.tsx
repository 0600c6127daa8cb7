import type { Space } from '../../../contract/space.ts'
import { useQuery } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { useUser } from '../../session.ts'
import { useShortcuts } from '../../shortcuts.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useAction } from '../../ui/use-action.ts'
import { pageTexts } from './page-texts.ts'
import { startChangeRequest } from './send-changes.ts'

/** Maximum number of change requests that are offered to continue. */
const maxOffered = 5

interface EditButtonProps {
  space: Space
  /** Path of the editor below that of the change request. */
  screen: string
}

/** Opens the editor in a change request: a new one, or one of the user that is not merged yet. */
export function EditButton({ space, screen }: EditButtonProps) {
  const user = useUser()
  const { data } = useQuery(user && 'GET /orgs/{organizationId}/change-requests', {
    params: { organizationId: space.organization },
    query: { creator: user?.id ?? '', space: space.id, status: ['draft', 'open'], limit: maxOffered },
  })
  const open = (changeRequest: string) => navigate(`/spaces/${space.id}/change-requests/${changeRequest}${screen}`)
  const [startNew, isStarting] = useAction(async () => open(await startChangeRequest(space)))
  const own = data?.items ?? []
  const [latest] = own
  useShortcuts([
    {
      keys: 'e',
      title: pageTexts.edit,
      run() {
        if (latest) open(String(latest.number))
        else if (data) void startNew()
      },
    },
  ])
  if (own.length === 0)
    return (
      <Button kind="primary" icon="edit" isBusy={isStarting} disabled={!data} onClick={() => void startNew()}>
        {pageTexts.edit}
      </Button>
    )
  return (
    <Menu
      kind="primary"
      icon="edit"
      items={[
        ...own.map(({ number, subject }) => ({
          title: fillText(pageTexts.continueIn, { number, subject: subject || pageTexts.untitled }),
          icon: 'edit' as const,
          onSelect: () => open(String(number)),
        })),
        { title: pageTexts.startNew, icon: 'plus', startsGroup: true, onSelect: () => void startNew() },
      ]}
    >
      {pageTexts.edit}
    </Menu>
  )
}
