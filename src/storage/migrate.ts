import { sql } from 'kysely'
import type { Database } from './database.ts'
import { ground } from './migrations/001-ground.ts'
import { content } from './migrations/002-content.ts'
import { git } from './migrations/003-git.ts'
import { sites } from './migrations/004-sites.ts'
import { search } from './migrations/005-search.ts'
import { insights } from './migrations/006-insights.ts'
import { highlightedCode } from './migrations/007-highlighted-code.ts'
import { gitProvider } from './migrations/008-git-provider.ts'
import { storageUsage } from './migrations/009-storage-usage.ts'
import { decisions } from './migrations/010-decisions.ts'
import { comments } from './migrations/011-comments.ts'
import { links } from './migrations/012-links.ts'
import { templates } from './migrations/013-templates.ts'
import { pdf } from './migrations/014-pdf.ts'
import { commentCounts } from './migrations/015-comment-counts.ts'
import { searchVocabulary } from './migrations/016-search.ts'
import { openapi } from './migrations/017-openapi.ts'
import { embeds } from './migrations/018-embeds.ts'
import { linkedSpecs } from './migrations/019-linked-specs.ts'
import { computedPages } from './migrations/020-computed-pages.ts'
import { signIn } from './migrations/021-sign-in.ts'
import { audit } from './migrations/022-audit.ts'
import { scim } from './migrations/023-scim.ts'
import { saml } from './migrations/024-saml.ts'
import { oauth } from './migrations/025-oauth.ts'
import { passkeys } from './migrations/026-passkeys.ts'
import { oidc } from './migrations/027-oidc.ts'
import { translations } from './migrations/028-translations.ts'
import { liveEvents } from './migrations/029-live-events.ts'
import { changeRequestCreators } from './migrations/030-change-request-creators.ts'
import { notifications } from './migrations/031-notifications.ts'
import { siteChecks } from './migrations/032-site-checks.ts'
import { access } from './migrations/033-access.ts'
import { siteCustomization } from './migrations/034-site-customization.ts'
import { siteImageUsage } from './migrations/035-site-image-usage.ts'
import { searchSpelling } from './migrations/036-search-spelling.ts'
import { samlMetadata } from './migrations/037-saml-metadata.ts'
import { searchPending } from './migrations/038-search-pending.ts'
import { presenceBlock } from './migrations/039-presence-block.ts'
import type { Db } from '../schema/tables.ts'

interface Migration {
  name: string
  /** SQL statements for both engines, or for each engine where they differ. */
  statements: string | Record<Database['engine'], string>
}

/** Migrations in order; a released migration is never changed. */
const migrations: readonly Migration[] = [
  { name: 'ground', statements: ground },
  { name: 'content', statements: content },
  { name: 'git', statements: git },
  { name: 'sites', statements: sites },
  { name: 'search', statements: search },
  { name: 'insights', statements: insights },
  { name: 'highlighted code', statements: highlightedCode },
  { name: 'git provider', statements: gitProvider },
  { name: 'storage usage', statements: storageUsage },
  { name: 'decisions', statements: decisions },
  { name: 'comments', statements: comments },
  { name: 'links', statements: links },
  { name: 'templates', statements: templates },
  { name: 'pdf', statements: pdf },
  { name: 'comment counts', statements: commentCounts },
  { name: 'search vocabulary', statements: searchVocabulary },
  { name: 'openapi', statements: openapi },
  { name: 'embeds', statements: embeds },
  { name: 'linked specs', statements: linkedSpecs },
  { name: 'computed pages', statements: computedPages },
  { name: 'sign-in', statements: signIn },
  { name: 'audit', statements: audit },
  { name: 'scim', statements: scim },
  { name: 'saml', statements: saml },
  { name: 'oauth', statements: oauth },
  { name: 'passkeys', statements: passkeys },
  { name: 'oidc', statements: oidc },
  { name: 'translations', statements: translations },
  { name: 'live events', statements: liveEvents },
  { name: 'change request creators', statements: changeRequestCreators },
  { name: 'notifications', statements: notifications },
  { name: 'site checks', statements: siteChecks },
  { name: 'access', statements: access },
  { name: 'site customization', statements: siteCustomization },
  { name: 'site image usage', statements: siteImageUsage },
  { name: 'search spelling', statements: searchSpelling },
  { name: 'saml metadata', statements: samlMetadata },
  { name: 'search pending', statements: searchPending },
  { name: 'presence block', statements: presenceBlock },
]

export const latestSchemaVersion = migrations.length

export class DatabaseTooNew extends Error {
  constructor(version: number) {
    super(
      `The database has version ${version}, which is newer than this version of Octavo (${latestSchemaVersion}) supports. ` +
        'Start the newer version of Octavo that wrote it, or restore a backup.',
    )
    this.name = 'DatabaseTooNew'
  }
}

/** Migrates the database to the latest version, each step in its own transaction; returns the names of the applied steps. */
export async function migrate(database: Database): Promise<string[]> {
  const applied: string[] = []
  for (;;) {
    const version = await readSchemaVersion(database.reader, database.engine)
    if (version > latestSchemaVersion) throw new DatabaseTooNew(version)
    const migration = migrations[version]
    if (!migration) return applied
    try {
      await database.unlimited.transaction((db) => applyMigration(db, database.engine, version, migration))
      applied.push(migration.name)
    } catch (error) {
      // When two processes of a cluster start at the same time, one of them finds that the step was already applied.
      if ((await readSchemaVersion(database.reader, database.engine)) === version) throw error
    }
  }
}

/** Returns the schema version of a database; 0 if it is empty. */
export async function readSchemaVersion(db: Db, engine: Database['engine']): Promise<number> {
  const tables =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name = 'migrations'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = current_schema() and table_name = 'migrations'`
  if ((await tables.execute(db)).rows.length === 0) return 0
  const { rows } = await sql<{ version: number | null }>`select max(version) as version from migrations`.execute(db)
  return rows[0]?.version ?? 0
}

async function applyMigration(
  db: Db,
  engine: Database['engine'],
  version: number,
  { name, statements }: Migration,
): Promise<void> {
  if (version === 0) {
    await sql`create table migrations (version integer primary key, name text not null, applied_at text not null)`.execute(
      db,
    )
  }
  const text = typeof statements === 'string' ? statements : statements[engine]
  for (const statement of text.split(';\n')) await sql.raw(statement).execute(db)
  await sql`insert into migrations (version, name, applied_at)
    values (${version + 1}, ${name}, ${new Date().toISOString()})`.execute(db)
}
