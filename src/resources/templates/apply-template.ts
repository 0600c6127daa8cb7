import type { ContentRef } from '../../content/document/nodes.ts'
import { copyTree } from '../../content/repository/copy.ts'
import { type Tree, openTree } from '../../content/revision/tree.ts'
import type { TemplateUse } from '../../contract/template.ts'
import { type FileServices, type StoredFile, storeFiles, withChargedQuota } from '../../domain/files/store-file.ts'
import { parseTemplateRefs, resolveReplacedRefs } from '../../domain/templates/content-refs.ts'
import { findTemplate } from '../../domain/templates/template-store.ts'
import { baseName } from '../../content/repository/paths.ts'
import type { MemberContext, SpaceContext } from '../../kernel/context.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { unknownReference } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { addContent } from '../content/add-content.ts'
import { startRun } from '../imports/start.ts'
import type { BuiltInTemplate, BuiltInTemplates } from './built-in-templates.ts'

/** Maximum number of pages of a template that is copied within a request; larger templates are copied by an import. */
const maxPagesInRequest = 200

export interface TemplateServices extends FileServices {
  templates: BuiltInTemplates
}

/** A built-in template whose files are stored. */
interface PreparedTemplate {
  template: BuiltInTemplate
  tree: Tree
  /** The stored files, by their paths in the folder of the template. */
  files: ReadonlyMap<string, StoredFile>
}

/** A template that a request names. */
export interface RequestedTemplate {
  use: TemplateUse
  /** Path of the template in the body of the request. */
  field: string
  /** The built-in template with the id; undefined if the id is that of a template of an organization. */
  builtIn: PreparedTemplate | undefined
}

/** Prepares a template before the transaction that applies it: stores the files of a built-in template. */
export async function prepareTemplate(
  services: TemplateServices,
  organizationId: string,
  use: TemplateUse,
  field = 'body.template',
): Promise<RequestedTemplate> {
  const template = await services.templates.find(use.id)
  if (!template) return { use, field, builtIn: undefined }
  resolveReplacedRefs(template.contentRefs, use, field)
  const assets = [...template.assets]
  const stored = await storeFiles(
    withChargedQuota(services, organizationId),
    assets.map(([path, bytes]) => ({ name: baseName(path), declared: undefined, bytes })),
  )
  const files = new Map(assets.map(([path], index) => [path, stored[index] as StoredFile]))
  return { use, field, builtIn: { template, tree: await services.templates.openTree(template), files } }
}

/** A template that can be copied. */
export interface OpenTemplate {
  use: TemplateUse
  title: string
  emoji: string
  pages: number
  tree: Tree
  /** Hash of the root, if the content belongs to the organization of the caller. */
  rootHash?: string
  replacedRefs: ReadonlyMap<string, ContentRef>
  files?: ReadonlyMap<string, StoredFile>
}

/** Opens a template; fails if it does not exist or if the caller may not use it. */
export async function openTemplate(
  { db, viewer, openObjects }: Pick<MemberContext, 'db' | 'viewer' | 'openObjects'>,
  { use, field, builtIn }: RequestedTemplate,
): Promise<OpenTemplate> {
  if (builtIn) {
    const { template, tree, files } = builtIn
    const { title, emoji, pages, contentRefs } = template
    return { use, title, emoji, pages, tree, files, replacedRefs: resolveReplacedRefs(contentRefs, use, field) }
  }
  const { organizationId, role } = viewer
  // Guests see only what was shared with them, and templates are not shared.
  const row = role === null ? undefined : await findTemplate(db, organizationId, use.id)
  if (!row) throw unknownReference(`${field}.id`, 'template')
  const { title, emoji, pages, root_hash: rootHash } = row
  const tree = await openTree(openObjects(db, organizationId), rootHash)
  return { use, title, emoji, pages, tree, rootHash, replacedRefs: resolveReplacedRefs(parseTemplateRefs(row), use, field) }
}

/** Adds the pages of a template to a space, or to a change request of it. The space must be locked. */
export async function applyTemplate(
  context: SpaceContext,
  requested: RequestedTemplate,
  request: Row<'change_requests'> | undefined,
): Promise<void> {
  const template = await openTemplate(context, requested)
  if (isLarge(template)) return startTemplateImport(context, template, request?.id)
  const root = await copyTemplate(context, template)
  await addContent(context, { request, roots: [root], replacesFirstPage: true })
}

/** Returns the root of a new space with the content of a template; undefined if an import has to copy the content. */
export async function writeTemplateRoot(context: MemberContext, template: OpenTemplate): Promise<string | undefined> {
  // Content is immutable, so the space can refer to the same objects if nothing is replaced.
  if (template.rootHash !== undefined && template.replacedRefs.size === 0) return template.rootHash
  return isLarge(template) ? undefined : copyTemplate(context, template)
}

/** Starts an import that copies a template of the organization. */
export async function startTemplateImport(
  context: SpaceContext,
  { use }: OpenTemplate,
  changeRequest?: string,
): Promise<void> {
  await startRun(context, { source: { type: 'template', use }, changeRequest })
}

/** Whether a template has to be copied by an import. Built-in templates are small. */
const isLarge = ({ pages, rootHash }: OpenTemplate): boolean => rootHash !== undefined && pages > maxPagesInRequest

async function copyTemplate(
  { db, viewer, openObjects, newId, now }: MemberContext,
  { tree, files, replacedRefs }: OpenTemplate,
): Promise<string> {
  const objects = openObjects(db, viewer.organizationId)
  const root = await copyTree(tree, objects, {
    newId,
    now: now(),
    replacedRefs,
    yieldIfDue: createYielder(),
    ...(files && { changeFile: (file) => files.get(file.blob) ?? file }),
  })
  await objects.flush()
  return root
}
