import { days, timestamp } from '../../kernel/time.ts'
import type { Db, Row } from '../../schema/tables.ts'

/** Registers an app. */
export async function insertClient(
  db: Db,
  { newId, now }: { newId: () => string; now: () => string },
  client: { name: string; redirectUris: readonly string[] },
): Promise<Row<'oauth_clients'>> {
  return db
    .insertInto('oauth_clients')
    .values({
      id: newId(),
      name: client.name,
      redirect_uris: JSON.stringify(client.redirectUris),
      created_at: now(),
      used_at: now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findClient(db: Db, clientId: string): Promise<Row<'oauth_clients'> | undefined> {
  return db.selectFrom('oauth_clients').selectAll().where('id', '=', clientId).executeTakeFirst()
}

/** Time after which an app that nobody uses is removed. */
const unusedLifetime = days(90)

/** Removes apps without grants that were not used for a long time; anyone can register apps. */
export async function deleteUnusedClients(db: Db, now: string): Promise<void> {
  await db
    .deleteFrom('oauth_clients')
    .where('used_at', '<', timestamp(Date.parse(now) - unusedLifetime))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('oauth_grants').select('id').whereRef('oauth_grants.client_id', '=', 'oauth_clients.id'),
        ),
      ),
    )
    .execute()
}

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Whether an app may receive codes at a URI: HTTPS, HTTP on the user's own machine, or a scheme with a reversed domain name, which
 * native apps use. Schemes such as `javascript` would run code in the browser.
 */
export function isAllowedRedirectUri(uri: string): boolean {
  if (uri.length > 1000 || !/^[\x21-\x7e]+$/.test(uri) || uri.includes('#') || !URL.canParse(uri)) return false
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return true
  return protocol === 'http:' ? loopbackHosts.has(hostname) : /^[a-z][\w-]*(\.[\w-]+)+:$/i.test(protocol)
}

/**
 * Whether a registered URI allows the requested one. They must be equal, except for the port on the user's own machine, which apps
 * choose when they start (RFC 8252).
 */
export function isRegisteredRedirectUri(client: Row<'oauth_clients'>, uri: string): boolean {
  if (!isAllowedRedirectUri(uri)) return false
  const registered = JSON.parse(client.redirect_uris) as string[]
  return registered.some((known) => known === uri || withoutLoopbackPort(known) === withoutLoopbackPort(uri))
}

function withoutLoopbackPort(uri: string): string {
  const url = new URL(uri)
  if (url.protocol !== 'http:' || !loopbackHosts.has(url.hostname)) return uri
  url.port = ''
  return url.href
}
