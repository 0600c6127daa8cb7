import { useSignal } from '@preact/signals'
import type { Translation } from '../../../contract/translation.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { deleteShown, invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { nameOfLanguage } from './languages.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { translationTexts as texts } from './translation-texts.ts'

interface TranslationActionsProps {
  organizationId: string
  translation: Translation
  /** Whether a run is waiting or running. */
  isActive: boolean
}

/** Starts runs of a translation, and changes or deletes it. */
export function TranslationActions({ organizationId, translation, isActive }: TranslationActionsProps) {
  const isChanging = useSignal(false)
  const { id, source, result, permissions } = translation
  const [run, isStarting] = useAction(async () => {
    await request('POST /orgs/{organizationId}/translations/{translationId}/run', {
      params: { organizationId, translationId: id },
    })
    invalidate(`/orgs/${organizationId}/translations`)
  })
  const [remove] = useAction(() => deleteTranslation(organizationId, translation))
  return (
    <div class="toolbar">
      {permissions.edit && !isActive && (
        <Button kind="primary" icon="refresh" isBusy={isStarting} onClick={() => void run()}>
          {texts.run}
        </Button>
      )}
      <Menu
        label={uiTexts.more}
        icon="dots"
        kind="secondary"
        items={[
          result && { title: texts.openResult, icon: 'book', href: appHref(`/spaces/${result.space}`) },
          { title: texts.openSource, icon: 'book', href: appHref(`/spaces/${source.space}`) },
          permissions.edit && { title: texts.settings, icon: 'gear', onSelect: () => (isChanging.value = true) },
          permissions.edit && {
            title: texts.remove,
            icon: 'trash',
            isDangerous: true,
            startsGroup: true,
            onSelect: () => void remove(),
          },
        ]}
      />
      {isChanging.value && (
        <SettingsDialog
          organizationId={organizationId}
          translation={translation}
          onClose={() => (isChanging.value = false)}
        />
      )}
    </div>
  )
}

async function deleteTranslation(organizationId: string, { id, language }: Translation): Promise<void> {
  const isConfirmed = await confirmAction({
    title: fillText(texts.removeTitle, { language: nameOfLanguage(language) }),
    text: texts.removeText,
    action: texts.remove,
    isDangerous: true,
  })
  if (!isConfirmed) return
  await deleteShown(`/orgs/${organizationId}/translations/${id}`, () =>
    request('DELETE /orgs/{organizationId}/translations/{translationId}', {
      params: { organizationId, translationId: id },
    }),
  )
  navigate(`/orgs/${organizationId}/translations`)
  invalidate(`/orgs/${organizationId}/translations`)
  showToast(texts.removed)
}
