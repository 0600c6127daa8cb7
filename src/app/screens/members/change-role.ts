import type { Member } from '../../../contract/members.ts'
import type { RoleOrGuest } from '../../../contract/roles.ts'
import { request } from '../../api.ts'
import { deleteShown, invalidate, invalidateLists } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { confirmAction } from '../../ui/confirm.ts'
import { showError, showToast } from '../../ui/toasts.tsx'
import { roleName } from '../organization/roles.tsx'
import { memberTexts as texts } from './member-texts.ts'

/** Changes the role of a member, and offers to undo it. */
export async function changeRole(organizationId: string, member: Member, role: RoleOrGuest): Promise<void> {
  await setRole(organizationId, member.id, role)
  showToast(fillText(texts.roleChanged, { name: member.user.displayName, role: roleName(role) }), {
    action: {
      title: texts.undo,
      onSelect: () => void setRole(organizationId, member.id, member.role).catch(showError),
    },
  })
}

async function setRole(organizationId: string, userId: string, role: RoleOrGuest): Promise<void> {
  try {
    await request('PATCH /orgs/{organizationId}/members/{userId}', {
      params: { organizationId, userId },
      body: { role },
    })
  } finally {
    // After a refused change, the stored role is shown again.
    invalidate(`/orgs/${organizationId}/members`, '/orgs')
  }
}

/** Removes a member after confirmation; members can also remove themselves. */
export async function removeMember(organizationId: string, member: Member, isSelf: boolean): Promise<void> {
  const name = member.user.displayName
  const isConfirmed = await confirmAction({
    title: isSelf ? texts.leaveTitle : fillText(texts.removeTitle, { name }),
    text: isSelf ? texts.leaveText : texts.removeText,
    action: isSelf ? texts.leave : texts.remove,
    isDangerous: true,
  })
  if (!isConfirmed) return
  await deleteShown(`/orgs/${organizationId}/members/${member.id}`, () =>
    request('DELETE /orgs/{organizationId}/members/{userId}', { params: { organizationId, userId: member.id } }),
  )
  // The screen of the removed member must not be read again.
  invalidateLists('/orgs', `/orgs/${organizationId}/members`)
  navigate(isSelf ? '/' : `/orgs/${organizationId}/members`)
  if (!isSelf) showToast(fillText(texts.removed, { name }))
}
