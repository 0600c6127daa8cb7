import { useSignal } from '@preact/signals'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { newSpaceTexts as texts } from './new-space-texts.ts'
import type { Repository } from './start-space.ts'

export const emptyRepository: Repository = { url: '', branch: 'main', directory: '', username: '', password: '' }

/** Fields for a Git repository; those for credentials appear for a private one. */
export function RepositoryFields({ value, onChange }: { value: Repository; onChange: (value: Repository) => void }) {
  const isPrivate = useSignal(value.password !== '')
  const set = (changed: Partial<Repository>) => onChange({ ...value, ...changed })
  return (
    <div class="field-group">
      <TextField
        label={texts.repository}
        hint={texts.repositoryHint}
        type="url"
        required
        placeholder="https://github.com/acme/docs.git"
        value={value.url}
        onInput={(url) => set({ url })}
      />
      <TextField label={texts.branch} required value={value.branch} onInput={(branch) => set({ branch })} />
      <TextField
        label={texts.directory}
        hint={texts.directoryHint}
        value={value.directory}
        onInput={(directory) => set({ directory })}
      />
      <Checkbox
        label={texts.isPrivate}
        checked={isPrivate.value}
        onChange={(checked) => {
          isPrivate.value = checked
          if (!checked) set({ username: '', password: '' })
        }}
      />
      {isPrivate.value && (
        <>
          <TextField
            label={texts.username}
            hint={texts.usernameHint}
            autocomplete="off"
            value={value.username}
            onInput={(username) => set({ username })}
          />
          <TextField
            label={texts.password}
            hint={texts.passwordHint}
            type="password"
            required
            autocomplete="off"
            value={value.password}
            onInput={(password) => set({ password })}
          />
        </>
      )}
    </div>
  )
}
