import { randomText } from '../../kernel/ids.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { hours, timestamp } from '../../kernel/time.ts'
import { type ExplicitSettings, parseStoredSettings } from '../../publishing/customization.ts'
import type { Db, Row } from '../../schema/tables.ts'

/** Unsaved settings of a site. */
export interface PreviewedCustomization {
  id: string
  settings: ExplicitSettings
  /** Changed overrides of site spaces as JSON, by the ID of the site space; null for removed ones. */
  overrides: ReadonlyMap<string, string | null>
}

/** Settings as they are stored: texts, so that each of them is parsed like stored settings. */
interface StoredPreview {
  site: string
  overrides: Record<string, string | null>
}

const previewLifetime = hours(1)

/** Maximum number of previews of a user and a site; an app makes one for each change of the draft. */
const maxPreviews = 10

/** Stores settings for a preview by the calling user; removes expired previews and the oldest ones of the user. */
export async function insertCustomizationPreview(
  { db, site, principal, now }: Pick<SiteContext, 'db' | 'site' | 'principal' | 'now'>,
  preview: StoredPreview,
): Promise<{ id: string; expiresAt: string }> {
  const [createdAt, id] = [now(), randomText(32)]
  const expiresAt = timestamp(Date.parse(createdAt) + previewLifetime)
  await db.deleteFrom('customization_previews').where('expires_at', '<=', createdAt).execute()
  const own = await db
    .selectFrom('customization_previews')
    .where('user_id', '=', principal.user.id)
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .select('id')
    .orderBy('created_at', 'desc')
    .execute()
  const surplus = own.slice(maxPreviews - 1).map((row) => row.id)
  if (surplus.length > 0) await db.deleteFrom('customization_previews').where('id', 'in', surplus).execute()
  await db
    .insertInto('customization_previews')
    .values({
      organization_id: site.organization_id,
      site_id: site.id,
      id,
      user_id: principal.user.id,
      settings: JSON.stringify(preview),
      created_at: createdAt,
      expires_at: expiresAt,
    })
    .execute()
  return { id, expiresAt }
}

/** Finds a preview of a user that has not expired. */
export async function findCustomizationPreview(
  db: Db,
  id: string,
  { userId, now }: { userId: string; now: string },
): Promise<Row<'customization_previews'> | undefined> {
  return db
    .selectFrom('customization_previews')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export function parseCustomizationPreview({ id, settings }: Row<'customization_previews'>): PreviewedCustomization {
  const { site, overrides } = JSON.parse(settings) as StoredPreview
  return { id, settings: parseStoredSettings(site) ?? {}, overrides: new Map(Object.entries(overrides)) }
}
