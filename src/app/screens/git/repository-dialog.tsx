import { useSignal } from '@preact/signals'
import type { GitSyncState } from '../../../contract/git-sync.ts'
import { SelectField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RepositoryFields } from '../new-space/repository-fields.tsx'
import { branchOf, saveRepository } from './git-actions.ts'
import { gitTexts as texts } from './git-texts.ts'

interface RepositoryDialogProps {
  spaceId: string
  state: GitSyncState
  onClose: () => void
}

/** Changes the repository, branch, folder and access token of a connection. */
export function RepositoryDialog({ spaceId, state, onClose }: RepositoryDialogProps) {
  const { repository: url, projectDirectory: directory, installationProvider } = state
  const repository = useSignal({ url, branch: branchOf(state), directory, username: '', password: '' })
  const initial = installationProvider === 'github' || installationProvider === 'gitlab' ? installationProvider : ''
  const provider = useSignal<'' | 'github' | 'gitlab'>(initial)
  const [save, isSaving] = useAction(async () => {
    await saveRepository(spaceId, repository.value, {
      ...(provider.value !== initial && { provider: provider.value || null }),
    })
    showToast(texts.saved)
    onClose()
  })
  return (
    <FormDialog
      title={texts.settings}
      onClose={onClose}
      onSubmit={() => void save()}
      action={texts.save}
      isBusy={isSaving}
    >
      <RepositoryFields value={repository.value} onChange={(changed) => (repository.value = changed)} />
      {state.hasCredentials && <p class="quiet">{texts.keptCredentials}</p>}
      <SelectField
        label={texts.provider}
        value={provider.value}
        options={[
          { value: '', title: texts.detected },
          { value: 'github', title: 'GitHub' },
          { value: 'gitlab', title: 'GitLab' },
        ]}
        onChange={(value) => (provider.value = value)}
      />
    </FormDialog>
  )
}
