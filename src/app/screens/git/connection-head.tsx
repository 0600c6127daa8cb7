import { useSignal } from '@preact/signals'
import type { GitSyncState } from '../../../contract/git-sync.ts'
import type { Space } from '../../../contract/space.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { ExportDialog } from './export-dialog.tsx'
import { startExport, startImport } from './git-actions.ts'
import { gitTexts as texts } from './git-texts.ts'
import { RepositoryDialog } from './repository-dialog.tsx'

interface ConnectionHeadProps {
  space: Space
  state: GitSyncState
  isRunning: boolean
}

/** Name of the repository, and actions for the connection. */
export function ConnectionHead({ space, state, isRunning }: ConnectionHeadProps) {
  const open = useSignal<'export' | 'settings' | undefined>(undefined)
  const close = () => (open.value = undefined)
  const { triggerGitSync: canSync, installIntegration: canChange } = space.permissions
  // Before the first synchronization, the branch may contain other pages, so an export could be refused.
  const [sync, isSyncing] = useAction(() =>
    state.commit === undefined
      ? startImport(space.id, state)
      : startExport(space.id, state, state.commitMessage ?? texts.defaultMessage),
  )
  const [importNow] = useAction(() => startImport(space.id, state))
  const [disconnect] = useAction(() => removeConnection(space.id, state))
  return (
    <div class="screen-head">
      <h1 class="screen-title">{texts.title}</h1>
      <div class="toolbar">
        {canSync && (
          <Button kind="primary" icon="refresh" isBusy={isSyncing || isRunning} onClick={() => void sync()}>
            {texts.sync}
          </Button>
        )}
        {canSync && (
          <Menu
            label={uiTexts.more}
            icon="dots"
            kind="secondary"
            items={[
              !isRunning && { title: texts.importNow, icon: 'download', onSelect: () => void importNow() },
              !isRunning && { title: texts.exportNow, icon: 'upload', onSelect: () => (open.value = 'export') },
              canChange && { title: texts.settings, icon: 'gear', onSelect: () => (open.value = 'settings') },
              canChange && {
                title: texts.disconnect,
                icon: 'x',
                isDangerous: true,
                startsGroup: true,
                onSelect: () => void disconnect(),
              },
            ]}
          />
        )}
      </div>
      {open.value === 'export' && <ExportDialog spaceId={space.id} state={state} onClose={close} />}
      {open.value === 'settings' && <RepositoryDialog spaceId={space.id} state={state} onClose={close} />}
    </div>
  )
}

async function removeConnection(spaceId: string, { repoName, repository }: GitSyncState): Promise<void> {
  const isConfirmed = await confirmAction({
    title: fillText(texts.disconnectTitle, { name: repoName ?? repository }),
    text: texts.disconnectText,
    action: texts.disconnect,
    isDangerous: true,
  })
  if (!isConfirmed) return
  await request('DELETE /spaces/{spaceId}/git/info', { params: { spaceId } })
  invalidate(`/spaces/${spaceId}`)
  showToast(texts.disconnected)
}
