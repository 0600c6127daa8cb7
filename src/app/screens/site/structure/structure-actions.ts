import type { Site, SiteStructure } from '../../../../contract/site.ts'
import type { Space } from '../../../../contract/space.ts'
import { request } from '../../../api.ts'
import { invalidate } from '../../../data/query.ts'
import { fillText } from '../../../texts.ts'
import { confirmAction } from '../../../ui/confirm.ts'
import { showError, showToast } from '../../../ui/toasts.tsx'
import type { SiteItem, SitePosition } from './site-tree.ts'
import { structureTexts as texts } from './structure-texts.ts'

/** The site whose structure is changed. */
export interface SiteTarget {
  organizationId: string
  siteId: string
}

/** Changes of an item; each kind of item uses those that it has. */
export interface ItemChange {
  title?: string
  path?: string
  icon?: string | null
  description?: string | null
  url?: string
  condition?: string | null
  draft?: boolean
  hidden?: boolean
}

const refresh = ({ organizationId }: SiteTarget): void => invalidate(`/orgs/${organizationId}/sites`)

const toPointer = ({ object: type, id }: SiteItem) => ({ type, id })

/** Runs a change, and offers to undo it. */
async function changeWithUndo(
  target: SiteTarget,
  message: string,
  change: () => Promise<unknown>,
  undo: () => Promise<unknown>,
): Promise<void> {
  await change()
  refresh(target)
  const revert = () =>
    undo()
      .then(() => refresh(target))
      .catch(showError)
  showToast(message, { action: { title: texts.undo, onSelect: () => void revert() } })
}

/** Moves an item; `from` is where it was, for Undo. */
export function moveItem(target: SiteTarget, item: SiteItem, to: SitePosition, from: SitePosition): Promise<void> {
  return changeWithUndo(
    target,
    fillText(texts.moved, { title: item.title }),
    () => placeItem(target, item, to, from),
    () => placeItem(target, item, from, to),
  )
}

async function placeItem(
  params: SiteTarget,
  item: SiteItem,
  { parent, before, after }: SitePosition,
  from: SitePosition,
): Promise<void> {
  if (parent?.id !== from.parent?.id) await setParent(params, item, parent?.id ?? null)
  const neighbor = before ?? after
  if (!neighbor) return
  await request('PATCH /orgs/{organizationId}/sites/{siteId}/structure/sort', {
    params,
    body: {
      item: toPointer(item),
      position: before ? { before: toPointer(before) } : { after: toPointer(neighbor) },
    },
  })
}

async function setParent(params: SiteTarget, item: SiteItem, parent: string | null): Promise<void> {
  if (item.object === 'site-section')
    await request('PATCH /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}', {
      params: { ...params, siteSectionId: item.id },
      body: { siteSectionGroupId: parent },
    })
  else if (item.object === 'site-section-group')
    await request('PATCH /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}', {
      params: { ...params, siteSectionGroupId: item.id },
      body: { parentSectionGroupId: parent },
    })
  else if (item.object === 'site-external-link')
    await request('PATCH /orgs/{organizationId}/sites/{siteId}/external-links/{siteExternalLinkId}', {
      params: { ...params, siteExternalLinkId: item.id },
      body: { parent },
    })
}

/** Changes fields of an item, and offers to undo it. */
export function updateItem(target: SiteTarget, item: SiteItem, change: ItemChange): Promise<void> {
  const former = Object.fromEntries(
    Object.keys(change).map((name) => [name, (item as unknown as Record<string, unknown>)[name] ?? null]),
  ) as ItemChange
  return changeWithUndo(
    target,
    fillText(texts.changed, { title: change.title ?? item.title }),
    () => sendUpdate(target, item, change),
    () => sendUpdate(target, item, former),
  )
}

/** Returns the fields that have a value. */
const given = <Fields extends Record<string, unknown>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>

async function sendUpdate(params: SiteTarget, item: SiteItem, change: ItemChange): Promise<void> {
  const { title, path, icon, description, url, condition, draft, hidden } = change
  if (item.object === 'site-space')
    await request('PATCH /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}', {
      params: { ...params, siteSpaceId: item.id },
      body: given({ title, path, condition, draft, hidden }),
    })
  else if (item.object === 'site-section')
    await request('PATCH /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}', {
      params: { ...params, siteSectionId: item.id },
      body: given({ title, path, icon, description, condition, draft }),
    })
  else if (item.object === 'site-section-group')
    await request('PATCH /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}', {
      params: { ...params, siteSectionGroupId: item.id },
      body: given({ title, icon, draft }),
    })
  else
    await request('PATCH /orgs/{organizationId}/sites/{siteId}/external-links/{siteExternalLinkId}', {
      params: { ...params, siteExternalLinkId: item.id },
      body: given({ title, icon, description, url, condition, draft }),
    })
}

/** Shows an item first; `former` was shown first until now. */
export function setDefault(
  target: SiteTarget,
  item: SiteItem,
  section: SiteItem | undefined,
  former: SiteItem | undefined,
): Promise<void> {
  const set = (id: string) => {
    if (item.object === 'site-section') return updateSite(target, { defaultSiteSection: id })
    if (!section) return updateSite(target, { defaultSiteSpace: id })
    return request('PATCH /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}', {
      params: { ...target, siteSectionId: section.id },
      body: { defaultSiteSpace: id },
    })
  }
  return changeWithUndo(
    target,
    fillText(texts.changed, { title: item.title }),
    () => set(item.id),
    () => set(former?.id ?? item.id),
  )
}

const updateSite = (
  params: SiteTarget,
  body: { defaultSiteSpace?: string; defaultSiteSection?: string },
): Promise<Site> => request('PATCH /orgs/{organizationId}/sites/{siteId}', { params, body })

/** Asks, then removes an item. It cannot be undone: the item would get another ID and address. */
export async function removeItem(target: SiteTarget, item: SiteItem): Promise<boolean> {
  const questions = {
    'site-space': texts.removeSpaceText,
    'site-section': texts.removeSpaceText,
    'site-section-group': texts.removeGroupText,
    'site-external-link': texts.removeLinkText,
  }
  const isConfirmed = await confirmAction({
    title: fillText(texts.removeTitle, { title: item.title }),
    text: questions[item.object],
    action: texts.remove,
    isDangerous: true,
  })
  if (!isConfirmed) return false
  await sendRemoval(target, item)
  refresh(target)
  showToast(fillText(texts.removed, { title: item.title }))
  return true
}

async function sendRemoval(params: SiteTarget, { object, id }: SiteItem): Promise<void> {
  if (object === 'site-space')
    await request('DELETE /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}', {
      params: { ...params, siteSpaceId: id },
    })
  else if (object === 'site-section')
    await request('DELETE /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}', {
      params: { ...params, siteSectionId: id },
    })
  else if (object === 'site-section-group')
    await request('DELETE /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}', {
      params: { ...params, siteSectionGroupId: id },
    })
  else
    await request('DELETE /orgs/{organizationId}/sites/{siteId}/external-links/{siteExternalLinkId}', {
      params: { ...params, siteExternalLinkId: id },
    })
}

/** Whether the user may add a space to a site, which needs the same role as Git sync. */
export const canPublishSpace = ({ permissions }: Pick<Space, 'permissions'>): boolean => permissions.triggerGitSync

/** What is added to a site. */
export type Addition =
  | { kind: 'section' | 'variant'; spaceId: string | null; title: string; sectionId?: string | undefined }
  | { kind: 'group'; title: string }
  | { kind: 'link'; title: string; url: string }

/** Adds an item and returns its ID. */
export async function addItem(params: SiteTarget, addition: Addition): Promise<string> {
  const { id } = await sendAddition(params, addition)
  invalidate(`/orgs/${params.organizationId}`)
  return id
}

function sendAddition(params: SiteTarget, addition: Addition): Promise<{ id: string }> {
  const title = addition.title.trim()
  if (addition.kind === 'group')
    return request('POST /orgs/{organizationId}/sites/{siteId}/section-groups', { params, body: { title } })
  if (addition.kind === 'link')
    return request('POST /orgs/{organizationId}/sites/{siteId}/external-links', {
      params,
      body: { title, url: addition.url },
    })
  const { spaceId, sectionId } = addition
  const body = { spaceId, ...(title && { title }) }
  if (addition.kind === 'section')
    return request('POST /orgs/{organizationId}/sites/{siteId}/sections', { params, body })
  return request('POST /orgs/{organizationId}/sites/{siteId}/site-spaces', {
    params,
    body: { ...body, ...(sectionId !== undefined && { sectionId }) },
  })
}

/** Returns whether a site has sections. */
export const hasSections = ({ type }: SiteStructure): boolean => type === 'sections'
