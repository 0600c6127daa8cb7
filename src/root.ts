/** The folder of the package: one level above, whether the sources run or what was built of them. */
export const root = new URL('..', import.meta.url)
