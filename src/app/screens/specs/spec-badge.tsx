import type { OpenAPISpec } from '../../../contract/openapi-spec.ts'
import { Badge } from '../../ui/badge.tsx'
import { specTexts as texts } from './spec-texts.ts'

/** Shows whether a specification is live. */
export function SpecBadge({ spec }: { spec: OpenAPISpec }) {
  if (spec.processingState !== 'complete') return <Badge icon="progress">{texts[spec.processingState]}</Badge>
  if (spec.lastProcessErrorCode !== undefined)
    return (
      <Badge tone="danger" icon="x">
        {texts.failed}
      </Badge>
    )
  return (
    <Badge tone="success" icon="check">
      {texts.complete}
    </Badge>
  )
}
