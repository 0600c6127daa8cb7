import { type Embed, embeds } from '../../contract/embeds.ts'
import { type EmbedCaller, type Embeds, toEmbedUrl } from '../../domain/embeds/embeds.ts'
import { findFirstOrganizationId } from '../../domain/members/member-store.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { presentEmbed } from './present.ts'

/** Handlers for embeds of URLs. */
export const embedRoutes = (services: { embeds: Embeds }) => {
  const resolve = async (organizationId: string | undefined, caller: EmbedCaller, address: string): Promise<Embed> => {
    const url = toEmbedUrl(address)
    if (url === undefined)
      throw invalid('query.url', 'must be an absolute http or https URL without a user name or password')
    const data = await services.embeds.resolve(organizationId, caller, url)
    if (!data) throw notFound('page or file at this URL')
    return presentEmbed(url, data)
  }

  return implement(embeds, {
    async getEmbedByUrl({ db, principal }, { query }) {
      const { id } = principal.user
      const organizationId = await findFirstOrganizationId(db, id, principal.reach)
      return resolve(organizationId, { name: id, isTrusted: organizationId !== undefined }, query.url)
    },

    getEmbedByUrlInSpace({ space, viewer, site }, { query }) {
      // Visitors have no identity by which requests could be limited, so all visitors of a site share one limit.
      const caller = viewer
        ? { name: viewer.userId, isTrusted: true }
        : { name: `site ${site?.id ?? space.id}`, isTrusted: false }
      return resolve(space.organization_id, caller, query.url)
    },
  })
}
