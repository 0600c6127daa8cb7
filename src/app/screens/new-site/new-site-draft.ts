/** Input before the site exists, which is stored in this browser. */
export interface NewSiteDraft {
  title: string
}

const keyOf = (organizationId: string): string => `octavo.newSite:${organizationId}`

export function readNewSite(organizationId: string): NewSiteDraft {
  return { title: localStorage.getItem(keyOf(organizationId)) ?? '' }
}

export const storeNewSite = (organizationId: string, { title }: NewSiteDraft): void =>
  localStorage.setItem(keyOf(organizationId), title)

export const removeNewSite = (organizationId: string): void => localStorage.removeItem(keyOf(organizationId))

/** Minimum and maximum length of the title of a site. */
export const titleLengths = { min: 2, max: 128 }
