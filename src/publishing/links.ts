const ownOrigin = 'https://site.invalid'

/**
 * Whether browsers resolve an address to a path on the current host. They remove tabs and line breaks and treat `\` as `/`, so
 * `/<tab>/example.com` is another host.
 */
export function isPathOnHost(address: string): boolean {
  return address.startsWith('/') && URL.canParse(address, ownOrigin) && new URL(address, ownOrigin).origin === ownOrigin
}
