import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { BaseContext } from '../../kernel/context.ts'
import { days } from '../../kernel/time.ts'
import { createSelfSignedCertificate } from '../../saml/self-signed.ts'
import type { Database } from '../../storage/database.ts'
import { findInstanceValue, getOrStoreInstanceValue, replaceInstanceValue } from '../../storage/instance.ts'

/** Key with which this server signs messages to identity providers, in PEM format. */
export interface ServiceKey {
  privateKey: string
  certificate: string
}

const instanceKey = 'saml_key'
/** Identity providers use the key of the certificate and not its period, but some refuse an expired one. */
const validity = days(365 * 20)

/** Returns the key of this installation; the first call generates it. Its private part is encrypted. */
export async function getServiceKey({
  database,
  sealer,
  log,
  urls,
  now,
}: Pick<BaseContext, 'sealer' | 'log' | 'urls' | 'now'> & { database: Database }): Promise<ServiceKey> {
  const open = (stored: string): ServiceKey | undefined => {
    const { certificate, sealedKey } = JSON.parse(stored) as { certificate: string; sealedKey: string }
    const privateKey = sealer.open(sealedKey)
    return privateKey === undefined ? undefined : { privateKey, certificate }
  }
  const stored = await findInstanceValue(database.reader, instanceKey)
  const found = stored === undefined ? undefined : open(stored)
  if (found) return found
  const generated = await generateServiceKey(new URL(urls.plain('/')).hostname, Date.parse(now()))
  const { certificate, privateKey } = generated
  const value = JSON.stringify({ certificate, sealedKey: sealer.seal(privateKey) })
  const current = await database.transaction((db) =>
    stored === undefined
      ? getOrStoreInstanceValue(db, instanceKey, value)
      : replaceInstanceValue(db, instanceKey, stored, value),
  )
  if (stored !== undefined)
    log.warn(
      'The key for SAML messages was replaced, because it cannot be decrypted. Update identity providers that verify it',
    )
  return open(current) ?? generated
}

async function generateServiceKey(name: string, now: number): Promise<ServiceKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const period = { from: new Date(now - days(1)), until: new Date(now + validity) }
  return { privateKey, certificate: createSelfSignedCertificate(privateKey, { name, ...period }) }
}
