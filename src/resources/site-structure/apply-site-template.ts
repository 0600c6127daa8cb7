import { requireRole } from '../../access/authorize.ts'
import { loadStructure } from '../../access/sites.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { type RequestedTemplate, type TemplateServices, prepareTemplate } from '../templates/apply-template.ts'
import { getOrCreateSpaceForSite } from './items.ts'
import { addSection } from './sections.ts'

/** A section of the template of a site. */
interface SectionTemplate {
  /** ID of the built-in template of its space. */
  template: string
  title: string
  icon: string
  /** Templates whose spaces replace references of this one, by the name of the reference. */
  refs: Record<string, string>
}

/** The sections in the order in which the site shows them. */
const sectionTemplates: readonly SectionTemplate[] = [
  {
    template: 'product-docs',
    title: 'Documentation',
    icon: 'book-open',
    refs: { api: 'api-docs', support: 'help-center' },
  },
  { template: 'api-docs', title: 'API', icon: 'code', refs: { support: 'help-center' } },
  { template: 'help-center', title: 'Help center', icon: 'circle-question', refs: {} },
  {
    template: 'changelog',
    title: 'Changelog',
    icon: 'bullhorn',
    refs: { documentation: 'product-docs', support: 'help-center' },
  },
]

/** The order in which spaces are created: each after those that it refers to. */
const creationOrder = ['help-center', 'api-docs', 'product-docs', 'changelog'] as const

/** Prepares the templates of a site, before the transaction that applies them. */
export async function prepareSiteTemplate(
  services: TemplateServices,
  context: SiteContext,
): Promise<Map<string, RequestedTemplate>> {
  await checkApplicable(context)
  const templates = new Map<string, RequestedTemplate>()
  for (const { template: id } of sectionTemplates)
    templates.set(id, await prepareTemplate(services, context.organization.id, { id }))
  return templates
}

/** Adds the sections of the template to an empty site, each with a new space. */
export async function applySiteTemplate(
  context: SiteContext,
  templates: ReadonlyMap<string, RequestedTemplate>,
): Promise<void> {
  await checkApplicable(context)
  const spaces = new Map<string, Row<'spaces'>>()
  for (const id of creationOrder) {
    const requested = templates.get(id) as RequestedTemplate
    const refs = sectionTemplates.find(({ template }) => template === id)?.refs ?? {}
    const contentRefs = Object.fromEntries(
      Object.entries(refs).map(([name, target]) => [
        name,
        { kind: 'space' as const, space: (spaces.get(target) as Row<'spaces'>).id },
      ]),
    )
    const template = { ...requested, use: { id, params: { contentRefs } } }
    spaces.set(id, await getOrCreateSpaceForSite(context, null, { template }))
  }
  for (const { template, title, icon } of sectionTemplates)
    await addSection(context, spaces.get(template) as Row<'spaces'>, { title, icon })
  await updateSite(context, context.site)
  await recordEventAbout(context, 'site', context.site, 'site.structure-update', {
    after: { change: 'template applied', sections: sectionTemplates.map(({ title }) => title) },
  })
}

/** Fails if the site is not empty, or if the caller may not create spaces. */
async function checkApplicable({ db, site, role }: SiteContext): Promise<void> {
  requireRole('organization', 'createContent', role)
  const { items } = await loadStructure(db, site)
  if (items.size > 0) throw conflict('The site is not empty. Remove its sections, spaces and links first')
}
