import type { Log } from '../../kernel/log.ts'
import { days, timestamp } from '../../kernel/time.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { findExpiringProviders } from './provider-store.ts'

/** Time before the expiry of a certificate from which it is reported. */
const notice = days(30)

/** Maximum number of certificates in one report. */
const maxReported = 100

/** Finds the providers whose certificates have expired or expire within 30 days. */
export function findProvidersToRenew(db: Db, now: string): Promise<Row<'saml_providers'>[]> {
  return findExpiringProviders(db, timestamp(Date.parse(now) + notice), maxReported)
}

/** Whether the last certificate of a provider has expired. */
export function hasExpired({ certificate_expires_at: end }: Row<'saml_providers'>, now: string): boolean {
  return end !== null && end <= now
}

/** Days before the expiry on which the audit log gets an event; the log of the server has one every day. */
const eventDays: ReadonlySet<number> = new Set([30, 7, 1, 0])

/** Whether today is one of the days on which the audit log gets an event about a certificate. */
export function isEventDay({ certificate_expires_at: end }: Row<'saml_providers'>, now: string): boolean {
  return end !== null && eventDays.has(Math.ceil((Date.parse(end) - Date.parse(now)) / days(1)))
}

/** Logs that the certificate of a provider has expired or expires soon. */
export function reportCertificate(log: Log, provider: Row<'saml_providers'>, now: string): void {
  const details = {
    organization: provider.organization_id,
    provider: provider.id,
    label: provider.label,
    expiresAt: provider.certificate_expires_at ?? '',
  }
  log.warn(
    hasExpired(provider, now)
      ? 'The certificate of a SAML provider has expired'
      : 'The certificate of a SAML provider expires soon',
    details,
  )
}
