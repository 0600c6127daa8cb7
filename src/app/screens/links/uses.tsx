import type { ContentLocation } from '../../../contract/links.ts'
import { useQuery } from '../../data/query.ts'
import type { Query } from '../../data/query.ts'
import { countText, defineTexts } from '../../texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import type { ContentTarget } from '../space/send-changes.ts'
import { LocationList } from './location-list.tsx'

const texts = defineTexts('uses', {
  usedIn: 'Used in',
  unused: 'Nothing uses it',
  more: { one: 'and {count} more', other: 'and {count} more' },
  remove: 'Delete',
  usedWarning: 'It is still used. These places will show a gap or a broken link:',
})

type Uses = Query<{ items: readonly ContentLocation[]; count: number }>

/** Maximum number of places that are listed. */
const maxPlaces = 100

/** Reads the uses of a file. */
export function useFileUses({ space, changeRequest }: ContentTarget, fileId: string): Uses {
  const query = { limit: maxPlaces }
  const live = useQuery(
    changeRequest === undefined ? 'GET /spaces/{spaceId}/content/files/{fileId}/backlinks' : undefined,
    { params: { spaceId: space.id, fileId }, query },
  )
  const proposed = useQuery(
    changeRequest === undefined
      ? undefined
      : 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}/backlinks',
    { params: { spaceId: space.id, changeRequestId: changeRequest ?? '', fileId }, query },
  )
  return changeRequest === undefined ? live : proposed
}

/** Reads the uses of a reusable content. */
export function useReusableContentUses({ space, changeRequest }: ContentTarget, reusableContentId: string): Uses {
  const query = { limit: maxPlaces }
  const live = useQuery(
    changeRequest === undefined
      ? 'GET /spaces/{spaceId}/content/reusable-contents/{reusableContentId}/backlinks'
      : undefined,
    { params: { spaceId: space.id, reusableContentId }, query },
  )
  const proposed = useQuery(
    changeRequest === undefined
      ? undefined
      : 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents/{reusableContentId}/backlinks',
    { params: { spaceId: space.id, changeRequestId: changeRequest ?? '', reusableContentId }, query },
  )
  return changeRequest === undefined ? live : proposed
}

/** Reads the live pages that use a variable; a variable that is not live yet is not used by any. */
export function useVariableUses({ space }: ContentTarget, variableName: string | undefined): Uses {
  return useQuery(
    variableName === undefined ? undefined : 'GET /spaces/{spaceId}/content/variables/{variableName}/backlinks',
    { params: { spaceId: space.id, variableName: variableName ?? '' }, query: { limit: maxPlaces } },
  )
}

interface UsesProps {
  target: ContentTarget
  uses: Uses
}

/** Lists the uses of something. */
export function UsesList({ target, uses }: UsesProps) {
  const { data, error, reload } = uses
  if (error?.status === 404) return <p class="quiet">{texts.unused}</p>
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={2} />
  if (data.items.length === 0) return <p class="quiet">{texts.unused}</p>
  const more = data.count - data.items.length
  return (
    <>
      <LocationList spaceId={target.space.id} changeRequest={target.changeRequest} locations={data.items} />
      {more > 0 && <p class="quiet">{countText(texts.more, more)}</p>}
    </>
  )
}

/** Section of a screen or dialog that shows the uses of something. */
export function UsesSection(props: UsesProps) {
  return (
    <section class="uses">
      <h2>{texts.usedIn}</h2>
      <UsesList {...props} />
    </section>
  )
}

interface UsesDialogProps extends UsesProps {
  title: string
  onClose: () => void
}

/** Shows the uses of something. */
export function UsesDialog({ title, onClose, ...rest }: UsesDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <UsesSection {...rest} />
    </Dialog>
  )
}

/** Asks for confirmation before something is deleted, and lists its uses. */
export function RemoveDialog({
  title,
  target,
  uses,
  onClose,
  onRemove,
}: UsesDialogProps & { onRemove: () => Promise<void> }) {
  const [remove, isRemoving] = useAction(async () => {
    await onRemove()
    onClose()
  })
  const isUsed = uses.data !== undefined && uses.data.count > 0
  return (
    <FormDialog
      title={title}
      action={texts.remove}
      isDangerous
      isBusy={isRemoving}
      onClose={onClose}
      onSubmit={() => void remove()}
    >
      {isUsed && <p>{texts.usedWarning}</p>}
      <UsesList target={target} uses={uses} />
    </FormDialog>
  )
}
