import { z } from 'zod'
import { operation } from './kit.ts'
import { Id, Timestamp } from './shared.ts'

export const HostnameStatus = z
  .enum([
    'live',
    'dns_passed',
    'dns_no_cname',
    'dns_wrong_cname',
    'dns_cloudflare_proxied',
    'dns_wrong_caa',
    'ssl_unknown',
    'ssl_pending',
    'ssl_failed',
    'ssl_retry_expired',
    'invalid_domain',
    'internal_error',
  ])
  .describe(
    'What was found last. `live`: it serves the site; `dns_passed`: its records are right, but another organization has the name or claims it too; `dns_no_cname`: none of the records is there; `dns_wrong_cname`: it leads elsewhere; `invalid_domain`: there is no such name; `internal_error`: the name servers gave no answer',
  )
export type HostnameStatus = z.infer<typeof HostnameStatus>

export const CustomHostname = z
  .object({
    object: z.literal('custom-hostname'),
    hostname: z.string(),
    target: z.object({ type: z.literal('site'), site: Id }),
    isActive: z.boolean().describe('Whether the site is found at it'),
    status: HostnameStatus.optional().describe('Absent until its records were looked at'),
    checkedAt: Timestamp.optional().describe('When its records were looked at last'),
    records: z
      .array(z.object({ type: z.enum(['CNAME', 'TXT']), name: z.string(), value: z.string() }))
      .describe('Each of these proves that the hostname belongs to the site; only the first brings visitors to it'),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'CustomHostname' })
export type CustomHostname = z.infer<typeof CustomHostname>

export const customHostnames = {
  getCustomHostname: operation({
    method: 'GET',
    path: '/custom-hostnames/{hostname}',
    summary: 'Get the hostname of a site that the caller can see',
    access: 'user',
    scope: 'site:read',
    reply: CustomHostname,
    errors: [404],
  }),
  dnsRevalidateCustomHostname: operation({
    method: 'PATCH',
    path: '/custom-hostnames/{hostname}',
    summary: 'Look at the records of a hostname now',
    description: 'They are looked at again and again for seven days after it was claimed anyway.',
    access: 'user',
    scope: 'site:write',
    errors: [404, 409],
  }),
  removeCustomHostname: operation({
    method: 'DELETE',
    path: '/custom-hostnames/{hostname}',
    summary: 'Take its hostname from a site',
    access: 'user',
    scope: 'site:write',
  }),
}
