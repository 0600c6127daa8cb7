/** The folder of the package: one level above the sources, and also above the built files. */
export const root = new URL('..', import.meta.url)
