import { useEffect, useRef, useState } from 'preact/hooks'
import type { RenderedDocument } from '../../../contract/rendered.ts'
import { ApiError } from '../../api.ts'
import { requestContent } from '../../data/content-place.ts'
import { fillText } from '../../texts.ts'
import { RenderedContent } from '../../ui/rendered-content.tsx'
import { Loading, describeError } from '../../ui/states.tsx'
import { readVisitorClaims } from '../view-as/visitor-claims.ts'
import { editTexts as texts } from './edit-texts.ts'
import type { PagePlace } from './page-text.ts'

/** Delay between the last change and the request for the preview, in milliseconds. */
const previewDelay = 300

interface PreviewProps {
  place: PagePlace
  markdown: string
  /** Position of the cursor in the text, from 0 to 1. */
  position: number
  /** Called with whether the visitor of the preview sees the page. */
  onVisibility: (isVisible: boolean) => void
}

/** Shows the page as readers will see it. */
export function Preview({ place, markdown, position, onVisibility }: PreviewProps) {
  const claims = readVisitorClaims()
  const { spaceId, changeRequestId, pageId, kind } = place
  const [rendered, setRendered] = useState<RenderedDocument>()
  const [error, setError] = useState<ApiError>()
  const [attempt, setAttempt] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const aborted = new AbortController()
    const read = async () => {
      try {
        const body = { document: { markdown }, visitorClaims: claims, ...(kind === 'page' && { page: pageId }) }
        const reply = await requestContent('POST /spaces/{spaceId}/content/html', place, { body }, aborted.signal)
        setRendered(reply)
        onVisibility(reply.isVisible !== false)
        setError(undefined)
      } catch (thrown) {
        if (!aborted.signal.aborted && thrown instanceof ApiError) setError(thrown)
      }
    }
    const timer = setTimeout(() => void read(), rendered ? previewDelay : 0)
    return () => {
      clearTimeout(timer)
      aborted.abort()
    }
  }, [spaceId, changeRequestId, pageId, markdown, claims, attempt])
  useEffect(() => {
    const element = scroller.current
    if (element) element.scrollTop = position * (element.scrollHeight - element.clientHeight)
  }, [position])
  return (
    <div ref={scroller} class="edit-preview" role="region" aria-label={texts.preview} tabIndex={0}>
      {error && error.status !== 0 && (
        <p class="edit-preview-error" role="status">
          {fillText(texts.previewFailed, { reason: describeError(error) })}
        </p>
      )}
      {rendered ? (
        <RenderedContent page={rendered} onIncomplete={() => setAttempt((count) => count + 1)} />
      ) : (
        !error && <Loading lines={8} />
      )}
    </div>
  )
}
