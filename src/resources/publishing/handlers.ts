import { sitePublishing } from '../../contract/publishing.ts'
import { implement } from '../../kernel/implement.ts'
import { readAuth, regenerateAuth, updateAuth } from './auth.ts'
import { createPreviewUrl } from './preview.ts'

export const sitePublishingRoutes = implement(sitePublishing, {
  getSitePublishingAuthById: (context) => readAuth(context),

  updateSitePublishingAuthById: (context, { body }) => updateAuth(context, body),

  regenerateSitePublishingAuthById: regenerateAuth,

  getSitePublishingPreviewById: async (context, { query }) => ({ url: await createPreviewUrl(context, query) }),
})
