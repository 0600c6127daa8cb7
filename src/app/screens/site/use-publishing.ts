import type { Site } from '../../../contract/site.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { confirmAction } from '../../ui/confirm.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { overviewTexts as texts } from './overview/overview-texts.ts'

/** Returns a function that publishes a site, or unpublishes it after confirmation, and whether it is running. */
export function usePublishing(organizationId: string, { id: siteId, title, published }: Site) {
  return useAction(async () => {
    const params = { organizationId, siteId }
    if (published) {
      const question = { text: texts.unpublishText, action: texts.unpublish, isDangerous: true }
      if (!(await confirmAction({ ...question, title: fillText(texts.unpublishTitle, { title }) }))) return
      await request('POST /orgs/{organizationId}/sites/{siteId}/unpublish', { params })
    } else await request('POST /orgs/{organizationId}/sites/{siteId}/publish', { params })
    invalidate(`/orgs/${organizationId}/sites`)
    showToast(published ? texts.unpublishedNow : texts.publishedNow)
  })
}
