import type { AccessReason } from '../../../contract/access.ts'
import type { Role } from '../../../contract/roles.ts'
import { fillText } from '../../texts.ts'
import type { AccessTarget } from './access-target.ts'
import { accessTexts as texts } from './access-texts.ts'

/** Describes the source of the access of a user to a target. */
export function describeReason(reason: AccessReason, target: AccessTarget): string {
  if (reason.type === 'administrator' || reason.type === 'organization') return texts[reason.type]
  const isHere = reason.source.id === target.id
  const title = reason.source.title ?? texts.hiddenSource
  const team = reason.type === 'team' ? reason.team.title : ''
  const key = isHere ? reason.type : (`${reason.type}From` as const)
  return fillText(texts[key], { title, team })
}

/** Returns the role that was given to a person or team in the target itself. */
export const findOwnGrant = (
  reasons: readonly AccessReason[],
  target: AccessTarget,
  type: 'user' | 'team',
): Role | undefined =>
  reasons.find((reason) => reason.type === type && 'source' in reason && reason.source.id === target.id)?.role
