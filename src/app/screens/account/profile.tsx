import { useState } from 'preact/hooks'
import type { User } from '../../../contract/shared.ts'
import { request } from '../../api.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { type LanguageCode, availableLanguages, language, languages, setLanguage } from '../../texts.ts'
import { type Theme, setTheme, theme } from '../../theme.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { AccountFrame } from './account-frame.tsx'
import { accountTexts as texts } from './account-texts.ts'

/** Name and picture of the user, and the language and theme of this browser. */
export default function ProfileScreen() {
  const { data: user, error, reload } = useQuery('GET /user')
  return (
    <AccountFrame title={texts.profile}>
      {!user && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {user && <ProfileForm key={user.id} user={user} />}
      <BrowserSettings />
    </AccountFrame>
  )
}

function ProfileForm({ user }: { user: User }) {
  const [name, setName] = useState(user.displayName)
  const [picture, setPicture] = useState(user.photoURL ?? '')
  const [save, isSaving] = useAction(async () => {
    const photoURL = picture.trim() === '' ? null : picture.trim()
    await request('PATCH /users/{userId}', {
      params: { userId: user.id },
      body: { displayName: name.trim(), ...(photoURL !== (user.photoURL ?? null) && { photoURL }) },
    })
    invalidate('/user')
    showToast(texts.saved)
  })
  return (
    <Form class="section" onSubmit={() => void save()}>
      <p class="account-picture">
        <Avatar person={{ displayName: name, photoURL: user.photoURL }} size={48} />
        <span>
          <strong>{user.displayName}</strong>
          <span class="quiet">{user.email}</span>
        </span>
      </p>
      <TextField label={texts.name} value={name} onInput={setName} required maxLength={64} autocomplete="name" />
      <TextField
        label={texts.picture}
        hint={texts.pictureHint}
        type="url"
        value={picture}
        onInput={setPicture}
        maxLength={2000}
        placeholder="https://"
      />
      <Button kind="primary" type="submit" isBusy={isSaving} disabled={name.trim() === ''}>
        {texts.save}
      </Button>
    </Form>
  )
}

function BrowserSettings() {
  return (
    <section class="section">
      <h2>{texts.app}</h2>
      <SelectField<LanguageCode>
        label={texts.language}
        value={language.value}
        options={availableLanguages.map((code) => ({ value: code, title: languages[code] }))}
        onChange={(code) => void setLanguage(code).catch(showError)}
      />
      <SelectField<Theme>
        label={texts.theme}
        value={theme.value}
        options={[
          { value: 'system', title: uiTexts.themeSystem },
          { value: 'light', title: uiTexts.themeLight },
          { value: 'dark', title: uiTexts.themeDark },
        ]}
        onChange={setTheme}
      />
    </section>
  )
}
