import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// `npm run test:quick`: a part of the tests that ends within a minute on two cores and needs no other programs.

/** Files of the content engine that try thousands of generated inputs or read whole repositories. */
const slow = [
  'tests/content/*-property.test.ts',
  'tests/content/*-corpus.test.ts',
  'tests/content/*-linear.test.ts',
  'tests/content/document-identical-siblings.test.ts',
  'tests/content/markdown-bounds.test.ts',
  'tests/content/markdown-valid.test.ts',
  'tests/content/repository-history.test.ts',
  'tests/content/summary.test.ts',
]

/** One test file for each part of the API and of published sites. */
const api = [
  'change-request-conflicts',
  'change-requests',
  'collections',
  'content-changes',
  'content-pages',
  'files',
  'members',
  'organizations',
  'permissions',
  'search',
  'site-adaptive',
  'site-pages',
  'site-redirects',
  'site-share-links',
  'sites',
  'spaces',
  'teams',
  'users-and-tokens',
].map((name) => `tests/api/${name}.test.ts`)

export default defineConfig({
  test: {
    testTimeout: 90_000,
    hookTimeout: 120_000,
    maxWorkers: availableParallelism(),
    isolate: false,
    setupFiles: './tests/support/reset.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/architecture.test.ts', 'tests/content/**/*.test.ts', 'tests/unit/render-*.test.ts'],
          exclude: slow,
        },
      },
      {
        extends: true,
        test: { name: 'sqlite', include: ['tests/contract/**/*.test.ts', ...api], env: { TEST_ENGINE: 'sqlite' } },
      },
    ],
  },
})
