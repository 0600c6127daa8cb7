/** Returns the path of a page on the site, without the part that all pages share. */
export const shortenPath = (path: string, base: string): string =>
  decodePath(base !== '' && `${path}/`.startsWith(base) ? `/${path.slice(base.length)}` : path)

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
