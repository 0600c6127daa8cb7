import type { ComponentChildren } from 'preact'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { MergeCheck, MergeStatus } from '../../../contract/merge-status.ts'
import { appHref } from '../../base-path.ts'
import { countText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { updateFromSpace } from './actions.tsx'
import { texts } from './overview-texts.ts'
import { screenPath, useMergeStatus } from './use-change-request.ts'

/** Conditions for merging the change request, with the next step for each. */
export function Checklist({ changeRequest }: { changeRequest: ChangeRequest }) {
  const { data, error, reload } = useMergeStatus(changeRequest)
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={3} />
  return (
    <section class="section cr-checklist">
      <h2>{texts.checklist}</h2>
      <ul class="rows">
        {data.checks.map((check, index) => (
          <RuleItem key={index} check={check} />
        ))}
        <ConflictItems changeRequest={changeRequest} status={data} />
        <OutdatedItem changeRequest={changeRequest} status={data} />
      </ul>
      {data.mergeable && <p class="cr-ready">{texts.ready}</p>}
      {data.canBypass && data.checks.some(({ satisfied }) => !satisfied) && <p class="quiet">{texts.canBypass}</p>}
    </section>
  )
}

interface CheckItemProps {
  state: 'done' | 'missing' | 'note'
  action?: ComponentChildren
  children: ComponentChildren
}

function CheckItem({ state, action, children }: CheckItemProps) {
  return (
    <li>
      <div class="row cr-check">
        <span class={`cr-check-${state}`}>
          <Icon name={state === 'done' ? 'circle-check' : state === 'missing' ? 'circle-x' : 'info'} size={18} />
          {state !== 'note' && <span class="sr-only">{state === 'done' ? texts.satisfied : texts.missing}: </span>}
        </span>
        <div class="cr-check-text">{children}</div>
        {action}
      </div>
    </li>
  )
}

function RuleItem({ check }: { check: MergeCheck }) {
  const { satisfied, message, source, reviewers } = check
  return (
    <CheckItem state={satisfied ? 'done' : 'missing'}>
      {message}
      {source === 'organization' && <small class="quiet"> {texts.organizationRule}</small>}
      {reviewers && (
        <ul class="cr-check-people">
          {reviewers.map(({ user, approved }) => (
            <li key={user.id}>
              <Avatar person={user} size={18} /> {user.displayName}{' '}
              <small class="quiet">{approved ? texts.approvedBy : texts.waitingFor}</small>
            </li>
          ))}
        </ul>
      )}
    </CheckItem>
  )
}

interface StatusProps {
  changeRequest: ChangeRequest
  status: MergeStatus
}

function ConflictItems({ changeRequest, status: { conflicts } }: StatusProps) {
  const { open, expected } = conflicts
  if (open + expected === 0) return <CheckItem state="done">{texts.noConflicts}</CheckItem>
  return (
    <>
      {open > 0 && (
        <CheckItem
          state="missing"
          action={<LinkButton href={appHref(screenPath(changeRequest, '/conflicts'))}>{texts.decide}</LinkButton>}
        >
          {countText(texts.openConflicts, open)}
        </CheckItem>
      )}
      {expected > 0 && <CheckItem state="missing">{countText(texts.expectedConflicts, expected)}</CheckItem>}
    </>
  )
}

function OutdatedItem({ changeRequest, status }: StatusProps) {
  const [update, isUpdating] = useAction(() => updateFromSpace(changeRequest))
  if (!status.outdated) return <CheckItem state="done">{texts.upToDate}</CheckItem>
  return (
    <CheckItem
      state="note"
      action={
        changeRequest.permissions.edit && (
          <Button icon="refresh" isBusy={isUpdating} onClick={() => void update()}>
            {texts.update}
          </Button>
        )
      }
    >
      {status.combined > 0 ? countText(texts.combined, status.combined) : texts.outdated}
    </CheckItem>
  )
}
