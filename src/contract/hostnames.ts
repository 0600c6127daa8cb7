import { z } from 'zod'
import { operation } from './operation.ts'
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
    'Result of the last DNS check. `live`: serves the site; `dns_passed`: the records are correct, but another organization uses or claims the hostname; `dns_no_cname`: no record was found; `dns_wrong_cname`: the record points to another target; `invalid_domain`: the hostname does not exist; `internal_error`: the name servers did not respond',
  )
export type HostnameStatus = z.infer<typeof HostnameStatus>

export const CustomHostname = z
  .object({
    object: z.literal('custom-hostname'),
    hostname: z.string(),
    target: z.object({ type: z.literal('site'), site: Id }),
    isActive: z.boolean().describe('Whether the hostname serves the site'),
    status: HostnameStatus.optional().describe('Absent until the first DNS check'),
    checkedAt: Timestamp.optional().describe('Time of the last DNS check'),
    found: z
      .object({
        cname: z.array(z.string()).describe('Names that the hostname points to, from the first to the last'),
        txt: z.array(z.string()).describe('Values of the TXT records for the verification'),
      })
      .optional()
      .describe('Records that the last DNS check found; absent if the name servers did not respond'),
    records: z
      .array(z.object({ type: z.enum(['CNAME', 'TXT']), name: z.string(), value: z.string() }))
      .describe('Each of these records verifies the hostname; only the first one routes visitors to the site'),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'CustomHostname' })
export type CustomHostname = z.infer<typeof CustomHostname>

export const customHostnames = {
  listSiteCustomHostnames: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/custom-hostnames',
    summary: 'List the custom hostnames of a site',
    description: 'Contains the hostname that was set for the site, whether or not it is verified.',
    access: 'site:view',
    scope: 'site:read',
    reply: z.object({ items: z.array(CustomHostname) }),
  }),
  getCustomHostname: operation({
    method: 'GET',
    path: '/custom-hostnames/{hostname}',
    summary: 'Get a custom hostname',
    description: 'Returns 404 unless the caller can see its site.',
    access: 'user',
    scope: 'site:read',
    reply: CustomHostname,
    errors: [404],
  }),
  dnsRevalidateCustomHostname: operation({
    method: 'PATCH',
    path: '/custom-hostnames/{hostname}',
    summary: 'Check the DNS records of a custom hostname',
    description: 'The records are also checked periodically for seven days after the hostname was set.',
    access: 'user',
    scope: 'site:write',
    errors: [404, 409],
  }),
  removeCustomHostname: operation({
    method: 'DELETE',
    path: '/custom-hostnames/{hostname}',
    summary: 'Remove a custom hostname',
    access: 'user',
    scope: 'site:write',
  }),
}
