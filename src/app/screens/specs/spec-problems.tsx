import type { OpenAPISpec } from '../../../contract/openapi-spec.ts'
import { countText } from '../../texts.ts'
import { ProgressHead } from '../new-space/progress.tsx'
import { splitProblem } from './split-problem.ts'
import { specTexts as texts } from './spec-texts.ts'

/** Shows why the last source is not live, or warnings about it, with line and path. */
export function SpecProblems({ spec }: { spec: OpenAPISpec }) {
  const { lastProcessErrorCode: code, lastProcessedErrorCount: count, lastProcessedErrors: errors = [] } = spec
  if (spec.processingState !== 'complete' || (code === undefined && count === 0)) return null
  return (
    <ProgressHead
      icon={code === undefined ? 'info' : 'circle-x'}
      title={code === undefined ? texts.warningsTitle : texts.failedTitle}
    >
      {code === undefined ? <p>{texts.warningsHint}</p> : <p role="alert">{texts[code]}</p>}
      {code !== undefined && (
        <p class="quiet">{spec.lastVersion === undefined ? texts.noVersionYet : texts.keptVersion}</p>
      )}
      <ul class="problem-list" aria-label={countText(texts.problems, count)}>
        {errors.map(({ message }, index) => {
          const { place, text } = splitProblem(message)
          return (
            <li key={index}>
              {place !== undefined && <code>{place}</code>} {text}
            </li>
          )
        })}
      </ul>
      {count > errors.length && <p class="quiet">{countText(texts.moreProblems, count - errors.length)}</p>}
    </ProgressHead>
  )
}
