import { useState } from 'preact/hooks'
import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { invalidate } from '../../../data/query.ts'
import { FieldForm } from '../../../ui/form.tsx'
import { useFormAction } from '../../../ui/use-form-action.ts'
import { domainTexts as texts } from './domain-texts.ts'

/** Asks for the host name of a site without a custom domain. */
export function ConnectForm({ organizationId, site }: { organizationId: string; site: Site }) {
  const [hostname, setHostname] = useState('')
  const connect = useFormAction(async () => {
    await request('PATCH /orgs/{organizationId}/sites/{siteId}', {
      params: { organizationId, siteId: site.id },
      body: { hostname: toHostname(hostname) },
    })
    invalidate(`/orgs/${organizationId}/sites`)
  })
  if (!site.permissions.admin) return <p class="quiet">{texts.adminOnly}</p>
  return (
    <FieldForm
      action={connect}
      button={texts.connect}
      kind="primary"
      isIncomplete={hostname.trim() === ''}
      label={texts.hostname}
      hint={texts.hostnameHint}
      required
      autocomplete="off"
      spellcheck={false}
      placeholder="docs.example.com"
      value={hostname}
      onInput={setHostname}
    />
  )
}

/** Returns the host name in a text, which may be a pasted URL. */
const toHostname = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.$/, '')
