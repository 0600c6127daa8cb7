import { findSpace, requireRole } from '../../access/authorize.ts'
import { countSequence } from '../../content/revision/sequence.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { TemplateRef } from '../../contract/template.ts'
import { templates } from '../../contract/templates.ts'
import { getEditableChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { sweepUnusedObjects } from '../../domain/revisions/remove-unused-objects.ts'
import { getRevisionContent } from '../../domain/revisions/revisions.ts'
import { checkRefLength } from '../../domain/templates/content-refs.ts'
import * as store from '../../domain/templates/template-store.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict, invalid, notFound, unknownReference } from '../../kernel/errors.ts'
import { type OperationInput, implement, withPreparation } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import { streamTableOfContents } from '../content/stream.ts'
import { type TemplateServices, applyTemplate, prepareTemplate } from './apply-template.ts'
import { presentBuiltInTemplate, presentTemplate } from './present.ts'

type ApplyInput = OperationInput<(typeof templates)['applyTemplateToSpace']>

export const templateRoutes = (services: TemplateServices) =>
  implement(templates, {
    async listTemplates({ urls }, { query }) {
      const [after = ''] = decodeCursor(query.page, 1) ?? []
      const all = await services.templates.list()
      return toPage(
        all.filter(({ id }) => id > after),
        query,
        all.length,
        ({ id }) => [id],
        (template) => presentBuiltInTemplate(template, urls),
      )
    },

    async getTemplateById({ urls }, { params }) {
      const template = await services.templates.find(params.templateId)
      if (!template) throw notFound('template')
      return presentBuiltInTemplate(template, urls)
    },

    async listTemplatePages(_, { params }) {
      const template = await services.templates.find(params.templateId)
      if (!template) throw notFound('template')
      return streamTableOfContents(`template ${template.id}`, await services.templates.openTree(template))
    },

    applyTemplateToSpace: withPreparation(
      async (context: SpaceContext, { body }: ApplyInput) => {
        await findTarget(context, body.changeRequestId)
        return prepareTemplate(services, context.space.organization_id, body, 'body')
      },
      async (context, { body }, requested) => {
        await lockSpace(context.db, context.space)
        await applyTemplate(context, requested, await findTarget(context, body.changeRequestId))
      },
    ),

    async listTemplatesInOrganization({ db, organization, urls }, { query }) {
      const after = decodeCursor(query.page, 1)
      return toPage(
        await store.findTemplates(db, organization.id, { after, limit: query.limit }),
        query,
        await store.countTemplates(db, organization.id),
        (row) => [row.id],
        (row) => presentTemplate(row, urls),
      )
    },

    async createTemplateInOrganization(context, { body }) {
      const { db, organization, principal, urls, newId, now } = context
      const found = await findSpace(db, principal.user.id, body.space)
      if (found?.space.organization_id !== organization.id) throw unknownReference('body.space', 'space')
      requireRole('space', 'admin', found.role)
      checkRefs(body.contentRefs)
      const { space } = found
      const { tree, objects, revision } = await getRevisionContent(context, space, space.revision_id)
      const row = await store.insertTemplate(db, {
        organization_id: organization.id,
        id: newId(),
        title: body.title ?? space.title,
        subtitle: body.subtitle,
        emoji: body.emoji ?? space.emoji,
        features: JSON.stringify(body.features),
        content_refs: JSON.stringify(body.contentRefs),
        root_hash: revision.root_hash,
        pages: await countSequence(objects, tree.root.parents),
        created_by: principal.user.id,
        created_at: now(),
      })
      await recordEventAbout(context, 'template', row, 'template.create', { after: { space: space.id } })
      return presentTemplate(row, urls)
    },

    async getTemplateInOrganization({ db, organization, urls }, { params }) {
      const row = await store.findTemplate(db, organization.id, params.templateId)
      if (!row) throw notFound('template')
      return presentTemplate(row, urls)
    },

    async listTemplatePagesInOrganization({ db, organization, openObjects }, { params }) {
      const row = await store.findTemplate(db, organization.id, params.templateId)
      if (!row) throw notFound('template')
      return streamTableOfContents(row.root_hash, await openTree(openObjects(db, organization.id), row.root_hash))
    },

    async deleteTemplateInOrganization(context, { params }) {
      const { db, organization, enqueue } = context
      const template = await store.findTemplate(db, organization.id, params.templateId)
      if (!template) return
      await store.deleteTemplate(db, organization.id, template.id)
      await enqueue(db, sweepUnusedObjects, { organizationId: organization.id })
      await recordEventAbout(context, 'template', template, 'template.delete')
    },
  })

/** Returns the change request that a template is applied to; undefined for the space itself, which must not be locked. */
async function findTarget(context: SpaceContext, changeRequestId: string | undefined) {
  if (changeRequestId !== undefined) return getEditableChangeRequest(context, changeRequestId)
  if (context.space.edit_mode === 'locked')
    throw conflict('The space is locked. Apply the template to a change request instead')
  return undefined
}

/** Fails if two references have the same name, or if one is too long. */
function checkRefs(refs: readonly TemplateRef[]): void {
  const names = new Set<string>()
  for (const [index, { name, ref }] of refs.entries()) {
    checkRefLength(ref, `body.contentRefs.${index}.ref`)
    if (names.has(name)) throw invalid(`body.contentRefs.${index}.name`, 'is used by another reference')
    names.add(name)
  }
}
