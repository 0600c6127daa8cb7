import { useState } from 'preact/hooks'
import type { ChangeRequest, Conflict, ConflictDecision } from '../../../../contract/change-request.ts'
import type { JsonDocument } from '../../../../contract/document.ts'
import { request } from '../../../api.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { pageHref } from '../../space/page-tree.tsx'
import { invalidateChangeRequests, isActive, paramsOf } from '../use-change-request.ts'
import { type DocumentNode, isBlock, readEditableText } from './block-text.ts'
import { ConflictEditor } from './conflict-editor.tsx'
import { ConflictSides } from './conflict-sides.tsx'
import { type FindTitle, describeConflict, describeSubject } from './describe.ts'
import { texts } from './texts.ts'

interface ConflictCardProps {
  changeRequest: ChangeRequest
  conflict: Conflict
  findTitle: FindTitle
}

/** A conflict with its three sides and the possible decisions. */
export function ConflictCard({ changeRequest, conflict, findTitle }: ConflictCardProps) {
  const { status, message } = conflict
  const [isEditing, setEditing] = useState(false)
  const params = { ...paramsOf(changeRequest), conflictId: conflict.id }
  const [decide, isDeciding] = useAction(async (body: ConflictDecision) => {
    await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/conflicts/{conflictId}', { params, body })
    setEditing(false)
    invalidateChangeRequests(changeRequest)
  })
  const [reopen, isReopening] = useAction(async () => {
    await request('DELETE /spaces/{spaceId}/change-requests/{changeRequestId}/conflicts/{conflictId}/resolution', {
      params,
    })
    invalidateChangeRequests(changeRequest)
  })
  const canDecide = changeRequest.permissions.edit && isActive(changeRequest)
  return (
    <li class="cr-conflict">
      <header class="cr-conflict-head">
        <div>
          <h3>{describeSubject(conflict, findTitle)}</h3>
          <p class="quiet">{message ?? describeConflict(conflict)}</p>
        </div>
        {status === 'resolved' && <Badge tone="success">{describeResolution(conflict)}</Badge>}
      </header>
      <ConflictSides changeRequest={changeRequest} conflict={conflict} findTitle={findTitle} />
      {canDecide && status === 'resolved' && (
        <footer class="toolbar">
          <Button icon="arrow-back-up" isBusy={isReopening} onClick={() => void reopen()}>
            {texts.reopen}
          </Button>
        </footer>
      )}
      {canDecide && status === 'open' && !isEditing && (
        <Decisions
          changeRequest={changeRequest}
          conflict={conflict}
          isBusy={isDeciding}
          onDecide={(decision) => void decide(decision)}
          onEdit={() => setEditing(true)}
        />
      )}
      {isEditing && (
        <ConflictEditor
          conflict={conflict}
          isBusy={isDeciding}
          onSave={(decision) => void decide(decision)}
          onClose={() => setEditing(false)}
        />
      )}
    </li>
  )
}

interface DecisionsProps {
  changeRequest: ChangeRequest
  conflict: Conflict
  isBusy: boolean
  onDecide: (decision: ConflictDecision) => void
  onEdit: () => void
}

function Decisions({ changeRequest, conflict, isBusy, onDecide, onEdit }: DecisionsProps) {
  const both = joinSides(conflict)
  const { page } = conflict
  return (
    <footer class="toolbar">
      <Button isBusy={isBusy} onClick={() => onDecide({ side: 'ours' })}>
        {texts.keepMine}
      </Button>
      <Button isBusy={isBusy} onClick={() => onDecide({ side: 'theirs' })}>
        {texts.keepTheirs}
      </Button>
      {both && (
        <Button isBusy={isBusy} onClick={() => onDecide({ document: { document: both } })}>
          {texts.keepBoth}
        </Button>
      )}
      {readEditableText(conflict) !== undefined ? (
        <Button icon="edit" onClick={onEdit}>
          {texts.edit}
        </Button>
      ) : (
        page !== undefined &&
        conflict.type === 'block' && (
          <LinkButton icon="edit" href={pageHref(changeRequest.space, String(changeRequest.number), page)}>
            {texts.editPage}
          </LinkButton>
        )
      )}
    </footer>
  )
}

/** Returns a document with the blocks of both sides; undefined if both cannot be kept. */
function joinSides({ type, ours, theirs, parts }: Conflict): JsonDocument | undefined {
  if (type !== 'block' || parts || !isBlock(ours) || !isBlock(theirs) || isItem(ours)) return undefined
  const { key: _, ...copy } = theirs
  return { object: 'document', data: {}, nodes: [ours, copy] as unknown as JsonDocument['nodes'] }
}

/** Whether a block exists only inside another one, so that a document cannot contain it directly. */
const isItem = ({ type }: DocumentNode): boolean =>
  /-item$|^code-line$|^table-|^step$|^update$|^column$/.test(type ?? '')

function describeResolution({ resolution }: Conflict): string {
  switch (resolution) {
    case 'ours':
      return texts.keptMine
    case 'theirs':
      return texts.keptTheirs
    case 'base':
      return texts.keptBase
    default:
      return texts.keptOwn
  }
}
