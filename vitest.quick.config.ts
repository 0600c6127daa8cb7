import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { compiledSources } from './tests/support/compiled-sources.ts'

// `npm run test:quick`: a part of the tests that ends within a minute on two cores and needs no other programs.

/** Files that try thousands of generated inputs, read whole repositories, or take long for another reason. */
const slow = [
  'tests/contract/site-types.test.ts',
  'tests/contract/sites-hostile.test.ts',
  'tests/content/*-property.test.ts',
  'tests/content/*-corpus.test.ts',
  'tests/content/*-linear.test.ts',
  'tests/content/document-identical-siblings.test.ts',
  'tests/content/document-resolve.test.ts',
  'tests/content/expression-javascript.test.ts',
  'tests/content/markdown-bounds.test.ts',
  'tests/content/markdown-valid.test.ts',
  'tests/content/markdown-words.test.ts',
  'tests/content/page-list.test.ts',
  'tests/content/repository-config.test.ts',
  'tests/content/repository-history.test.ts',
  'tests/content/repository-roundtrip.test.ts',
  'tests/content/revision-cost.test.ts',
  'tests/content/summary.test.ts',
]

/** One test file for each part of the API and of published sites. */
const api = [
  'change-requests',
  'collections',
  'content-changes',
  'content-pages',
  'members',
  'organizations',
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
  plugins: [compiledSources()],
  test: {
    testTimeout: 90_000,
    hookTimeout: 120_000,
    maxWorkers: availableParallelism(),
    isolate: false,
    setupFiles: './tests/support/reset.ts',
    globalSetup: './tests/support/rsa-keys.ts',
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
        test: {
          name: 'sqlite',
          include: ['tests/contract/**/*.test.ts', ...api],
          exclude: slow,
          env: { TEST_ENGINE: 'sqlite' },
        },
      },
    ],
  },
})
