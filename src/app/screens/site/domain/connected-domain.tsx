import { useEffect } from 'preact/hooks'
import type { CustomHostname } from '../../../../contract/hostnames.ts'
import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { invalidate } from '../../../data/query.ts'
import { fillText } from '../../../texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm.ts'
import { CopyField } from '../../../ui/copy.tsx'
import { Fact, FactList } from '../../../ui/facts.tsx'
import { formatAge } from '../../../ui/time.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { domainTexts as texts } from './domain-texts.ts'

interface ConnectedDomainProps {
  organizationId: string
  site: Site
  claim: CustomHostname
  onReload: () => Promise<void>
}

/** Interval in milliseconds at which the state of a domain is read while the server checks its records. */
const pollInterval = 5000

/** A domain of a site: its status, the records that it needs, and the records that DNS returned. */
export function ConnectedDomain({ organizationId, site, claim, onReload }: ConnectedDomainProps) {
  const { hostname, isActive } = claim
  useEffect(() => {
    if (isActive) {
      // The site was read before its domain was verified.
      if (site.hostname !== hostname) invalidate(`/orgs/${organizationId}/sites/${site.id}`)
      return undefined
    }
    const timer = setInterval(() => document.visibilityState === 'visible' && void onReload(), pollInterval)
    return () => clearInterval(timer)
  }, [hostname, isActive])
  return (
    <>
      <div class="domain-state">
        <strong>{hostname}</strong>
        <StateBadge claim={claim} />
        <DomainActions organizationId={organizationId} site={site} claim={claim} />
      </div>
      <p role="status">
        {describeStatus(claim)}
        {claim.checkedAt !== undefined && (
          <span class="quiet"> {fillText(texts.checked, { time: formatAge(claim.checkedAt) })}</span>
        )}
      </p>
      {!(isActive && claim.status === 'live') && <FoundRecords claim={claim} />}
      <h3 class="section-title">{texts.records}</h3>
      <p class="quiet">{claim.records.length > 1 ? texts.recordsHint : texts.recordHint}</p>
      {claim.records.map((record) => (
        <fieldset key={record.type} class="record">
          <legend>{record.type === 'CNAME' ? texts.cname : texts.txt}</legend>
          <CopyField label={texts.name} value={record.name} />
          <CopyField label={texts.value} value={record.value} />
          {record.type === 'TXT' && <p class="ui-field-hint">{texts.txtHint}</p>}
        </fieldset>
      ))}
      <h3 class="section-title">{texts.certificate}</h3>
      <p class="quiet">{fillText(texts.certificateHint, { hostname })}</p>
    </>
  )
}

function StateBadge({ claim: { isActive, status } }: { claim: CustomHostname }) {
  if (isActive)
    return (
      <Badge tone="success" icon="circle-check">
        {texts.live}
      </Badge>
    )
  return status === undefined || status === 'dns_no_cname' || status === 'invalid_domain' ? (
    <Badge tone="warning" icon="clock">
      {texts.waiting}
    </Badge>
  ) : (
    <Badge tone="danger" icon="circle-x">
      {texts.failing}
    </Badge>
  )
}

const statusTexts = [
  'live',
  'dns_passed',
  'dns_no_cname',
  'dns_wrong_cname',
  'invalid_domain',
  'internal_error',
] as const

function describeStatus({ isActive, status }: CustomHostname): string {
  const known = statusTexts.find((one) => one === status)
  if (isActive) return known === undefined || known === 'live' ? texts.status_live : texts.status_failingLive
  return known === undefined ? texts.status_unknown : texts[`status_${known}`]
}

function FoundRecords({ claim: { found, records } }: { claim: CustomHostname }) {
  if (!found) return null
  const rows = [
    { type: 'CNAME', values: found.cname },
    { type: 'TXT', values: found.txt },
  ]
  return (
    <>
      <h3 class="section-title">{texts.found}</h3>
      <FactList>
        {rows
          .filter(({ type }) => records.some((record) => record.type === type))
          .map(({ type, values }) => (
            <Fact key={type} name={type}>
              {values.length === 0 ? <span class="quiet">{texts.foundNothing}</span> : values.join(' → ')}
            </Fact>
          ))}
      </FactList>
    </>
  )
}

function DomainActions({ organizationId, site, claim }: Omit<ConnectedDomainProps, 'onReload'>) {
  const { hostname, isActive } = claim
  const params = { hostname }
  const reloadAll = () => invalidate(`/orgs/${organizationId}/sites`)
  const [check, isChecking] = useAction(async () => {
    try {
      await request('PATCH /custom-hostnames/{hostname}', { params })
    } finally {
      reloadAll()
    }
  })
  const [remove, isRemoving] = useAction(async () => {
    const isConfirmed = await confirmAction({
      title: fillText(texts.removeTitle, params),
      text: texts.removeText,
      action: texts.remove,
      isDangerous: true,
    })
    if (!isConfirmed) return
    await request('DELETE /custom-hostnames/{hostname}', { params })
    reloadAll()
  })
  return (
    <span class="domain-actions">
      {isActive && site.urls.published !== undefined && (
        <LinkButton href={site.urls.published} icon="external-link" target="_blank" rel="noopener">
          {texts.open}
        </LinkButton>
      )}
      <Button icon="refresh" isBusy={isChecking} onClick={() => void check()}>
        {texts.check}
      </Button>
      {site.permissions.admin && (
        <Button kind="quiet" icon="trash" label={texts.remove} isBusy={isRemoving} onClick={() => void remove()} />
      )}
    </span>
  )
}
