import { useState } from 'preact/hooks'
import type { SitePublishingAuth } from '../../../../contract/publishing.ts'
import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { invalidate, useQuery } from '../../../data/query.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm.ts'
import { CopyField } from '../../../ui/copy.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { ErrorState, Loading } from '../../../ui/states.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useFormAction } from '../../../ui/use-form-action.ts'
import { accessTexts as texts } from './access-texts.ts'
import { TestToken } from './test-token.tsx'

interface SectionProps {
  organizationId: string
  site: Site
}

/** Visitor sign-in: the login page, the signing key, and tokens for testing. */
export function AuthSection({ organizationId, site }: SectionProps) {
  const { data, error, reload } = useQuery(
    site.permissions.admin ? 'GET /orgs/{organizationId}/sites/{siteId}/publishing/auth' : undefined,
    { params: { organizationId, siteId: site.id } },
  )
  return (
    <section class="section">
      <h2>{texts.auth}</h2>
      <p class="quiet section-hint">{site.permissions.admin ? texts.authHint : texts.adminOnly}</p>
      {site.permissions.admin &&
        !data &&
        (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {data && (
        <>
          <AuthForm organizationId={organizationId} site={site} auth={data} />
          <SigningKey organizationId={organizationId} site={site} auth={data} />
          <TestToken key={data.privateKey} site={site} privateKey={data.privateKey} />
        </>
      )}
    </section>
  )
}

function AuthForm({ organizationId, site, auth }: SectionProps & { auth: SitePublishingAuth }) {
  const [fallbackURL, setFallbackURL] = useState(auth.fallbackURL ?? '')
  const [logoutURL, setLogoutURL] = useState(auth.logoutURL ?? '')
  const { run, isRunning, problem } = useFormAction(async () => {
    await request('PATCH /orgs/{organizationId}/sites/{siteId}/publishing/auth', {
      params: { organizationId, siteId: site.id },
      body: { backend: 'custom', fallbackURL: fallbackURL.trim() || null, logoutURL: logoutURL.trim() || null },
    })
    invalidate(`/orgs/${organizationId}/sites/${site.id}`)
    showToast(texts.saved)
  })
  const isUnchanged = fallbackURL.trim() === (auth.fallbackURL ?? '') && logoutURL.trim() === (auth.logoutURL ?? '')
  return (
    <Form onSubmit={() => void run()}>
      <TextField
        label={texts.fallback}
        hint={texts.fallbackHint}
        error={problem}
        type="url"
        placeholder="https://login.example.com/docs"
        value={fallbackURL}
        onInput={setFallbackURL}
      />
      <TextField label={texts.logout} type="url" value={logoutURL} onInput={setLogoutURL} />
      <p class="form-actions">
        <Button type="submit" isBusy={isRunning} disabled={isUnchanged}>
          {texts.save}
        </Button>
      </p>
    </Form>
  )
}

/** The signing key, which is hidden until the user reveals it. */
function SigningKey({ organizationId, site, auth }: SectionProps & { auth: SitePublishingAuth }) {
  const [isShown, setShown] = useState(false)
  const [rotate, isRotating] = useAction(async () => {
    const isConfirmed = await confirmAction({
      title: texts.rotateTitle,
      text: texts.rotateText,
      action: texts.rotate,
      isDangerous: true,
    })
    if (!isConfirmed) return
    await request('POST /orgs/{organizationId}/sites/{siteId}/publishing/auth/regenerate', {
      params: { organizationId, siteId: site.id },
    })
    invalidate(`/orgs/${organizationId}/sites/${site.id}`)
    setShown(true)
    showToast(texts.rotated)
  })
  return (
    <div class="signing-key">
      {isShown ? (
        <CopyField label={texts.key} value={auth.privateKey} hint={texts.keyHint} />
      ) : (
        <>
          <h3 class="section-title">{texts.key}</h3>
          <p class="quiet">{texts.keyHint}</p>
        </>
      )}
      <p class="toolbar form-actions">
        {!isShown && (
          <Button icon="eye" onClick={() => setShown(true)}>
            {texts.showKey}
          </Button>
        )}
        <Button icon="refresh" isBusy={isRotating} onClick={() => void rotate()}>
          {texts.rotate}
        </Button>
      </p>
    </div>
  )
}
