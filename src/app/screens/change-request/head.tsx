import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { Space } from '../../../contract/space.ts'
import { fillText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { StatusBadge } from '../change-requests/status-badge.tsx'
import { ChangeRequestActions } from './actions.tsx'
import { useChanges } from './changes/use-changes.ts'
import { Subject } from './subject.tsx'
import { texts } from './texts.ts'
import { screenPath, useMergeStatus } from './use-change-request.ts'

/** Subject, status, actions and tabs of a change request. */
export function ChangeRequestHead({ changeRequest, space }: { changeRequest: ChangeRequest; space: Space }) {
  const { createdBy, updatedAt, status, outdated, comments } = changeRequest
  const { data: mergeStatus } = useMergeStatus(changeRequest)
  const { entries } = useChanges(changeRequest)
  const conflicts = mergeStatus && mergeStatus.conflicts.open
  return (
    <header class="cr-head">
      <div class="cr-head-top">
        <div class="cr-head-title">
          <Subject changeRequest={changeRequest} />
          <p class="cr-head-facts">
            <StatusBadge status={status} />
            <Avatar person={createdBy} size={18} />
            <span>{fillText(texts.facts, { author: createdBy.displayName, space: space.title })}</span>
            <Time at={updatedAt} />
            {outdated && <Badge tone="warning">{texts.outdated}</Badge>}
          </p>
        </div>
        <ChangeRequestActions changeRequest={changeRequest} space={space} />
      </div>
      <Tabs
        label={texts.sections}
        tabs={[
          { title: texts.overview, path: screenPath(changeRequest) },
          { title: texts.changes, path: screenPath(changeRequest, '/changes'), count: entries?.length },
          { title: texts.conflicts, path: screenPath(changeRequest, '/conflicts'), count: conflicts },
          { title: texts.comments, path: screenPath(changeRequest, '#comments'), count: comments },
        ]}
      />
    </header>
  )
}
