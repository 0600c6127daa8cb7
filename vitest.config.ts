import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findChromium } from './tests/support/chromium.ts'
import { compiledSources } from './tests/support/compiled-sources.ts'
import { isLong } from './tests/support/long.ts'
import { findPostgres } from './tests/support/postgres.ts'

/** Tests that go through the database run on both engines. */
const onBoth = ['tests/api/**/*.test.ts', 'tests/contract/**/*.test.ts', 'tests/faults/**/*.test.ts']

/**
 * What these test does not depend on the engine: pages, headers, documents, repositories, limits on requests, commands, requests to
 * other servers, jobs that continue after a crash (the queue itself is tested on both).
 */
const sameOnBoth = [
  'api/api-proxy',
  'api/api-reference',
  'api/change-request-comments',
  'api/change-request-conflicts',
  'api/change-request-decisions',
  'api/change-request-description',
  'api/change-request-merge-status',
  'api/change-request-pages',
  'api/change-request-texts',
  'api/change-requests-official-client',
  'api/compare-revisions',
  'api/computed-git',
  'api/computed-pages',
  'api/content-bad-input',
  'api/content-base',
  'api/content-changes',
  'api/content-git',
  'api/content-identical-blocks',
  'api/content-limits',
  'api/content-links',
  'api/content-official-client',
  'api/content-pages',
  'api/content-restore',
  'api/content-reverts',
  'api/content-streams',
  'api/demo-site',
  'api/downloads',
  'api/editor-bar',
  'api/embeds',
  'api/file-widths',
  'api/files',
  'api/first-page',
  'api/frontend-caches',
  'api/frontend-needs',
  'api/git',
  'api/git-bad-input',
  'api/git-both-ways',
  'api/git-corpus',
  'api/git-info',
  'api/git-locked',
  'api/git-parameters',
  'api/git-permissions',
  'api/git-titles',
  'api/imports-files',
  'api/imports-official-client',
  'api/imports-website',
  'api/long-texts',
  'api/manual',
  'api/mixed-markup',
  'api/official-corpus',
  'api/official-documents',
  'api/openapi-blocks',
  'api/openapi-hostile',
  'api/openapi-publish',
  'api/passkeys',
  'api/pdf',
  'api/publish-command',
  'api/published-urls',
  'api/rendered-pages',
  'api/request-limits',
  'api/saml-attacks',
  'api/saml-logout',
  'api/saml-sign-in',
  'api/second-factor',
  'api/sessions',
  'api/sign-in',
  'api/sign-in-mail',
  'api/sign-in-oidc',
  'api/sign-in-oidc-attacks',
  'api/site-absent',
  'api/site-adaptive',
  'api/site-attacks',
  'api/site-auth',
  'api/site-bad-headers',
  'api/site-customization',
  'api/site-edit-links',
  'api/site-highlighted-code',
  'api/site-hostile-content',
  'api/site-html',
  'api/site-leaks',
  'api/site-limits',
  'api/site-links',
  'api/site-machines',
  'api/site-mcp',
  'api/site-page-attacks',
  'api/site-pages',
  'api/site-preview-search',
  'api/site-previews',
  'api/site-proxies',
  'api/site-redirect-targets',
  'api/site-search-settings',
  'api/site-tables',
  'api/site-template',
  'api/site-visitors',
  'api/site-visits',
  'api/sites-official-client',
  'api/space-duplicates',
  'api/sso-login',
  'api/templates',
  'api/token-scopes',
  'api/translation-engine',
  'api/translations',
  'api/translations-corpus',
  'api/translations-edits',
  'api/translations-engine-failures',
  'api/translations-glossary',
  'api/translations-input',
  'api/translations-runs',
  'api/translations-site',
  'api/visual-editor-git',
  'contract/access',
  'contract/comment-types',
  'contract/git-types',
  'contract/official-client',
  'contract/openapi',
  'contract/openapi-spec-types',
  'contract/saml-types',
  'contract/site-types',
  'faults/file-outages',
  'faults/health-port',
  'faults/imports',
  'faults/openapi',
  'faults/secret-key',
  'faults/site-clients',
  'faults/sites',
  'faults/start',
  'faults/stop',
  'faults/translations',
].map((name) => `tests/${name}.test.ts`)

/** Outages of a database server, and several servers on one database, exist on PostgreSQL only. */
const onPostgresOnly = ['tests/faults/database-outages.test.ts', 'tests/faults/load-balancer.test.ts']

/**
 * Files whose statements other files execute on SQLite too, and whose subject is stricter on PostgreSQL: null characters, transactions at
 * the same time, and jobs whose lease expires after a crash. Without PostgreSQL they run on SQLite.
 */
const enoughOnPostgres = [
  'api/audit-coverage',
  'api/comment-attacks',
  'api/comment-targets',
  'contract/cursors',
  'contract/sites-hostile',
  'faults/git',
].map((name) => `tests/${name}.test.ts`)

/** Stories of the web app in which the server does most. They run on PostgreSQL, the others on SQLite; with `LONG=1` all run on both. */
const storiesOnPostgres = [
  'change-requests',
  'edit',
  'home',
  'libraries',
  'live-editing',
  'notifications',
  'organization',
  'site-admin',
  'sites',
  'space-content',
  'two-writers',
].map((name) => `tests/browser/app/${name}.test.ts`)

/** The longest files, which run first in their project so that no core is idle at the end. */
const longest = [
  'browser/corpus',
  'app/edit',
  'app/libraries',
  'api/manual',
  'markdown-linear',
  'cli/import',
  'site-leaks',
  'every-block',
  'database-outages',
  'git-corpus',
  'openapi-hostile',
]

const takesLong = ({ moduleId }: TestSpecification): boolean =>
  longest.some((name) => moduleId.endsWith(`${name}.test.ts`))

/** Folders in the order in which their files run; those with the shortest files are last, so that all cores end at the same time. */
const folderOrder = ['tests/browser/', 'tests/faults/', 'tests/api/', 'tests/contract/', 'tests/']

const findFolderRank = ({ moduleId }: TestSpecification): number =>
  folderOrder.findIndex((folder) => moduleId.includes(`/${folder}`))

/** Projects in the order in which they run: a worker can only continue with files of its project. */
const projectOrder = ['postgres', 'sqlite']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((a, b) => findFolderRank(a) - findFolderRank(b))
    return projectOrder.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name)
      return [...own.filter(takesLong), ...own.filter((file) => !takesLong(file))]
    })
  }
}

const stories = 'tests/browser/app/*.test.ts'

const hasBrowser = findChromium() !== undefined

const project = (name: string, test: { include: string[]; exclude: string[]; globalSetup?: string }) => ({
  extends: true as const,
  test: { name, ...test, env: { TEST_ENGINE: name } },
})

const sqlite = project('sqlite', {
  include: ['tests/**/*.test.ts'],
  exclude: [
    ...onPostgresOnly,
    ...(findPostgres() ? enoughOnPostgres : []),
    ...(findPostgres() && !isLong ? storiesOnPostgres : []),
    ...(hasBrowser ? [] : ['tests/browser/**']),
  ],
})

const postgres = project('postgres', {
  include: [...onBoth, ...(isLong ? [stories] : storiesOnPostgres)],
  exclude: [...sameOnBoth, ...(hasBrowser ? [] : [stories])],
  globalSetup: './tests/support/postgres-databases.ts',
})

export default defineConfig({
  plugins: [compiledSources()],
  test: {
    // Generous, as two workers share a core; a test that hangs still ends.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    // Tests often wait: for a database, a browser, another process.
    maxWorkers: availableParallelism() * 2,
    // Loading the server again for each file would take longer than most files; the setup file resets what modules keep.
    isolate: false,
    setupFiles: './tests/support/reset.ts',
    globalSetup: ['./tests/support/checkout-copy.ts', './tests/support/rsa-keys.ts'],
    // Only two, because each project starts its own workers, which compile and optimize the whole server again.
    projects: findPostgres() ? [sqlite, postgres] : [sqlite],
  },
})
