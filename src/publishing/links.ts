const ownOrigin = 'https://site.invalid'

/**
 * Whether browsers read an address as a path of the host that they are on. They drop tabs and line breaks and take `\\`
 * for `/`, so that `/<tab>/example.com` names another host.
 */
export function isPathOnHost(address: string): boolean {
  return address.startsWith('/') && URL.canParse(address, ownOrigin) && new URL(address, ownOrigin).origin === ownOrigin
}
