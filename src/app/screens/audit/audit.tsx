import { useState } from 'preact/hooks'
import type { AuditEvent } from '../../../contract/audit.ts'
import { request } from '../../api.ts'
import { useList } from '../../data/list.ts'
import { address, setQuery } from '../../router.ts'
import { defineTexts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMedia } from '../../ui/use-media.ts'
import { WindowedList } from '../../ui/windowed-list.tsx'
import { type Chosen, PeoplePicker } from '../organization/people-picker.tsx'
import { SettingsFrame } from '../organization/settings-frame.tsx'
import { AuditDetails } from './audit-details.tsx'
import { listActions, nameAction } from './audit-names.ts'

const texts = defineTexts('audit', {
  title: 'Audit log',
  action: 'Action',
  anyAction: 'All actions',
  who: 'Who',
  anyone: 'Everyone',
  onePerson: 'One person',
  choose: 'Choose a person',
  show: 'Show',
  from: 'From',
  to: 'To',
  empty: 'No events',
  emptyHint: 'Nothing matches these filters.',
  clear: 'Clear the filters',
  export: 'Export',
  csv: 'As CSV',
  jsonl: 'As JSON lines',
  system: 'System',
  anonymous: 'Not signed in',
})

/** Returns the name of the actor; events of the server and of people who are not signed in have none. */
const nameActor = ({ id, label }: AuditEvent['actor']): string =>
  label ?? (id === 'system' || id === 'anonymous' ? texts[id] : id)

/** Heights of a row in pixels; on phones, the actor and the time are below the action. */
const rowHeight = 52
const narrowRowHeight = 72

/** Lists the changes in an organization with their authors. */
export default function AuditScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  return (
    <SettingsFrame organizationId={organizationId} crumbs={[{ title: texts.title }]} needs="admin">
      {() => <AuditLog organizationId={organizationId} />}
    </SettingsFrame>
  )
}

const filterNames = ['action', 'actor', 'from', 'to'] as const

/** Returns the filters in the address; days are converted to the times at which they start and end in the local time zone. */
function readFilter() {
  const { query } = address.value
  const [action, actor, from, to] = filterNames.map((name) => query.get(name) ?? undefined)
  return {
    ...(action !== undefined && { action }),
    ...(actor !== undefined && { actor }),
    ...toTime('from', from && `${from}T00:00:00`),
    ...toTime('to', to && `${to}T23:59:59.999`),
  }
}

/** Returns a filter for a local time; undefined if the day in the address does not exist. */
function toTime(name: 'from' | 'to', text: string | undefined): { from?: string; to?: string } {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? {} : { [name]: new Date(time).toISOString() }
}

function AuditLog({ organizationId }: { organizationId: string }) {
  const params = { organizationId }
  const filter = readFilter()
  const list = useList('GET /orgs/{organizationId}/audit-events', { params, query: { ...filter, limit: 100 } })
  const [exportEvents] = useAction(async (format: 'csv' | 'jsonl') => {
    const { url } = await request('POST /orgs/{organizationId}/audit-events/export', {
      params,
      body: { ...filter, format },
    })
    location.assign(url)
  })
  return (
    <>
      <div class="screen-head">
        <h1 class="screen-title">{texts.title}</h1>
        <Menu
          kind="secondary"
          icon="download"
          items={[
            { title: texts.csv, onSelect: () => void exportEvents('csv') },
            { title: texts.jsonl, onSelect: () => void exportEvents('jsonl') },
          ]}
        >
          {texts.export}
        </Menu>
      </div>
      <Filters organizationId={organizationId} />
      {!list.items && (list.error ? <ErrorState error={list.error} onRetry={() => void list.reload()} /> : <Loading />)}
      {list.items?.length === 0 && (
        <EmptyState
          icon="shield"
          title={texts.empty}
          actions={
            <Button onClick={() => filterNames.forEach((name) => setQuery(name, undefined))}>{texts.clear}</Button>
          }
        >
          {texts.emptyHint}
        </EmptyState>
      )}
      {list.items && list.items.length > 0 && (
        <EventList organizationId={organizationId} items={list.items} onEnd={list.continueLoading} />
      )}
    </>
  )
}

type FilterName = (typeof filterNames)[number]

const valueOf = (name: FilterName): string => address.value.query.get(name) ?? ''

const setFilter = (name: FilterName, value: string): void => setQuery(name, value === '' ? undefined : value)

function Filters({ organizationId }: { organizationId: string }) {
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div class="org-filters">
      <SelectField
        label={texts.action}
        value={valueOf('action')}
        options={[
          { value: '', title: texts.anyAction },
          ...listActions().map(({ action, name }) => ({ value: action, title: name })),
        ]}
        onChange={(value) => setFilter('action', value)}
      />
      <SelectField
        label={texts.who}
        value={valueOf('actor') === '' && !isChoosing ? 'anyone' : 'one'}
        options={[
          { value: 'anyone', title: texts.anyone },
          { value: 'one', title: texts.onePerson },
        ]}
        onChange={(value) => (value === 'one' ? setChoosing(true) : setFilter('actor', ''))}
      />
      <TextField label={texts.from} type="date" value={valueOf('from')} onInput={(value) => setFilter('from', value)} />
      <TextField label={texts.to} type="date" value={valueOf('to')} onInput={(value) => setFilter('to', value)} />
      {isChoosing && (
        <PersonDialog
          organizationId={organizationId}
          onClose={() => setChoosing(false)}
          onChoose={(id) => setFilter('actor', id)}
        />
      )}
    </div>
  )
}

interface PersonDialogProps {
  organizationId: string
  onClose: () => void
  onChoose: (userId: string) => void
}

function PersonDialog({ organizationId, onClose, onChoose }: PersonDialogProps) {
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [userId] = [...chosen.keys()].slice(-1)
  return (
    <FormDialog
      title={texts.choose}
      onClose={onClose}
      onSubmit={() => {
        if (userId === undefined) return
        onChoose(userId)
        onClose()
      }}
      action={texts.show}
      isIncomplete={userId === undefined}
    >
      <PeoplePicker
        organizationId={organizationId}
        chosen={chosen}
        // Only one person can be chosen, so the last one replaces the others.
        onChange={(next) => setChosen(new Map([...next].slice(-1)))}
      />
    </FormDialog>
  )
}

interface EventListProps {
  organizationId: string
  items: readonly AuditEvent[]
  onEnd: () => void
}

function EventList({ organizationId, items, onEnd }: EventListProps) {
  const [shown, setShown] = useState<AuditEvent | undefined>(undefined)
  return (
    <>
      <WindowedList
        class="org-list"
        label={texts.title}
        items={items}
        rowHeight={useMedia('(max-width: 48rem)') ? narrowRowHeight : rowHeight}
        keyOf={({ id }) => id}
        onEnd={onEnd}
        renderRow={(event) => (
          <button type="button" class="audit-row" aria-haspopup="dialog" onClick={() => setShown(event)}>
            <span class="audit-what">
              <strong>{nameAction(event.action)}</strong>
              <small>{event.target.label ?? event.target.id}</small>
            </span>
            <span class="audit-who">{nameActor(event.actor)}</span>
            <Time at={event.occurredAt} />
          </button>
        )}
      />
      {shown && (
        <AuditDetails
          organizationId={organizationId}
          event={shown}
          actor={nameActor(shown.actor)}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  )
}
