import { useState } from 'preact/hooks'
import type { Instance, Job } from '../../../contract/operator.ts'
import { request } from '../../api.ts'
import { useList } from '../../data/list.ts'
import { invalidate } from '../../data/query.ts'
import { countText, defineTexts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { ItemList } from '../../ui/item-list.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'

const texts = defineTexts('operatorJobs', {
  title: 'Jobs',
  state: 'Show',
  failed: 'Failed',
  running: 'Running',
  queued: 'Waiting',
  none: 'None',
  attempts: { one: '{count} attempt', other: '{count} attempts' },
  retry: 'Run again',
  retried: 'The job is in the queue.',
})

const states = ['failed', 'running', 'queued'] as const
const tones = { failed: 'danger', running: 'accent', queued: 'neutral' } as const

/** Lists background jobs, and runs failed ones again. */
export function Jobs({ counts }: { counts: Instance['jobs'] }) {
  const [state, setState] = useState<Job['state']>('failed')
  const list = useList('GET /operator/jobs', { query: { state, limit: 50 } })
  return (
    <section class="section">
      <h2>{texts.title}</h2>
      <div class="org-filters">
        <SelectField
          label={texts.state}
          value={state}
          options={states.map((value) => ({ value, title: `${texts[value]} (${counts[value]})` }))}
          onChange={setState}
        />
      </div>
      <ItemList
        list={list}
        keyOf={({ id }) => id}
        empty={<p class="quiet">{texts.none}</p>}
        renderItem={(job) => <JobRow job={job} />}
      />
    </section>
  )
}

function JobRow({ job }: { job: Job }) {
  const { id, name, state, error, attempts, createdAt } = job
  const [retry, isRunning] = useAction(async () => {
    await request('POST /operator/jobs/{jobId}/retry', { params: { jobId: id } })
    invalidate('/operator')
    showToast(texts.retried)
  })
  return (
    <div class="row">
      <Badge tone={tones[state]}>{texts[state]}</Badge>
      <span class="row-title row-title-with-text">
        {name}
        {error !== undefined && <span class="row-text job-error">{error}</span>}
      </span>
      <span class="row-facts">
        <span>{countText(texts.attempts, attempts)}</span>
        <Time at={createdAt} />
      </span>
      {state === 'failed' && (
        <Button isBusy={isRunning} onClick={() => void retry()}>
          {texts.retry}
        </Button>
      )}
    </div>
  )
}
