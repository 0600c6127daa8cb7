import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { type Import, findCycles, findImports, findQueries } from './support/architecture.ts'

const source = join(import.meta.dirname, '..', 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]))

/** The folders that each folder may import. Folders that are not listed (`cli`, `server`) may import all others. */
const mayImport: Record<string, string[]> = {
  app: ['browser', 'client', 'content', 'contract', 'render'],
  browser: ['openapi', 'render'],
  contract: [],
  client: ['contract'],
  content: [],
  publishing: ['contract', 'content'],
  openapi: ['content'],
  saml: [],
  schema: ['contract'],
  kernel: ['contract', 'content', 'publishing', 'schema'],
  scim: ['schema', 'kernel'],
  threads: ['root.ts'],
  storage: ['content', 'schema', 'kernel', 'threads'],
  jobs: ['schema', 'kernel', 'storage'],
  access: ['contract', 'publishing', 'saml', 'schema', 'kernel', 'storage'],
  fetch: ['kernel'],
  files: ['kernel'],
  visitors: ['contract', 'content', 'publishing', 'schema', 'kernel', 'access', 'domain'],
  http: ['contract', 'schema', 'kernel', 'scim', 'storage', 'access', 'files', 'visitors'],
  derived: ['content', 'schema', 'kernel', 'storage', 'jobs'],
  highlight: ['content', 'schema', 'kernel', 'threads', 'storage', 'jobs', 'derived', 'render'],
  formulas: ['kernel', 'threads', 'render'],
  icons: ['kernel', 'render'],
  search: ['content', 'publishing', 'schema', 'kernel', 'storage', 'derived'],
  links: ['content', 'publishing', 'schema', 'kernel', 'storage', 'jobs', 'derived'],
  parsing: ['content', 'kernel', 'openapi', 'saml', 'threads'],
  website: ['content', 'kernel', 'fetch', 'parsing'],
  render: ['content', 'openapi'],
  embeds: ['content', 'kernel', 'fetch', 'website', 'render'],
  translation: ['contract', 'content'],
  translators: ['contract', 'content', 'translation', 'kernel', 'fetch'],
  pdf: ['content', 'openapi', 'render'],
  typesetting: ['files', 'pdf', 'threads'],
  domain: [
    'contract',
    'content',
    'publishing',
    'schema',
    'kernel',
    'storage',
    'jobs',
    'access',
    'fetch',
    'files',
    'derived',
    'links',
    'openapi',
    'saml',
    'parsing',
    'pdf',
    'typesetting',
    'embeds',
    'mail',
    'translators',
  ],
  resources: [
    'contract',
    'content',
    'publishing',
    'schema',
    'kernel',
    'scim',
    'storage',
    'jobs',
    'access',
    'fetch',
    'files',
    'derived',
    'highlight',
    'formulas',
    'icons',
    'links',
    'search',
    'openapi',
    'saml',
    'parsing',
    'website',
    'domain',
    'visitors',
    'render',
    'pdf',
    'threads',
    'typesetting',
    'embeds',
    'mail',
    'translation',
    'translators',
  ],
  mail: ['kernel', 'render'],
  'sign-in': [
    'contract',
    'schema',
    'kernel',
    'storage',
    'jobs',
    'access',
    'fetch',
    'mail',
    'parsing',
    'render',
    'saml',
    'domain',
    'resources',
    'site',
  ],
  site: [
    'root.ts',
    'contract',
    'content',
    'publishing',
    'schema',
    'kernel',
    'threads',
    'access',
    'fetch',
    'files',
    'highlight',
    'icons',
    'search',
    'openapi',
    'render',
    'domain',
    'resources',
    'visitors',
    'pdf',
    'typesetting',
  ],
}

interface TableUse {
  /** The folders that insert, update or delete rows. The first is the owner. */
  writtenBy: string[]
  /** Other folders that select rows. */
  readBy?: string[]
}

/**
 * The folders that may use each table. Migrations are not checked. The tables of states have few entries, because
 * `derived` gets their names as arguments.
 */
const tableUses: Record<string, TableUse> = {
  instance: { writtenBy: ['storage', 'cli', 'server'], readBy: ['site'] },
  users: {
    writtenBy: ['domain/users'],
    readBy: [
      'access',
      'cli',
      'domain/comments',
      'domain/members',
      'domain/permissions',
      'resources/permissions',
      'resources/scim',
    ],
  },
  sessions: { writtenBy: ['access'] },
  passwords: { writtenBy: ['domain/accounts'] },
  sign_in_links: { writtenBy: ['domain/accounts'] },
  sign_in_attempts: { writtenBy: ['domain/accounts'] },
  known_browsers: { writtenBy: ['domain/accounts'] },
  oauth_clients: { writtenBy: ['domain/oauth'] },
  oauth_grants: { writtenBy: ['domain/oauth'] },
  oauth_codes: { writtenBy: ['domain/oauth'] },
  oauth_refresh_tokens: { writtenBy: ['domain/oauth'] },
  tokens: { writtenBy: ['domain/users', 'domain/oauth', 'resources/system', 'access', 'cli'] },
  passkeys: { writtenBy: ['domain/accounts'] },
  used_challenges: { writtenBy: ['domain/accounts'] },
  authenticator_apps: { writtenBy: ['domain/accounts'] },
  recovery_codes: { writtenBy: ['domain/accounts'] },
  pending_sign_ins: { writtenBy: ['domain/accounts'] },
  oidc_identities: { writtenBy: ['domain/accounts'] },
  oidc_requests: { writtenBy: ['domain/accounts'] },
  organizations: {
    writtenBy: ['domain/organizations'],
    readBy: ['access', 'cli', 'domain/members', 'domain/saml', 'domain/sites', 'resources/organizations', 'storage'],
  },
  email_domains: { writtenBy: ['resources/organizations'], readBy: ['domain/saml'] },
  members: {
    writtenBy: ['domain/members'],
    readBy: [
      'access',
      'domain/audit',
      'domain/comments',
      'domain/permissions',
      'domain/spaces',
      'domain/users',
      'resources/hostnames',
      'resources/organizations',
      'resources/permissions',
      'resources/scim',
    ],
  },
  teams: { writtenBy: ['domain/teams'], readBy: ['domain/permissions', 'resources/permissions', 'resources/scim'] },
  team_members: {
    writtenBy: ['domain/teams'],
    readBy: [
      'access',
      'domain/members',
      'domain/permissions',
      'resources/organizations',
      'resources/permissions',
      'resources/scim',
    ],
  },
  collections: {
    writtenBy: ['domain/spaces'],
    readBy: ['access', 'domain/permissions', 'links', 'resources/permissions'],
  },
  spaces: {
    writtenBy: ['domain/spaces'],
    readBy: ['access', 'derived', 'domain/members', 'domain/permissions', 'domain/sites', 'storage'],
  },
  grants: { writtenBy: ['domain/permissions'], readBy: ['access', 'resources/permissions'] },
  link_invites: { writtenBy: ['resources/invites', 'resources/spaces'], readBy: ['resources/permissions'] },
  email_invites: { writtenBy: ['resources/invites'] },
  scim_tokens: { writtenBy: ['resources/scim', 'resources/system', 'access'] },
  scim_users: { writtenBy: ['resources/scim'], readBy: ['domain/members'] },
  scim_groups: { writtenBy: ['resources/scim'] },
  scim_accounts: { writtenBy: ['resources/scim'], readBy: ['domain/accounts'] },
  revisions: { writtenBy: ['domain/revisions'], readBy: ['derived', 'storage'] },
  computed_sources: { writtenBy: ['domain/computed'] },
  templates: { writtenBy: ['domain/templates'], readBy: ['storage'] },
  translations: { writtenBy: ['domain/translations'], readBy: ['storage'] },
  translation_runs: { writtenBy: ['domain/translations'] },
  translation_pages: { writtenBy: ['domain/translations'] },
  translation_findings: { writtenBy: ['domain/translations'] },
  translation_memory: { writtenBy: ['domain/translations'] },
  translation_usage: { writtenBy: ['domain/translations'] },
  translation_engines: { writtenBy: ['domain/translations'] },
  glossary_entries: { writtenBy: ['domain/translations'] },
  git_connections: { writtenBy: ['domain/git'] },
  git_operations: { writtenBy: ['domain/git'] },
  import_runs: { writtenBy: ['resources/imports'] },
  objects: { writtenBy: ['storage', 'domain/revisions'] },
  unused_blobs: { writtenBy: ['storage'] },
  organization_blobs: { writtenBy: ['storage'] },
  storage_usage: { writtenBy: ['storage'] },
  change_requests: { writtenBy: ['domain/change-requests'] },
  change_request_contributors: { writtenBy: ['domain/change-requests'] },
  change_request_reviews: { writtenBy: ['resources/change-requests'] },
  change_request_reviewers: { writtenBy: ['resources/change-requests'], readBy: ['domain/change-requests'] },
  change_request_conflicts: { writtenBy: ['resources/change-requests'] },
  comments: { writtenBy: ['domain/comments'] },
  comment_reactions: { writtenBy: ['domain/comments'] },
  comment_mentions: { writtenBy: ['domain/comments'] },
  comment_counts: { writtenBy: ['domain/comments'] },
  mention_counts: { writtenBy: ['domain/comments'] },
  uploads: { writtenBy: ['domain/files'], readBy: ['storage'] },
  pdf_files: { writtenBy: ['domain/pdf', 'storage'] },
  openapi_specs: { writtenBy: ['domain/openapi'], readBy: ['storage'] },
  openapi_outlines: { writtenBy: ['domain/openapi'] },
  openapi_versions: { writtenBy: ['domain/openapi'], readBy: ['storage'] },
  linked_specs: { writtenBy: ['domain/openapi'], readBy: ['storage'] },
  embeds: { writtenBy: ['domain/embeds'] },
  audit_events: { writtenBy: ['domain/audit'] },
  sites: {
    writtenBy: ['domain/sites'],
    readBy: ['access', 'cli', 'domain/members', 'domain/permissions', 'resources/insights', 'resources/organizations'],
  },
  site_items: {
    writtenBy: ['domain/sites', 'resources/site-structure'],
    readBy: ['access', 'cli', 'resources/insights'],
  },
  share_links: {
    writtenBy: ['resources/publishing'],
    readBy: ['access', 'resources/insights', 'resources/permissions'],
  },
  customization_previews: { writtenBy: ['domain/sites'] },
  site_images: { writtenBy: ['domain/sites'] },
  site_redirects: { writtenBy: ['resources/site-redirects'] },
  custom_hostnames: { writtenBy: ['resources/hostnames'], readBy: ['access'] },
  site_events: { writtenBy: ['resources/insights'] },
  site_feedback: { writtenBy: ['resources/insights'] },
  search_states: { writtenBy: ['search'] },
  search_sections: { writtenBy: ['search'] },
  search_reuses: { writtenBy: ['derived'] },
  search_vocabulary: { writtenBy: ['search'] },
  highlight_states: { writtenBy: [] },
  highlighted_code: { writtenBy: ['highlight'] },
  link_states: { writtenBy: [] },
  links: { writtenBy: ['links'] },
  link_targets: { writtenBy: ['links'] },
  link_counts: { writtenBy: ['links'] },
  saml_providers: { writtenBy: ['domain/saml'], readBy: ['access'] },
  saml_requests: { writtenBy: ['domain/saml'] },
  saml_replays: { writtenBy: ['domain/saml'] },
  saml_identities: { writtenBy: ['domain/saml'], readBy: ['domain/accounts'] },
  live_events: { writtenBy: ['domain/live'] },
  presence: { writtenBy: ['domain/live'] },
  notification_events: { writtenBy: ['domain/notifications'] },
  notifications: { writtenBy: ['domain/notifications'] },
  notification_settings: { writtenBy: ['domain/notifications'] },
  follows: { writtenBy: ['domain/notifications'] },
  idempotency_keys: { writtenBy: ['http', 'resources/system'] },
  jobs: { writtenBy: ['jobs'], readBy: ['cli', 'resources/imports', 'domain/openapi', 'domain/translations'] },
  schedules: { writtenBy: ['jobs'] },
}

const resolveImports = (file: string): Import[] =>
  findImports(texts.get(file) ?? '').map((to) => ({
    from: file,
    to: to.startsWith('.') ? relative(source, join(source, dirname(file), to)) : to,
  }))

const isInSource = ({ to }: Import) => to.endsWith('.ts')
const imports = files.flatMap(resolveImports)
const ownImports = imports.filter(isInSource)

const topFolderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : '')

const nestedFolders = new Set(['content', 'domain', 'resources'])

/** Returns the folder of a file; two levels deep where the folders on the second level are separate modules. */
function folderOf(file: string): string {
  const parts = file.split('/').slice(0, -1)
  return parts.slice(0, nestedFolders.has(parts[0] ?? '') ? 2 : 1).join('/')
}

test('folders import only the folders that they may import', () => {
  const forbidden = ownImports.filter(({ from, to }) => {
    const allowed = mayImport[topFolderOf(from)]
    if (!allowed || topFolderOf(from) === topFolderOf(to)) return false
    return !allowed.some((folder) => to === folder || topFolderOf(to) === folder)
  })
  expect(forbidden).toEqual([])
})

test('folders do not import each other in a cycle', () => {
  expect(findCycles(ownImports.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) })))).toEqual([])
})

test('files do not import each other in a cycle', () => {
  expect(findCycles(ownImports)).toEqual([])
})

test('a resource does not import the store of another resource', () => {
  const forbidden = ownImports.filter(
    ({ from, to }) =>
      topFolderOf(from) === 'resources' && /^resources\/[^/]+\/store\.ts$/.test(to) && folderOf(from) !== folderOf(to),
  )
  expect(forbidden).toEqual([])
})

test('tables are used only by the folders that may use them', () => {
  const tables = [...(texts.get('schema/tables.ts') ?? '').matchAll(/^ {2}(\w+): \w+Table$/gm)].map(([, name]) => name)
  expect(Object.keys(tableUses).toSorted()).toEqual(tables.toSorted())
  const found: Record<string, { writtenBy: Set<string>; readBy: Set<string> }> = {}
  for (const [file, text] of texts) {
    if (file.startsWith('storage/migrations/')) continue
    for (const { table, isWrite } of findQueries(text)) {
      if (!(table in tableUses)) continue
      const use = (found[table] ??= { writtenBy: new Set(), readBy: new Set() })
      use[isWrite ? 'writtenBy' : 'readBy'].add(folderOf(file) || file)
    }
  }
  // Compared as a whole, so that entries which are no longer needed fail as well.
  const uses = Object.entries(tableUses).map(([table]) => {
    const { writtenBy, readBy } = found[table] ?? { writtenBy: new Set<string>(), readBy: new Set<string>() }
    return [
      table,
      {
        writtenBy: [...writtenBy].toSorted(),
        readBy: [...readBy].filter((folder) => !writtenBy.has(folder)).toSorted(),
      },
    ]
  })
  const allowed = Object.entries(tableUses).map(([table, { writtenBy, readBy = [] }]) => [
    table,
    { writtenBy: writtenBy.toSorted(), readBy: readBy.toSorted() },
  ])
  expect(uses).toEqual(allowed)
})

test('the contract imports only zod, and the content engine only the listed packages', () => {
  const packages = imports.filter((one) => !isInSource(one))
  expect(packages.filter(({ from, to }) => topFolderOf(from) === 'contract' && to !== 'zod')).toEqual([])
  const ofContent = packages
    .filter(({ from }) => topFolderOf(from) === 'content')
    .map(({ from, to }) => `${from} ${to}`)
  expect(ofContent.sort()).toEqual([
    'content/markdown/emoji.ts gemoji',
    'content/markdown/front-matter.ts yaml',
    'content/markdown/mdast.ts mdast',
    'content/markdown/mdast.ts satteri',
    'content/markdown/print-front-matter.ts yaml',
    'content/markdown/simple-yaml.ts yaml',
    'content/markdown/slug.ts any-ascii',
    'content/markdown/summary.ts yaml',
    'content/markdown/yaml-depth.ts yaml',
    'content/repository/config.ts yaml',
    'content/repository/tags.ts yaml',
    'content/repository/variables.ts yaml',
    'content/repository/yaml-edits.ts yaml',
    'content/repository/yaml-print.ts yaml',
    'content/repository/yaml-text.ts yaml',
  ])
})

test('only the CLI reads the environment', () => {
  const readers = files.filter((file) => texts.get(file)?.includes('process.env'))
  // The second file prints it in code samples.
  expect(readers).toEqual(['cli/environment.ts', 'openapi/samples/javascript.ts'])
})
