import type { GitOperation } from '../../../contract/git-sync.ts'
import { countText } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { shortCommit } from './git-actions.ts'
import { gitTexts as texts } from './git-texts.ts'

type OperationState = Pick<GitOperation, 'state' | 'changeRequest'>

/** Shows how an operation ended. */
export function OperationBadge({ operation: { state, changeRequest } }: { operation: OperationState }) {
  if (state === 'running') return <Badge icon="progress">{texts.running}</Badge>
  if (state === 'success')
    return (
      <Badge tone="success" icon="check">
        {texts.success}
      </Badge>
    )
  if (changeRequest !== undefined)
    return (
      <Badge tone="warning" icon="git-pull-request">
        {texts.waits}
      </Badge>
    )
  return (
    <Badge tone="danger" icon="x">
      {texts[state]}
    </Badge>
  )
}

/** Content of a row for an import or export. */
export function OperationRow({ operation, title }: { operation: GitOperation; title: string }) {
  const { direction, commit, warningCount, startedAt } = operation
  return (
    <>
      <Icon name={direction === 'import' ? 'download' : 'upload'} />
      <span class="row-title">{title}</span>
      <span class="row-facts">
        {warningCount > 0 && <span>{countText(texts.notes, warningCount)}</span>}
        {commit !== undefined && <code>{shortCommit(commit)}</code>}
        <OperationBadge operation={operation} />
        <Time at={startedAt} />
      </span>
    </>
  )
}
