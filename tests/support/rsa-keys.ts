import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Private keys as PEM. */
    rsaKeys: string[]
  }
}

/** As many as one test needs at once. */
const count = 6

/**
 * Global setup of Vitest: generates keys before the tests. Generating one blocks the event loop of the test and of its server for
 * seconds on a busy machine, long enough for idle connections to be closed while they are reused.
 */
export default async function setup(project: TestProject): Promise<void> {
  const generate = promisify(generateKeyPair)
  const keys = await Promise.all(Array.from({ length: count }, () => generate('rsa', { modulusLength: 2048 })))
  project.provide(
    'rsaKeys',
    keys.map(({ privateKey }) => String(privateKey.export({ type: 'pkcs8', format: 'pem' }))),
  )
}

let taken = 0

/** Returns a private RSA key with 2048 bits as PEM that differs from those returned just before. */
export function takeRsaKey(): string {
  return inject('rsaKeys')[taken++ % count] ?? ''
}
