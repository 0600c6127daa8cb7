import { useEffect, useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { RenderedDocument } from '../../../contract/rendered.ts'
import type { DocumentBody } from '../../../contract/document.ts'
import { request } from '../../api.ts'
import { RenderedContent } from '../../ui/rendered-content.tsx'
import { describeError } from '../../ui/states.tsx'
import { paramsOf } from './use-change-request.ts'

/** Rendered texts by their source, oldest first, because a screen requests the same texts again whenever it changes. */
const cache = new Map<string, Promise<RenderedDocument>>()
const maxCached = 200

function renderText(changeRequest: ChangeRequest, body: DocumentBody): Promise<RenderedDocument> {
  const key = `${changeRequest.id} ${JSON.stringify(body)}`
  const found = cache.get(key)
  if (found) return found
  const rendering = request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/content/html', {
    params: paramsOf(changeRequest),
    body: { document: body },
  })
  rendering.catch(() => cache.delete(key))
  cache.set(key, rendering)
  const [oldest] = cache.keys()
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
  return rendering
}

interface RenderedTextProps {
  changeRequest: ChangeRequest
  body: DocumentBody
}

/** Shows Markdown or a document as readers of a page would see it. */
export function RenderedText({ changeRequest, body }: RenderedTextProps) {
  const [shown, setShown] = useState<RenderedDocument | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const key = JSON.stringify(body)
  useEffect(() => {
    let isCurrent = true
    renderText(changeRequest, body).then(
      (document) => isCurrent && setShown(document),
      (error: unknown) => isCurrent && setProblem(describeError(error)),
    )
    return () => void (isCurrent = false)
  }, [changeRequest.id, key])
  if (shown) return <RenderedContent class="cr-text" page={shown} />
  // While it is loading or after a failure, the source is shown.
  return <p class="cr-text">{problem === undefined ? body.markdown : `${body.markdown ?? ''} (${problem})`}</p>
}
