import { useSignal } from '@preact/signals'
import { languages } from '../../../contract/languages.ts'
import type { Language } from '../../../contract/space.ts'
import type { GlossaryEntry } from '../../../contract/translation.ts'
import { useList } from '../../data/list.ts'
import { address, setQuery } from '../../router.ts'
import { useOrganization } from '../../session.ts'
import { countText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { WindowedList } from '../../ui/windowed-list.tsx'
import { GlossaryCsv } from './glossary-csv.tsx'
import { GlossaryDialog } from './glossary-dialog.tsx'
import { glossaryTexts as texts } from './glossary-texts.ts'
import { listLanguages } from './languages.ts'
import { TranslationsFrame } from './translations-frame.tsx'

const rowHeight = 44

/** The terms of an organization in several languages. */
export default function GlossaryScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const canEdit = useOrganization(organizationId)?.permissions.createContent === true
  const edited = useSignal<GlossaryEntry | 'new' | undefined>(undefined)
  const orderBy = languages.find((code) => code === address.value.query.get('language'))
  const list = useList('GET /orgs/{organizationId}/translations-glossary', {
    params: { organizationId },
    query: { limit: 200, ...(orderBy && { orderBy }) },
  })
  const { items, count = 0, error, continueLoading, reload } = list
  const add = canEdit && (
    <Button kind="primary" icon="plus" onClick={() => (edited.value = 'new')}>
      {texts.add}
    </Button>
  )
  return (
    <TranslationsFrame
      organizationId={organizationId}
      title={texts.title}
      action={
        <div class="toolbar">
          <GlossaryCsv organizationId={organizationId} canEdit={canEdit} isEmpty={count === 0} />
          {count > 0 && add}
        </div>
      }
    >
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {items?.length === 0 && (
        <EmptyState icon="language" title={texts.empty} actions={add}>
          {texts.emptyHint}
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <>
          <div class="glossary-head">
            <SortField value={orderBy ?? ''} />
            <span class="quiet">{countText(texts.count, count)}</span>
          </div>
          <div class="rows">
            <WindowedList
              class="glossary"
              items={items}
              rowHeight={rowHeight}
              label={texts.title}
              keyOf={({ id }) => id}
              renderRow={(entry) => (
                <TermRow entry={entry} first={orderBy} onOpen={canEdit ? () => (edited.value = entry) : undefined} />
              )}
              onEnd={continueLoading}
            />
          </div>
        </>
      )}
      {edited.value && (
        <GlossaryDialog
          organizationId={organizationId}
          entry={edited.value === 'new' ? undefined : edited.value}
          onClose={() => (edited.value = undefined)}
        />
      )}
    </TranslationsFrame>
  )
}

function SortField({ value }: { value: Language | '' }) {
  return (
    <SelectField
      label={texts.sortedBy}
      value={value}
      options={[{ value: '', title: texts.newest }, ...listLanguages()]}
      onChange={(language) => setQuery('language', language || undefined)}
    />
  )
}

interface TermRowProps {
  entry: GlossaryEntry
  /** Language of the term that is shown first. */
  first: Language | undefined
  onOpen: (() => void) | undefined
}

function TermRow({ entry: { translations }, first, onOpen }: TermRowProps) {
  const terms = Object.entries(translations).toSorted(([one], [other]) =>
    one === first ? -1 : other === first ? 1 : one.localeCompare(other),
  )
  const content = terms.map(([code, term]) => (
    <span key={code} class="term">
      <small>{code}</small> {term}
    </span>
  ))
  return onOpen ? (
    <button type="button" class="row term-row" onClick={onOpen}>
      {content}
    </button>
  ) : (
    <div class="row term-row">{content}</div>
  )
}
