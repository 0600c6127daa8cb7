import type { Site, SiteStructure } from '../../../../contract/site.ts'
import type { Space } from '../../../../contract/space.ts'
import { request } from '../../../api.ts'
import { invalidate } from '../../../data/query.ts'
import { fillText } from '../../../texts.ts'
import { confirmAction } from '../../../ui/confirm.ts'
import type { OptimisticChange } from '../../../ui/use-optimistic.ts'
import type { Addition, ItemChange, SiteItem, SiteNode, SitePosition } from './site-tree.ts'
import { structureTexts as texts } from './structure-texts.ts'
import { withChangedNode, withDefaultNode, withMovedNode } from './tree-edits.ts'

/** The site whose structure is changed. */
export interface SiteTarget {
  organizationId: string
  siteId: string
}

const toPointer = ({ object: type, id }: SiteItem) => ({ type, id })

/** A change of the structure with the change that undoes it. */
export interface StructureChange {
  /** Describes the change in the message that offers to undo it. */
  message: string
  edit: OptimisticChange<readonly SiteNode[]>
  undo: OptimisticChange<readonly SiteNode[]>
}

/** Moves an item; `from` is its previous position. */
export function moveItem(target: SiteTarget, item: SiteItem, to: SitePosition, from: SitePosition): StructureChange {
  const place = (end: SitePosition, start: SitePosition) => ({
    apply: (nodes: readonly SiteNode[]) => withMovedNode(nodes, item, end),
    send: () => placeItem(target, item, end, start),
  })
  return { message: fillText(texts.moved, { title: item.title }), edit: place(to, from), undo: place(from, to) }
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

/** Changes fields of an item. */
export function updateItem(target: SiteTarget, item: SiteItem, change: ItemChange): StructureChange {
  const former = Object.fromEntries(
    Object.keys(change).map((name) => [name, (item as unknown as Record<string, unknown>)[name] ?? null]),
  ) as ItemChange
  const set = (fields: ItemChange) => ({
    apply: (nodes: readonly SiteNode[]) => withChangedNode(nodes, item, fields),
    send: () => sendUpdate(target, item, fields),
  })
  const message = fillText(texts.changed, { title: change.title ?? item.title })
  return { message, edit: set(change), undo: set(former) }
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

/** Makes an item the default among its siblings. */
export function setDefault(
  target: SiteTarget,
  item: SiteItem,
  section: SiteItem | undefined,
  rivals: readonly SiteItem[],
): StructureChange {
  const send = (id: string) => {
    if (item.object === 'site-section') return updateSite(target, { defaultSiteSection: id })
    if (!section) return updateSite(target, { defaultSiteSpace: id })
    return request('PATCH /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}', {
      params: { ...target, siteSectionId: section.id },
      body: { defaultSiteSpace: id },
    })
  }
  const set = (chosen: SiteItem) => ({
    apply: (nodes: readonly SiteNode[]) => withDefaultNode(nodes, chosen, rivals),
    send: () => send(chosen.id),
  })
  const former = rivals.find((rival) => 'default' in rival && rival.default) ?? item
  return { message: fillText(texts.changed, { title: item.title }), edit: set(item), undo: set(former) }
}

const updateSite = (
  params: SiteTarget,
  body: { defaultSiteSpace?: string; defaultSiteSection?: string },
): Promise<Site> => request('PATCH /orgs/{organizationId}/sites/{siteId}', { params, body })

/** Asks for confirmation before an item is removed. This cannot be undone, because the item would get another ID and address. */
export function confirmRemoval(item: SiteItem): Promise<boolean> {
  const questions = {
    'site-space': texts.removeSpaceText,
    'site-section': texts.removeSpaceText,
    'site-section-group': texts.removeGroupText,
    'site-external-link': texts.removeLinkText,
  }
  return confirmAction({
    title: fillText(texts.removeTitle, { title: item.title }),
    text: questions[item.object],
    action: texts.remove,
    isDangerous: true,
  })
}

export async function removeItem(params: SiteTarget, { object, id }: SiteItem): Promise<void> {
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
