import { useSignal } from '@preact/signals'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RepositoryFields, emptyRepository } from '../new-space/repository-fields.tsx'
import { saveRepository, startExport, startImport } from './git-actions.ts'
import { gitTexts as texts } from './git-texts.ts'

const directions = ['import', 'export'] as const
const icons = { import: 'download', export: 'upload' } as const

/** Connects a space with a branch and starts the first import or export. */
export function ConnectForm({ spaceId }: { spaceId: string }) {
  const repository = useSignal(emptyRepository)
  const direction = useSignal<(typeof directions)[number]>('import')
  const exportAfterMerge = useSignal(true)
  const [connect, isConnecting] = useAction(async () => {
    const state = await saveRepository(spaceId, repository.value, { exportAfterMerge: exportAfterMerge.value })
    await (direction.value === 'import'
      ? startImport(spaceId, state)
      : startExport(spaceId, state, texts.defaultMessage))
  })
  return (
    <Form class="new-space" onSubmit={() => void connect()}>
      <p class="quiet">{texts.intro}</p>
      <RepositoryFields value={repository.value} onChange={(changed) => (repository.value = changed)} />
      <fieldset class="radio-choice">
        <legend>{texts.direction}</legend>
        <div class="ways">
          {directions.map((one) => (
            <label key={one} class="way">
              <input
                type="radio"
                name="direction"
                checked={one === direction.value}
                onChange={() => (direction.value = one)}
              />
              <Icon name={icons[one]} size={20} />
              <strong>{texts[one]}</strong>
              <span>{texts[`${one}Hint`]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <Checkbox
        label={texts.exportAfterMerge}
        checked={exportAfterMerge.value}
        onChange={(checked) => (exportAfterMerge.value = checked)}
      />
      <div class="toolbar">
        <Button type="submit" kind="primary" isBusy={isConnecting}>
          {texts.connect}
        </Button>
      </div>
    </Form>
  )
}
