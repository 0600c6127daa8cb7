import { useState } from 'preact/hooks'
import type { RoleOrGuest } from '../../../contract/roles.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useAction } from '../../ui/use-action.ts'
import { type Chosen, PeoplePicker, chosenIds } from '../organization/people-picker.tsx'
import { RoleField } from '../organization/roles.tsx'
import { type AccessTarget, share } from './access-target.ts'
import { accessTexts as texts } from './access-texts.ts'

/** Gives people and teams a role. */
export function ShareForm({ target, onClose }: { target: AccessTarget; onClose: () => void }) {
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [role, setRole] = useState<RoleOrGuest>('read')
  const [save, isSaving] = useAction(async () => {
    const [users, teams] = [chosenIds(chosen, 'user'), chosenIds(chosen, 'team')]
    await share(target, { ...(users.length > 0 && { users }), ...(teams.length > 0 && { teams }) }, role)
    onClose()
  })
  return (
    <FormDialog
      title={texts.shareTitle}
      onClose={onClose}
      onSubmit={() => void save()}
      action={texts.shareAction}
      isBusy={isSaving}
      isIncomplete={chosen.size === 0}
    >
      <PeoplePicker organizationId={target.organizationId} chosen={chosen} onChange={setChosen} withTeams />
      <RoleField value={role} onChange={setRole} withGuest={false} />
    </FormDialog>
  )
}
