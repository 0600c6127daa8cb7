import type { ChangeRequest } from '../../../../contract/change-request.ts'
import { request } from '../../../api.ts'
import { appHref } from '../../../base-path.ts'
import { useList } from '../../../data/list.ts'
import { countText } from '../../../texts.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { LoadMore } from '../../../ui/item-list.tsx'
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { toPageRows } from '../../space/page-rows.ts'
import { usePages } from '../../space/use-pages.ts'
import { MergeButton, updateFromSpace } from '../actions.tsx'
import { ChangeRequestFrame } from '../change-request-frame.tsx'
import { invalidateChangeRequests, isActive, paramsOf, screenPath, useMergeStatus } from '../use-change-request.ts'
import { ConflictCard } from './conflict-card.tsx'
import type { FindTitle } from './describe.ts'
import { texts } from './texts.ts'

/** Conflicts between a change request and the space, with a decision for each. */
export default function ConflictsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <ChangeRequestFrame params={params} isWide>
      {(changeRequest) => <Conflicts changeRequest={changeRequest} />}
    </ChangeRequestFrame>
  )
}

function Conflicts({ changeRequest }: { changeRequest: ChangeRequest }) {
  const list = useList('GET /spaces/{spaceId}/change-requests/{changeRequestId}/conflicts', {
    params: paramsOf(changeRequest),
    query: { limit: 50 },
  })
  const findTitle = useTitles(changeRequest)
  const { items, error, reload } = list
  if (!items) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  if (items.length === 0) return <NoConflicts changeRequest={changeRequest} />
  const open = items.filter(({ status }) => status === 'open')
  const resolved = items.filter(({ status }) => status === 'resolved')
  return (
    <>
      {open.length > 0 ? (
        <ConflictsHead changeRequest={changeRequest} count={open.length} />
      ) : (
        <AllDecided changeRequest={changeRequest} />
      )}
      <ul class="cr-conflicts">
        {open.map((conflict) => (
          <ConflictCard key={conflict.id} changeRequest={changeRequest} conflict={conflict} findTitle={findTitle} />
        ))}
      </ul>
      <LoadMore list={list} />
      {resolved.length > 0 && (
        <section class="section">
          <h2>{texts.resolved}</h2>
          <ul class="cr-conflicts">
            {resolved.map((conflict) => (
              <ConflictCard key={conflict.id} changeRequest={changeRequest} conflict={conflict} findTitle={findTitle} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function ConflictsHead({ changeRequest, count }: { changeRequest: ChangeRequest; count: number }) {
  const [resolveAll, isBusy] = useAction(async (side: 'ours' | 'theirs') => {
    await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/conflicts', {
      params: paramsOf(changeRequest),
      body: { side },
    })
    invalidateChangeRequests(changeRequest)
  })
  const canDecide = changeRequest.permissions.edit && isActive(changeRequest)
  return (
    <div class="cr-conflicts-head">
      <div>
        <h2>{countText(texts.open, count)}</h2>
        <p class="quiet">{texts.intro}</p>
      </div>
      {canDecide && count > 1 && (
        <span class="toolbar">
          <Button isBusy={isBusy} onClick={() => void resolveAll('ours')}>
            {texts.allMine}
          </Button>
          <Button isBusy={isBusy} onClick={() => void resolveAll('theirs')}>
            {texts.allTheirs}
          </Button>
        </span>
      )}
    </div>
  )
}

function AllDecided({ changeRequest }: { changeRequest: ChangeRequest }) {
  const canMerge = changeRequest.permissions.merge && isActive(changeRequest)
  return (
    <EmptyState
      icon="circle-check"
      title={texts.doneTitle}
      actions={
        <>
          <LinkButton href={appHref(screenPath(changeRequest, '/changes'))}>{texts.showChanges}</LinkButton>
          {canMerge && <MergeButton changeRequest={changeRequest} />}
        </>
      }
    >
      {texts.doneText}
    </EmptyState>
  )
}

function NoConflicts({ changeRequest }: { changeRequest: ChangeRequest }) {
  const { data: status } = useMergeStatus(changeRequest)
  const [update, isUpdating] = useAction(() => updateFromSpace(changeRequest))
  const expected = status?.conflicts.expected ?? 0
  if (expected === 0) {
    return (
      <EmptyState icon="circle-check" title={texts.none}>
        {texts.noneText}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="git-merge"
      title={countText(texts.expected, expected)}
      actions={
        changeRequest.permissions.edit && (
          <Button kind="primary" icon="refresh" isBusy={isUpdating} onClick={() => void update()}>
            {texts.update}
          </Button>
        )
      }
    >
      {texts.expectedText}
    </EmptyState>
  )
}

/** Returns a function that finds the titles of pages of a change request. */
function useTitles({ space, number }: ChangeRequest): FindTitle {
  const { data } = usePages(space, { changeRequest: String(number) })
  const titles = new Map(toPageRows(data?.pages ?? [], () => true).map(({ page }) => [page.id, page.title]))
  return (pageId) => titles.get(pageId)
}
