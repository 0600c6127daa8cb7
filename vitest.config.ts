import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { findChromium } from './tests/support/chromium.ts'
import { findPostgres } from './tests/support/postgres.ts'

/** Tests that go through the database run on both engines. */
const onBoth = ['tests/api/**/*.test.ts', 'tests/contract/**/*.test.ts', 'tests/faults/**/*.test.ts']

/** What these are about is the same on both: what pages, headers, documents and repositories look like. */
const sameOnBoth = [
  'site-hostile-content',
  'site-bad-headers',
  'site-page-attacks',
  'demo-site',
  'api-reference',
  'git-corpus',
  'official-corpus',
].map((name) => `tests/api/${name}.test.ts`)

const project = (name: string, include: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, ...more },
})

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Tests often wait: for a database, a browser, another process.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Files leave nothing behind for each other, and to load the server anew for each takes longer than most of them.
    isolate: false,
    globalSetup: './tests/support/checkout-copy.ts',
    projects: [
      project('unit', [
        'tests/*.test.ts',
        'tests/unit/**/*.test.ts',
        'tests/cli/**/*.test.ts',
        'tests/content/**/*.test.ts',
      ]),
      project('sqlite', onBoth, { env: { TEST_ENGINE: 'sqlite' } }),
      ...(findPostgres()
        ? [
            project('postgres', onBoth, {
              exclude: sameOnBoth,
              env: { TEST_ENGINE: 'postgres' },
              globalSetup: './tests/support/postgres-databases.ts',
            }),
          ]
        : []),
      ...(findChromium() === undefined
        ? []
        : [project('browser', ['tests/browser/**/*.test.ts'], { testTimeout: 60_000 })]),
    ],
  },
})
