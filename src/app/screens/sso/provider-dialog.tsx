import { useState } from 'preact/hooks'
import type { RoleOrGuest } from '../../../contract/roles.ts'
import type { SamlProvider } from '../../../contract/saml.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { Checkbox, TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RoleField } from '../organization/roles.tsx'
import { ssoTexts as texts } from './sso-texts.ts'

interface ProviderDialogProps {
  organizationId: string
  /** The provider to change; without it, one is added. */
  provider?: SamlProvider
  onClose: () => void
}

/** Adds or changes an identity provider. */
export function ProviderDialog({ organizationId, provider, onClose }: ProviderDialogProps) {
  const [label, setLabel] = useState(provider?.label ?? '')
  const [metadata, setMetadata] = useState('')
  const storedUrl = provider?.metadataURL ?? ''
  const [metadataUrl, setMetadataUrl] = useState(storedUrl)
  const [role, setRole] = useState<RoleOrGuest>(provider ? provider.defaultRole : 'read')
  const [allowIdpInitiated, setAllowIdpInitiated] = useState(provider?.allowIdpInitiated ?? false)
  const [signRequests, setSignRequests] = useState(provider?.signRequests ?? false)
  const [save, isSaving] = useAction(async () => {
    const url = metadataUrl.trim()
    // Entered values are used. Otherwise the metadata at a new address is read before anything is stored, so that a wrong address
    // is detected.
    const xml =
      metadata.trim() === '' && url !== '' && url !== storedUrl ? await readMetadata(organizationId, url) : metadata
    const body = {
      label: label.trim(),
      defaultRole: role,
      allowIdpInitiated,
      signRequests,
      ...(xml.trim() !== '' && { metadata: xml }),
      ...(url !== storedUrl && { metadataURL: url === '' ? null : url }),
    }
    if (provider)
      await request('PATCH /orgs/{organizationId}/saml/{samlProviderId}', {
        params: { organizationId, samlProviderId: provider.id },
        body,
      })
    else await request('POST /orgs/{organizationId}/saml', { params: { organizationId }, body })
    invalidate(`/orgs/${organizationId}/saml`)
    onClose()
  })
  return (
    <FormDialog
      title={provider ? texts.edit : texts.add}
      onClose={onClose}
      onSubmit={() => void save()}
      action={provider ? texts.save : texts.create}
      isBusy={isSaving}
      isIncomplete={label.trim() === ''}
    >
      <TextField
        label={texts.label}
        hint={texts.labelHint}
        required
        autoFocus
        maxLength={30}
        value={label}
        onInput={setLabel}
      />
      <TextField
        label={texts.metadataUrl}
        hint={texts.metadataUrlDaily}
        type="url"
        placeholder="https://"
        maxLength={2048}
        value={metadataUrl}
        onInput={setMetadataUrl}
      />
      <TextArea
        label={texts.metadata}
        hint={texts.metadataHint}
        spellcheck={false}
        value={metadata}
        onInput={setMetadata}
      />
      <label class="sso-file">
        <span>{texts.metadataFile}</span>
        <input
          type="file"
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          onChange={(event) => void event.currentTarget.files?.[0]?.text().then(setMetadata)}
        />
      </label>
      <RoleField label={texts.defaultRole} value={role} onChange={setRole} />
      <div class="rule-list">
        <Checkbox label={texts.allowIdpInitiated} checked={allowIdpInitiated} onChange={setAllowIdpInitiated} />
        <Checkbox label={texts.signRequests} checked={signRequests} onChange={setSignRequests} />
      </div>
    </FormDialog>
  )
}

async function readMetadata(organizationId: string, url: string): Promise<string> {
  const reply = await request('POST /orgs/{organizationId}/saml-metadata', {
    params: { organizationId },
    body: { url },
  })
  return reply.metadata
}
