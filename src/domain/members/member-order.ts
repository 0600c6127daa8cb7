/** Columns that members can be sorted by, each with an index that ends in the user id. */
export const memberSortColumns = { joinedAt: 'joined_at', lastSeenAt: 'last_seen_at', name: 'name_key' } as const

export interface MemberOrder {
  column: (typeof memberSortColumns)[keyof typeof memberSortColumns]
  direction: 'asc' | 'desc'
}
