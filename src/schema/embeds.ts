/** Stored data of embeds. */
export interface EmbedsTable {
  organization_id: string
  /** Hash of the URL, which may be too long for a key. */
  url_hash: string
  url: string
  /** `pending` before the first fetch, `absent` if the last fetch found nothing. */
  state: 'pending' | 'found' | 'absent'
  title: string | null
  site: string | null
  description: string | null
  icon: string | null
  player: string | null
  /** Time at which a fetch in the background was requested; null if none is. */
  requested_at: string | null
  /** Time after which the values are fetched again when they are shown. */
  expires_at: string
}
