import { loadStructure } from '../../access/sites.ts'
import { accessRulesOf, isShareKey } from '../../access/sites.ts'
import { siteStructure } from '../../contract/site-structure.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { unknownReference } from '../../kernel/errors.ts'
import { implement, withPreparation } from '../../kernel/implement.ts'
import { parseStoredAdaptiveSchema } from '../../publishing/adaptive-schema.ts'
import { buildVisitorClaims } from '../../publishing/claims.ts'
import { type Visitor, Viewpoint, findRefusal } from '../../publishing/visibility.ts'
import type { TemplateServices } from '../templates/apply-template.ts'
import { applySiteTemplate, prepareSiteTemplate } from './apply-site-template.ts'
import { updateSiteAndPresentItem } from './items.ts'
import { getItemPositionFor, itemKindByType, itemKindLabels, itemTypeByKind } from './item-positions.ts'
import * as store from './store.ts'
import { StructureView } from './structure-view.ts'

export const siteStructureRoutes = (services: TemplateServices) =>
  implement(siteStructure, {
    applyTemplateToSite: withPreparation(
      (context: SiteContext) => prepareSiteTemplate(services, context),
      (context, _, templates) => applySiteTemplate(context, templates),
    ),

    async getSiteStructure(context, { query }) {
      return (await StructureView.open(context, query)).presentAll()
    },

    async sortSiteStructure(context, { body }) {
      const { db, site } = context
      const structure = await loadStructure(db, site)
      const kind = itemKindByType[body.item.type]
      const item = structure.get(body.item.id, kind)
      if (!item) throw unknownReference('body.item', itemKindLabels[kind])
      await store.updateItem(db, site, item.id, { position: await getItemPositionFor(context, item, body.position) })
      return updateSiteAndPresentItem(context, item.id, 'moved')
    },

    async explainSiteVisibility(context, { body }) {
      const { db, site } = context
      const structure = await loadStructure(db, site)
      const visitor = await toVisitor(context, body)
      const viewpoint = Viewpoint.of(visitor)
      const refusal = findRefusal(accessRulesOf(site), visitor)
      return {
        enters: refusal === undefined,
        ...(refusal && { reason: refusal }),
        items: [...structure.walk()].map((item) => {
          const { isVisible, isListed, reason, error } = viewpoint.getVisibility(structure.ancestorsAndSelf(item))
          return {
            type: itemTypeByKind[item.kind],
            id: item.id,
            title: item.title,
            visible: refusal === undefined && isVisible,
            listed: refusal === undefined && isListed,
            ...(reason && { reason }),
            ...(error !== undefined && { error }),
          }
        }),
      }
    },
  })

interface VisitorDescription {
  claims: Record<string, unknown>
  unsignedClaims: Record<string, unknown>
  shareKey?: string | undefined
  authenticated: boolean
  draft: boolean
}

/** Builds a visitor from the description in a request. */
async function toVisitor({ db, site }: SiteContext, description: VisitorDescription): Promise<Visitor> {
  const schema = parseStoredAdaptiveSchema(site.adaptive_schema)
  const isAdaptive = site.adaptive_content === 1
  return {
    hasShareLink: description.shareKey !== undefined && (await isShareKey(db, site, description.shareKey)),
    isSignedIn: description.authenticated,
    isPreviewing: description.draft,
    seesDrafts: description.draft,
    claims: isAdaptive
      ? buildVisitorClaims({ signed: description.claims, unsigned: description.unsignedClaims, schema })
      : {},
  }
}
