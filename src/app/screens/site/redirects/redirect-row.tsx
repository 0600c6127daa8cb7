import type { SiteRedirect } from '../../../../contract/site-redirects.ts'
import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { invalidate } from '../../../data/query.ts'
import { fillText } from '../../../texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { copyText } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { redirectTexts as texts } from './redirect-texts.ts'

interface RedirectRowProps {
  organizationId: string
  site: Site
  redirect: SiteRedirect
  onEdit: () => void
}

/** A redirect in the list: its source, its destination, and actions. */
export function RedirectRow({ organizationId, site, redirect, onEdit }: RedirectRowProps) {
  const { id, source, target, permanent, captureWildcard, destination } = redirect
  const params = { organizationId, siteId: site.id }
  const reloadList = () => invalidate(`/orgs/${organizationId}/sites/${site.id}/redirects`)
  const [restore] = useAction(async () => {
    await request('POST /orgs/{organizationId}/sites/{siteId}/redirects', {
      params,
      body: { source, captureWildcard, permanent, destination },
    })
    reloadList()
  })
  const [remove] = useAction(async () => {
    await request('DELETE /orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}', {
      params: { ...params, siteRedirectId: id },
    })
    reloadList()
    showToast(fillText(texts.removed, { source }), {
      action: { title: texts.undo, onSelect: () => void restore() },
    })
  })
  const copyable = site.urls.published === undefined ? source : site.urls.published.replace(/\/$/, '') + source
  return (
    <div class="redirect">
      <span class="redirect-source">{source}</span>
      <Icon name="arrow-right" />
      {typeof target === 'string' ? (
        <span class="redirect-target">{captureWildcard ? `${target.replace(/\/$/, '')}/*` : target}</span>
      ) : (
        <span class="redirect-target">
          <Badge tone="danger" icon="warning">
            {texts.missing}
          </Badge>
        </span>
      )}
      {permanent && <Badge>{texts.permanentBadge}</Badge>}
      <Menu
        icon="dots"
        label={fillText(texts.actions, { source })}
        items={[
          { title: texts.change, icon: 'edit', onSelect: onEdit },
          { title: texts.copy, icon: 'copy', onSelect: () => void copyText(copyable) },
          { title: texts.remove, icon: 'trash', isDangerous: true, startsGroup: true, onSelect: () => void remove() },
        ]}
      />
    </div>
  )
}
