import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findChromium } from './tests/support/chromium.ts'
import { findPostgres } from './tests/support/postgres.ts'

/** Tests that go through the database run on both engines. */
const onBoth = ['tests/api/**/*.test.ts', 'tests/contract/**/*.test.ts', 'tests/faults/**/*.test.ts']

/**
 * What these test does not depend on the engine: pages, headers, documents, repositories, limits on requests, commands, requests to
 * other servers.
 */
const sameOnBoth = [
  'api/api-proxy',
  'api/api-reference',
  'api/content-links',
  'api/demo-site',
  'api/first-page',
  'api/frontend-needs',
  'api/git-bad-input',
  'api/git-corpus',
  'api/git-parameters',
  'api/git-titles',
  'api/long-texts',
  'api/manual',
  'api/mixed-markup',
  'api/official-corpus',
  'api/official-documents',
  'api/openapi-hostile',
  'api/publish-command',
  'api/request-limits',
  'api/site-absent',
  'api/site-attacks',
  'api/site-bad-headers',
  'api/site-edit-links',
  'api/site-highlighted-code',
  'api/site-hostile-content',
  'api/site-html',
  'api/site-limits',
  'api/site-links',
  'api/site-machines',
  'api/site-mcp',
  'api/site-page-attacks',
  'api/site-proxies',
  'api/site-tables',
  'contract/git-types',
  'contract/openapi',
  'contract/site-types',
  'faults/health-port',
  'faults/site-clients',
].map((name) => `tests/${name}.test.ts`)

/** Outages of a database server, and several servers on one database, exist on PostgreSQL only. */
const onPostgresOnly = ['tests/faults/database-outages.test.ts', 'tests/faults/load-balancer.test.ts']

/** The longest files, which run first in their project so that no core is idle at the end. */
const longest = [
  'markdown-linear',
  'cli/import',
  'browser/corpus',
  'site-leaks',
  'every-block',
  'database-outages',
  'git-corpus',
  'openapi-hostile',
]

const isLong = ({ moduleId }: TestSpecification): boolean =>
  longest.some((name) => moduleId.endsWith(`${name}.test.ts`))

/** Keeps the files of a project together, because a worker that continues with another project loads everything again. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))]
    })
  }
}

const project = (name: string, include: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, ...more },
})

export default defineConfig({
  test: {
    // Generous, as three workers share two cores; a test that hangs still ends.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    // Tests often wait: for a database, a browser, another process.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Loading the server again for each file would take longer than most files; the setup file resets what modules keep.
    isolate: false,
    setupFiles: './tests/support/reset.ts',
    globalSetup: './tests/support/checkout-copy.ts',
    projects: [
      project('unit', [
        'tests/*.test.ts',
        'tests/unit/**/*.test.ts',
        'tests/cli/**/*.test.ts',
        'tests/content/**/*.test.ts',
      ]),
      project('sqlite', onBoth, { exclude: onPostgresOnly, env: { TEST_ENGINE: 'sqlite' } }),
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
        : [project('browser', ['tests/browser/**/*.test.ts'], { testTimeout: 120_000 })]),
    ],
  },
})
