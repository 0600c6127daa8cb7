import { useState } from 'preact/hooks'
import type { Organization } from '../../../contract/organizations.ts'
import { request } from '../../api.ts'
import { useList } from '../../data/list.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { useUser } from '../../session.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { Checkbox } from '../../ui/fields.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { SettingsFrame } from '../organization/settings-frame.tsx'
import { ProviderCard } from './provider-card.tsx'
import { ProviderDialog } from './provider-dialog.tsx'
import { ScimTokens } from './scim-tokens.tsx'
import { ssoTexts as texts } from './sso-texts.ts'

/** Sets up how members sign in with the identity provider of their company, and provisioning. */
export default function SsoScreen({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <SettingsFrame organizationId={params['organizationId'] ?? ''} crumbs={[{ title: texts.title }]} needs="admin">
      {(organization) => (
        <>
          <h1 class="screen-title">{texts.title}</h1>
          <Providers organization={organization} />
          <ScimTokens organizationId={organization.id} />
        </>
      )}
    </SettingsFrame>
  )
}

function Providers({ organization }: { organization: Organization }) {
  const [isAdding, setAdding] = useState(false)
  const { items, error, reload } = useList('GET /orgs/{organizationId}/saml', {
    params: { organizationId: organization.id },
    query: { limit: 100 },
  })
  const add = (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <>
      <section class="section">
        <div class="section-head">
          <h2>{texts.providers}</h2>
          {items && items.length > 0 && add}
        </div>
        <p class="quiet org-note">{texts.providersHint}</p>
        {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
        {items?.length === 0 && (
          <EmptyState icon="lock" title={texts.none} actions={add}>
            {texts.noneHint}
          </EmptyState>
        )}
        {items?.map((provider) => (
          <ProviderCard key={provider.id} organizationId={organization.id} provider={provider} />
        ))}
        {isAdding && <ProviderDialog organizationId={organization.id} onClose={() => setAdding(false)} />}
      </section>
      {items?.some(({ status }) => status === 'active') === true && <RequireSso organization={organization} />}
    </>
  )
}

/** Requires SSO; one administrator can still sign in without it. */
function RequireSso({ organization }: { organization: Organization }) {
  const { id: organizationId, sso, ssoAdministrator } = organization
  const user = useUser()
  const administrator = useQuery(
    ssoAdministrator === undefined ? undefined : 'GET /orgs/{organizationId}/members/{userId}',
    { params: { organizationId, userId: ssoAdministrator ?? '' } },
  ).data
  const [change] = useAction(async (isRequired: boolean) => {
    const isConfirmed =
      !isRequired ||
      (await confirmAction({ title: texts.requireTitle, text: texts.requireText, action: texts.requireAction }))
    if (isConfirmed) {
      await request('PATCH /orgs/{organizationId}', { params: { organizationId }, body: { sso: isRequired } })
      showToast(texts.saved)
    }
    // After a refused or cancelled change, the stored value is shown again.
    invalidate('/orgs')
  })
  const name = ssoAdministrator === user?.id ? texts.you : administrator?.user.displayName
  return (
    <section class="section">
      <h2>{texts.require}</h2>
      <Checkbox
        key={String(sso)}
        label={texts.requireLabel}
        hint={sso && name !== undefined ? fillText(texts.breakGlass, { name }) : texts.requireHint}
        checked={sso}
        onChange={(isOn) => void change(isOn)}
      />
    </section>
  )
}
