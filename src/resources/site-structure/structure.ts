import { loadStructure } from '../../access/sites.ts'
import { accessRulesOf, isShareKey } from '../../access/visits.ts'
import { siteStructure } from '../../contract/site-structure.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { unknownReference } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { storedAdaptiveSchema } from '../../publishing/adaptive-schema.ts'
import { visitorClaims } from '../../publishing/claims.ts'
import { type Visitor, Viewpoint, findRefusal } from '../../publishing/visibility.ts'
import { presentChanged } from './items.ts'
import { keyFor, kindOf, nameOf, typeOf } from './places.ts'
import * as store from './store.ts'
import { StructureView } from './view.ts'

export const siteStructureRoutes = implement(siteStructure, {
  async getSiteStructure(context, { query }) {
    return (await StructureView.open(context, query)).all()
  },

  async sortSiteStructure(context, { body }) {
    const { db, site } = context
    const structure = await loadStructure(db, site)
    const kind = kindOf[body.item.type]
    const item = structure.get(body.item.id, kind)
    if (!item) throw unknownReference('body.item', nameOf[kind])
    await store.updateItem(db, site, item.id, { position: await keyFor(context, item, body.position) })
    return presentChanged(context, item.id)
  },

  async explainSiteVisibility(context, { body }) {
    const { db, site } = context
    const structure = await loadStructure(db, site)
    const visitor = await visitorSaid(context, body)
    const viewpoint = Viewpoint.of(visitor)
    const refusal = findRefusal(accessRulesOf(site), visitor)
    return {
      enters: refusal === undefined,
      ...(refusal && { reason: refusal }),
      items: [...structure.walk()].map((item) => {
        const { isVisible, isListed, reason, error } = viewpoint.see(structure.chainOf(item))
        return {
          type: typeOf[item.kind],
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

interface SaidVisitor {
  claims: Record<string, unknown>
  unsignedClaims: Record<string, unknown>
  shareKey?: string | undefined
  authenticated: boolean
  draft: boolean
}

/** Builds a visitor from the description in a request. */
async function visitorSaid({ db, site }: SiteContext, said: SaidVisitor): Promise<Visitor> {
  const schema = storedAdaptiveSchema(site.adaptive_schema)
  const isAdaptive = site.adaptive_content === 1
  return {
    hasShareLink: said.shareKey !== undefined && (await isShareKey(db, site, said.shareKey)),
    isSignedIn: said.authenticated,
    isPreviewing: said.draft,
    seesDrafts: said.draft,
    claims: isAdaptive ? visitorClaims({ signed: said.claims, unsigned: said.unsignedClaims, schema }) : {},
  }
}
