import { useState } from 'preact/hooks'
import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { invalidate } from '../../../data/query.ts'
import { CopyField } from '../../../ui/copy.tsx'
import { FieldForm } from '../../../ui/form.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useFormAction } from '../../../ui/use-form-action.ts'
import { domainTexts as texts } from './domain-texts.ts'

/** The path of another website below which a site is published. */
export function ProxyForm({ organizationId, site }: { organizationId: string; site: Site }) {
  const current = (site.proxy?.origin ?? '').replace(/^https?:\/\//, '').replace(/\/$/, '')
  const [proxy, setProxy] = useState(current)
  const save = useFormAction(async () => {
    const value = proxy
      .trim()
      .replace(/^https?:\/\//, '')
      .replace(/\/+$/, '')
    await request('PATCH /orgs/{organizationId}/sites/{siteId}', {
      params: { organizationId, siteId: site.id },
      body: { proxy: value === '' ? null : value },
    })
    invalidate(`/orgs/${organizationId}/sites`)
    showToast(texts.saved)
  })
  return (
    <section class="section">
      <h2>{texts.path}</h2>
      <FieldForm
        action={save}
        button={proxy.trim() === '' && current !== '' ? texts.clear : texts.save}
        isIncomplete={proxy.trim() === current}
        label={texts.pathLabel}
        hint={texts.pathHint}
        autocomplete="off"
        spellcheck={false}
        placeholder="www.example.com/docs"
        value={proxy}
        onInput={setProxy}
      />
      {site.proxy && <CopyField label={texts.target} value={site.proxy.target} hint={texts.targetHint} />}
    </section>
  )
}
