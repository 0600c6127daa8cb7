import { useEffect, useState } from 'preact/hooks'
import type { RevisionPageDocument } from '../../../contract/revision.ts'
import { requestContent, useContentQuery } from '../../data/content-place.ts'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import { parseClaims, readVisitorClaims } from '../../screens/view-as/visitor-claims.ts'
import { showError } from '../../ui/toasts.tsx'
import type { VisualEditorModel } from '../use-visual-editor.ts'
import { type IsTrue, showAsVisitor } from './hidden-blocks.ts'

const emptyDocument = { document: { object: 'document', data: { schemaVersion: 1 }, nodes: [] } }

/** Dims content that the visitor in the address does not see; returns whether the page is hidden from the visitor. */
export function useVisitor(
  { getView }: VisualEditorModel,
  place: PagePlace,
  page: RevisionPageDocument | undefined,
): boolean {
  const claims = readVisitorClaims()
  const { data } = useContentQuery(claims === undefined ? undefined : 'GET /spaces/{spaceId}/content/variables', place)
  const [isTrue, setIsTrue] = useState<{ check: IsTrue }>()
  const [isHidden, setHidden] = useState(false)
  useEffect(() => {
    if (claims === undefined) return setHidden(false)
    const aborted = new AbortController()
    // The server also evaluates the conditions of the pages above.
    const body = { document: emptyDocument, page: place.pageId, visitorClaims: claims }
    requestContent('POST /spaces/{spaceId}/content/html', place, { body }, aborted.signal).then(
      ({ isVisible }) => setHidden(isVisible === false),
      (error: unknown) => aborted.signal.aborted || showError(error),
    )
    return () => aborted.abort()
  }, [claims])
  useEffect(() => {
    let isCurrent = true
    const visitorClaims = parseClaims(claims ?? '')
    if (!visitorClaims || !data) setIsTrue(undefined)
    else
      // The expression engine is loaded on first use.
      void import('./evaluate-conditions.ts').then(({ createConditionCheck }) => {
        const spaceVariables = Object.fromEntries(data.variables.map(({ name, value }) => [name, value]))
        const check = createConditionCheck({ visitorClaims, spaceVariables, pageVariables: page?.variables })
        if (isCurrent) setIsTrue({ check })
      }, showError)
    return () => {
      isCurrent = false
    }
  }, [claims, data])
  useEffect(() => {
    const view = getView()
    if (view) showAsVisitor(view, isTrue?.check)
  }, [isTrue])
  return isHidden
}
