import { useState } from 'preact/hooks'
import type { SamlProvider } from '../../../contract/saml.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { formatAge } from '../../ui/time.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { usePolling } from '../new-space/use-polling.ts'
import { ProviderDialog } from './provider-dialog.tsx'
import { ssoTexts as texts } from './sso-texts.ts'

/** An identity provider with the values that it needs. */
export function ProviderCard({ organizationId, provider }: { organizationId: string; provider: SamlProvider }) {
  const [isEditing, setEditing] = useState(false)
  const { id, label, status, service, certificateExpiresAt } = provider
  const isActive = status === 'active'
  const [remove] = useAction(async () => {
    const isConfirmed = await confirmAction({
      title: fillText(texts.removeTitle, { label }),
      text: texts.removeText,
      action: texts.remove,
      isDangerous: true,
    })
    if (!isConfirmed) return
    await request('DELETE /orgs/{organizationId}/saml/{samlProviderId}', {
      params: { organizationId, samlProviderId: id },
    })
    invalidate(`/orgs/${organizationId}/saml`)
  })
  return (
    <article class="sso-provider" aria-label={label}>
      <div class="section-head">
        <h3>
          {label} <Badge tone={isActive ? 'success' : 'warning'}>{isActive ? texts.active : texts.pending}</Badge>
        </h3>
        <div class="toolbar">
          {isActive && (
            <LinkButton href={service.startURL} icon="external-link" target="_blank" rel="noopener">
              {texts.test}
            </LinkButton>
          )}
          <Menu
            label={uiTexts.more}
            icon="dots"
            kind="secondary"
            items={[
              { title: texts.edit, icon: 'edit', onSelect: () => setEditing(true) },
              {
                title: texts.remove,
                icon: 'trash',
                isDangerous: true,
                startsGroup: true,
                onSelect: () => void remove(),
              },
            ]}
          />
        </div>
      </div>
      {certificateExpiresAt !== undefined && (
        <p class="quiet">{fillText(texts.certificateExpires, { time: formatAge(certificateExpiresAt) })}</p>
      )}
      {provider.metadataURL !== undefined && <MetadataState organizationId={organizationId} provider={provider} />}
      <p class="org-note">{texts.forProvider}</p>
      <CopyField label={texts.acs} value={service.acsURL} />
      <CopyField label={texts.entity} value={service.entityID} />
      <CopyField label={texts.start} value={service.startURL} />
      {isEditing && (
        <ProviderDialog organizationId={organizationId} provider={provider} onClose={() => setEditing(false)} />
      )}
    </article>
  )
}

/** Shows when the metadata was read and its errors, with a button that reads it again. */
function MetadataState({ organizationId, provider }: { organizationId: string; provider: SamlProvider }) {
  const { id, metadataURL, metadataCheckedAt, metadataError } = provider
  // The metadata is read in the background; this is finished when the time of the last reading changes.
  const [startedAt, setStartedAt] = useState<string | undefined>(undefined)
  const isReading = startedAt !== undefined && startedAt === metadataCheckedAt
  const params = { organizationId, samlProviderId: id }
  const [readAgain, isSending] = useAction(async () => {
    await request('PATCH /orgs/{organizationId}/saml/{samlProviderId}', { params, body: { metadataURL } })
    setStartedAt(metadataCheckedAt)
  })
  usePolling(isReading, async () => invalidate(`/orgs/${organizationId}/saml`))
  const time = metadataCheckedAt === undefined ? '' : formatAge(metadataCheckedAt)
  return (
    <div class="sso-metadata" role="status">
      <p class={metadataError === undefined ? 'quiet' : 'sso-problem'}>
        {metadataError !== undefined && <Icon name="warning" />}
        <span>
          {fillText(metadataError === undefined ? texts.metadataRead : texts.metadataFailed, { time })} {metadataError}
        </span>
      </p>
      <Button icon="refresh" isBusy={isSending || isReading} onClick={() => void readAgain()}>
        {texts.readAgain}
      </Button>
    </div>
  )
}
