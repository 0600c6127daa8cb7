import { useState } from 'preact/hooks'
import type { SiteRedirect } from '../../../../contract/site-redirects.ts'
import type { Site } from '../../../../contract/site.ts'
import { useList } from '../../../data/list.ts'
import { address, setQuery } from '../../../router.ts'
import { countText, fillText } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useDelayed } from '../../../ui/use-delayed.ts'
import { WindowedList } from '../../../ui/windowed-list.tsx'
import { SiteFrame } from '../site-frame.tsx'
import { exportRedirects } from './export-redirects.ts'
import { ImportDialog } from './import-dialog.tsx'
import { RedirectDialog } from './redirect-dialog.tsx'
import { RedirectRow } from './redirect-row.tsx'
import { redirectTexts as texts } from './redirect-texts.ts'

/** The redirects of a site. */
export default function SiteRedirectsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', siteId = '' } = params
  return (
    <SiteFrame organizationId={organizationId} siteId={siteId} screen="redirects">
      {(site) => <Redirects organizationId={organizationId} site={site} />}
    </SiteFrame>
  )
}

type OpenDialog = { kind: 'import' } | { kind: 'edit'; redirect: SiteRedirect | undefined } | undefined

function Redirects({ organizationId, site }: { organizationId: string; site: Site }) {
  const [dialog, setDialog] = useState<OpenDialog>()
  const search = address.value.query.get('from') ?? ''
  const close = () => setDialog(undefined)
  const [exportAll, isExporting] = useAction(() => exportRedirects(organizationId, site))
  return (
    <>
      <div class="screen-head">
        <h1 class="screen-title">{texts.title}</h1>
        <span class="screen-actions">
          <Button icon="download" isBusy={isExporting} onClick={() => void exportAll()}>
            {texts.export}
          </Button>
          <Button icon="upload" onClick={() => setDialog({ kind: 'import' })}>
            {texts.import}
          </Button>
          <Button kind="primary" icon="plus" onClick={() => setDialog({ kind: 'edit', redirect: undefined })}>
            {texts.add}
          </Button>
        </span>
      </div>
      <p class="quiet section-hint">{texts.hint}</p>
      <SearchField />
      <RedirectList
        organizationId={organizationId}
        site={site}
        search={search}
        onEdit={(redirect) => setDialog({ kind: 'edit', redirect })}
      />
      {dialog?.kind === 'edit' && (
        <RedirectDialog organizationId={organizationId} site={site} redirect={dialog.redirect} onClose={close} />
      )}
      {dialog?.kind === 'import' && <ImportDialog organizationId={organizationId} site={site} onClose={close} />}
    </>
  )
}

function SearchField() {
  const [text, setText] = useState(address.value.query.get('from') ?? '')
  useDelayed(text.trim(), (value) => setQuery('from', value || undefined))
  return (
    <input
      class="input list-search"
      type="search"
      aria-label={texts.search}
      placeholder={texts.search}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  )
}

interface RedirectListProps {
  organizationId: string
  site: Site
  search: string
  onEdit: (redirect: SiteRedirect) => void
}

/** Height of a row in pixels. */
const rowHeight = 56

function RedirectList({ organizationId, site, search, onEdit }: RedirectListProps) {
  const { items, count, error, hasMore, continueLoading, reload } = useList(
    'GET /orgs/{organizationId}/sites/{siteId}/redirects',
    {
      params: { organizationId, siteId: site.id },
      query: { search: search || undefined, orderBy: 'source', resolve: true, limit: 200 },
    },
  )
  if (!items) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  if (items.length === 0 && search !== '') return <p class="quiet">{fillText(texts.noneFound, { search })}</p>
  if (items.length === 0)
    return (
      <EmptyState icon="arrow-right" title={texts.empty}>
        {texts.emptyHint}
      </EmptyState>
    )
  return (
    <>
      <p class="quiet section-hint" role="status">
        {countText(texts.count, count ?? items.length)}
      </p>
      <WindowedList
        class="redirects"
        items={items}
        rowHeight={rowHeight}
        keyOf={({ id }) => id}
        label={texts.title}
        onEnd={hasMore ? continueLoading : undefined}
        renderRow={(redirect) => (
          <RedirectRow
            organizationId={organizationId}
            site={site}
            redirect={redirect}
            onEdit={() => onEdit(redirect)}
          />
        )}
      />
    </>
  )
}
