import type { AuditEvent } from '../../../contract/audit.ts'
import { useQuery } from '../../data/query.ts'
import { setQuery } from '../../router.ts'
import { defineTexts, language } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fact, FactList } from '../../ui/facts.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { nameAction, nameTarget } from './audit-names.ts'

const texts = defineTexts('auditDetails', {
  when: 'When',
  who: 'Who',
  what: 'About',
  from: 'From',
  client: 'Program',
  before: 'Before',
  after: 'After',
  onlyThisPerson: 'Only events of this person',
})

interface AuditDetailsProps {
  organizationId: string
  event: AuditEvent
  actor: string
  onClose: () => void
}

/** Shows an event of the audit log with the changed values. */
export function AuditDetails({ organizationId, event, actor, onClose }: AuditDetailsProps) {
  const { data, error, reload } = useQuery('GET /orgs/{organizationId}/audit-events/{auditEventId}', {
    params: { organizationId, auditEventId: event.id },
  })
  const payload = data?.payload
  return (
    <Dialog
      isWide
      title={nameAction(event.action)}
      onClose={onClose}
      actions={
        event.actor.type === 'user' && (
          <Button
            icon="filter"
            onClick={() => {
              setQuery('actor', event.actor.id)
              onClose()
            }}
          >
            {texts.onlyThisPerson}
          </Button>
        )
      }
    >
      <FactList>
        <Fact name={texts.when}>{new Date(event.occurredAt).toLocaleString(language.value)}</Fact>
        <Fact name={texts.who}>{[actor, payload?.actor.email].filter(Boolean).join(', ')}</Fact>
        <Fact name={texts.what}>{`${event.target.label ?? ''} (${nameTarget(event.target)} ${event.target.id})`}</Fact>
        {payload?.client && <Fact name={texts.from}>{payload.client.address}</Fact>}
        {payload?.client?.userAgent !== undefined && <Fact name={texts.client}>{payload.client.userAgent}</Fact>}
      </FactList>
      {!data && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={2} />)}
      <Values title={texts.before} values={payload?.before} />
      <Values title={texts.after} values={payload?.after} />
    </Dialog>
  )
}

function Values({ title, values }: { title: string; values: Record<string, unknown> | undefined }) {
  if (!values || Object.keys(values).length === 0) return null
  return (
    <section class="access-section">
      <h3>{title}</h3>
      <FactList>
        {Object.entries(values).map(([name, value]) => (
          <Fact key={name} name={name}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Fact>
        ))}
      </FactList>
    </section>
  )
}
