import { useEffect, useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import { ApiError } from '../../api.ts'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { PageEditor } from './page-editor.tsx'
import { type PagePlace, type PageText, readPageText } from './page-text.ts'

interface PageLoaderProps extends Pick<PagePlace, 'pageId' | 'kind'> {
  changeRequest: ChangeRequest
  organizationId: string
}

/** Reads the text of a page once; after that, the editor has it. */
export function PageLoader({ changeRequest, organizationId, pageId, kind }: PageLoaderProps) {
  const [text, setText] = useState<PageText>()
  const [error, setError] = useState<ApiError>()
  const place: PagePlace = { spaceId: changeRequest.space, changeRequestId: changeRequest.id, pageId, kind }
  const load = () => {
    setError(undefined)
    readPageText(place).then(setText, (thrown: ApiError) => setError(thrown))
  }
  useEffect(load, [])
  if (error) return <ErrorState error={error} onRetry={load} />
  if (!text) return <Loading lines={8} />
  return <PageEditor changeRequest={changeRequest} organizationId={organizationId} place={place} initial={text} />
}
