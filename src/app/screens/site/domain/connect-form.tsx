import { useState } from 'preact/hooks'
import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { invalidate } from '../../../data/query.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { useFormAction } from '../use-form-action.ts'
import { domainTexts as texts } from './domain-texts.ts'

/** Asks for the host name of a site without a domain of its own. */
export function ConnectForm({ organizationId, site }: { organizationId: string; site: Site }) {
  const [hostname, setHostname] = useState('')
  const { run, isRunning, problem, clearProblem } = useFormAction(async () => {
    await request('PATCH /orgs/{organizationId}/sites/{siteId}', {
      params: { organizationId, siteId: site.id },
      body: { hostname: toHostname(hostname) },
    })
    invalidate(`/orgs/${organizationId}/sites`)
  })
  if (!site.permissions.admin) return <p class="quiet">{texts.adminOnly}</p>
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <TextField
        label={texts.hostname}
        hint={texts.hostnameHint}
        error={problem}
        required
        autocomplete="off"
        spellcheck={false}
        placeholder="docs.example.com"
        value={hostname}
        onInput={(value) => {
          setHostname(value)
          clearProblem()
        }}
      />
      <Button kind="primary" type="submit" isBusy={isRunning} disabled={hostname.trim() === ''}>
        {texts.connect}
      </Button>
    </form>
  )
}

/** Returns the host name of a text, which people may paste as a URL. */
const toHostname = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.$/, '')
