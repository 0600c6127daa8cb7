import { useState } from 'preact/hooks'
import type { SiteRedirect } from '../../../../contract/site-redirects.ts'
import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { invalidate } from '../../../data/query.ts'
import { Checkbox, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useFormAction } from '../../../ui/use-form-action.ts'
import { toDestination, toSource } from './destinations.ts'
import { redirectTexts as texts } from './redirect-texts.ts'

interface RedirectDialogProps {
  organizationId: string
  site: Site
  /** The redirect to edit; undefined for a new one. */
  redirect: SiteRedirect | undefined
  onClose: () => void
}

/** Adds or edits a redirect. */
export function RedirectDialog({ organizationId, site, redirect, onClose }: RedirectDialogProps) {
  const [from, setFrom] = useState(redirect?.source ?? '')
  const [to, setTo] = useState(redirect?.target ?? '')
  const [permanent, setPermanent] = useState(redirect?.permanent ?? false)
  const [captureWildcard, setCaptureWildcard] = useState(redirect?.captureWildcard ?? false)
  const source = toSource(from, site)
  const isWildcard = source?.endsWith('*') === true
  const { run, isRunning, problem, clearProblem } = useFormAction(async () => {
    if (source === undefined) return
    const params = { organizationId, siteId: site.id }
    const body = { source, permanent, captureWildcard: isWildcard && captureWildcard }
    // An unchanged destination is not sent, because its page may have been deleted.
    const isSameTarget = redirect !== undefined && to === (redirect.target ?? '')
    if (redirect)
      await request('PATCH /orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}', {
        params: { ...params, siteRedirectId: redirect.id },
        body: { ...body, ...(!isSameTarget && { destination: toDestination(to, site) }) },
      })
    else
      await request('POST /orgs/{organizationId}/sites/{siteId}/redirects', {
        params,
        body: { ...body, destination: toDestination(to, site) },
      })
    invalidate(`/orgs/${organizationId}/sites/${site.id}/redirects`)
    showToast(texts.saved)
    onClose()
  })
  return (
    <FormDialog
      title={redirect ? texts.edit : texts.add}
      onClose={onClose}
      onSubmit={() => void run()}
      action={texts.save}
      isBusy={isRunning}
      isIncomplete={source === undefined || (to.trim() === '' && !redirect)}
    >
      <TextField
        label={texts.from}
        hint={texts.fromHint}
        required
        autoFocus
        spellcheck={false}
        placeholder="/old/page"
        value={from}
        onInput={(value) => {
          setFrom(value)
          clearProblem()
        }}
      />
      <TextField
        label={texts.to}
        hint={texts.toHint}
        error={problem}
        required
        spellcheck={false}
        placeholder="/guide/install"
        value={to}
        onInput={(value) => {
          setTo(value)
          clearProblem()
        }}
      />
      {isWildcard && (
        <Checkbox
          label={texts.capture}
          hint={texts.captureHint}
          checked={captureWildcard}
          onChange={setCaptureWildcard}
        />
      )}
      <Checkbox label={texts.permanent} hint={texts.permanentHint} checked={permanent} onChange={setPermanent} />
    </FormDialog>
  )
}
