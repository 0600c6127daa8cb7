import { useState } from 'preact/hooks'
import type { ShareLink } from '../../../../contract/publishing.ts'
import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { useList } from '../../../data/list.ts'
import { invalidate } from '../../../data/query.ts'
import { fillText } from '../../../texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm.ts'
import { copyText } from '../../../ui/copy.tsx'
import { FieldForm } from '../../../ui/form.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ItemList } from '../../../ui/item-list.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Time } from '../../../ui/time.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useFormAction } from '../../../ui/use-form-action.ts'
import { NameDialog } from '../../collection/collection-dialogs.tsx'
import { accessTexts as texts } from './access-texts.ts'

interface SectionProps {
  organizationId: string
  site: Site
}

const maxNameLength = 50

/** The share links of a site. */
export function ShareLinks({ organizationId, site }: SectionProps) {
  const list = useList('GET /orgs/{organizationId}/sites/{siteId}/share-links', {
    params: { organizationId, siteId: site.id },
    query: { limit: 100 },
  })
  return (
    <section class="section">
      <h2>{texts.links}</h2>
      <p class="quiet section-hint">{texts.linksHint}</p>
      <ItemList
        class="section-rows"
        list={list}
        keyOf={({ id }) => id}
        loadingLines={2}
        empty={<p class="quiet section-hint">{texts.noLinks}</p>}
        renderItem={(link) => <ShareLinkRow organizationId={organizationId} siteId={site.id} link={link} />}
      />
      {list.items && <CreateLinkForm organizationId={organizationId} site={site} />}
    </section>
  )
}

function CreateLinkForm({ organizationId, site }: SectionProps) {
  const [name, setName] = useState('')
  const create = useFormAction(async () => {
    await request('POST /orgs/{organizationId}/sites/{siteId}/share-links', {
      params: { organizationId, siteId: site.id },
      body: { name: name.trim() },
    })
    setName('')
    invalidate(`/orgs/${organizationId}/sites/${site.id}`)
  })
  return (
    <FieldForm
      action={create}
      button={texts.createLink}
      icon="plus"
      isIncomplete={name.trim() === ''}
      label={texts.linkName}
      hint={texts.linkNameHint}
      required
      maxLength={maxNameLength}
      value={name}
      onInput={setName}
    />
  )
}

interface ShareLinkRowProps {
  organizationId: string
  siteId: string
  link: ShareLink
}

function ShareLinkRow({ organizationId, siteId, link }: ShareLinkRowProps) {
  const { id, name, active, createdAt, urls } = link
  const [isRenaming, setRenaming] = useState(false)
  const params = { organizationId, siteId, shareLinkId: id }
  const reloadLinks = () => invalidate(`/orgs/${organizationId}/sites/${siteId}`)
  const [setActive] = useAction(async (isActive: boolean) => {
    await request('PATCH /orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId}', {
      params,
      body: { active: isActive },
    })
    reloadLinks()
    if (isActive) return
    showToast(fillText(texts.revokedToast, { name }), {
      action: { title: texts.undo, onSelect: () => void setActive(true) },
    })
  })
  const [remove] = useAction(async () => {
    const isConfirmed = await confirmAction({
      title: fillText(texts.deleteLinkTitle, { name }),
      text: texts.deleteLinkText,
      action: texts.deleteLink,
      isDangerous: true,
    })
    if (!isConfirmed) return
    await request('DELETE /orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId}', { params })
    reloadLinks()
  })
  return (
    <div class="row">
      <Icon name="link" />
      <span class="row-title row-title-with-text">
        {name}
        {urls.published !== undefined && <span class="row-text">{urls.published}</span>}
      </span>
      <span class="row-facts">
        {!active && <Badge>{texts.revoked}</Badge>}
        <Time at={createdAt} />
        {urls.published !== undefined && (
          <Button
            kind="quiet"
            icon="copy"
            label={fillText(texts.copyLink, { name })}
            onClick={() => void copyText(urls.published ?? '')}
          />
        )}
        <Menu
          icon="dots"
          label={fillText(texts.linkMenu, { name })}
          items={[
            { title: texts.rename, icon: 'edit', onSelect: () => setRenaming(true) },
            active
              ? { title: texts.revoke, icon: 'lock', onSelect: () => void setActive(false) }
              : { title: texts.activate, icon: 'check', onSelect: () => void setActive(true) },
            {
              title: texts.deleteLink,
              icon: 'trash',
              isDangerous: true,
              startsGroup: true,
              onSelect: () => void remove(),
            },
          ]}
        />
      </span>
      {isRenaming && (
        <NameDialog
          title={texts.rename}
          action={texts.save}
          name={name}
          onClose={() => setRenaming(false)}
          onSave={async ({ title }) => {
            await request('PATCH /orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId}', {
              params,
              body: { name: title },
            })
            reloadLinks()
          }}
        />
      )}
    </div>
  )
}
