import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError, request } from '../../../api.ts'
import type { Draft } from './use-draft.ts'

/** Delay between the last change and a new preview, in milliseconds. */
const previewDelay = 300

/** Interval at which a new preview is created, in milliseconds, because previews expire after an hour. */
const renewalInterval = 50 * 60_000

interface Preview {
  /** Path of the preview on this server. */
  base: string | undefined
  /** Reason why the changes cannot be shown. */
  error: ApiError | undefined
}

/**
 * Returns a preview of unsaved changes, which is created again when they, or the saved settings (`version`), change. Without the
 * IDs of a site, none is created.
 */
export function usePreview(
  params: { organizationId: string; siteId: string } | undefined,
  draft: Draft,
  version: string | undefined,
): Preview {
  const preview = useSignal<Preview>({ base: undefined, error: undefined })
  const isAllowed = params !== undefined
  useEffect(() => {
    if (!params) return undefined
    let isCurrent = true
    const load = async () => {
      try {
        const { url } = await request('POST /orgs/{organizationId}/sites/{siteId}/customization/previews', {
          params,
          body: {
            changes: draft.site,
            siteSpaces: draft.spaces,
          },
        })
        // Only the path is used, because the app may have been opened at another hostname of the server.
        if (isCurrent) preview.value = { base: new URL(url).pathname, error: undefined }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (isCurrent) preview.value = { ...preview.value, error }
      }
    }
    const timer = setTimeout(() => void load(), preview.value.base === undefined ? 0 : previewDelay)
    const renewal = setInterval(() => void load(), renewalInterval)
    return () => {
      isCurrent = false
      clearTimeout(timer)
      clearInterval(renewal)
    }
  }, [draft, version, isAllowed])
  return preview.value
}
