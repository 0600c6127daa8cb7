import { test } from 'vitest'
import { engine } from './server.ts'

interface DeclareTest {
  (name: string, body: () => Promise<void>): void
  (name: string, options: { timeout: number }, body: () => Promise<void>): void
}

/** Declares a test on one engine only, for behavior that the other engine does not have; a comment gives the reason. */
export const testOn = (wanted: typeof engine): DeclareTest => (engine === wanted ? test : () => {})
