/** Translated texts by `group.name`; those with plural forms by `group.name.category`. */
export type Translation = Readonly<Record<string, string>>
