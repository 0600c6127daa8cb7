// Pages refer to each other by the paths of files in a repository: a page is `<path>.md`, a page with child pages is
// `<path>/README.md`, and the first page is `README.md` in the top-level folder.

/** Returns the path of the Markdown file of a page. */
export function fileOfPage(path: string, { isHome, hasChildren }: { isHome: boolean; hasChildren: boolean }): string {
  if (isHome) return 'README.md'
  return hasChildren ? `${path}/README.md` : `${path}.md`
}

/** Returns the folder of a file, without a trailing slash; empty for the top-level folder. */
export function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
}

/**
 * Resolves a path that is written in a file of a folder, with a trailing slash if it refers to a folder; undefined if it is
 * outside the repository.
 */
export function resolvePath(folder: string, path: string): string | undefined {
  const segments = path.startsWith('/') || folder === '' ? [] : folder.split('/')
  for (const segment of path.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined
    } else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/') + (/(?:\/|(?:^|\/)\.\.?)$/.test(path) && segments.length > 0 ? '/' : '')
}

/** Returns the path of a file relative to another file; for a README, the path of its folder. */
export function relativeLinkPath(from: string, to: string): string {
  const start = from.split('/').slice(0, -1)
  const end = to.replace(/(^|\/)README\.md$/, '$1').split('/')
  let shared = 0
  while (shared < start.length && shared < end.length - 1 && start[shared] === end[shared]) shared++
  const path = [...start.slice(shared).map(() => '..'), ...end.slice(shared)].join('/')
  return path === '' ? './' : path
}

/** Returns the path of the page that a file contains: without its extension, or the folder of a README. */
export function pagePathOf(file: string): string {
  return file
    .replace(/(^|\/)README\.md$/i, '')
    .replace(/\.md$/i, '')
    .replace(/\/$/, '')
}

/** Returns a normalized path that is equal for all spellings: in lower case, without extension and README. */
export function normalizePagePath(path: string): string {
  return stripTrailingSlashes(
    path
      .normalize('NFC')
      .toLowerCase()
      .replace(/(^|\/)readme\.md$/, '$1')
      .replace(/\.(?:md|markdown)$/, ''),
  )
}

/** Removes trailing slashes. An expression such as `\/+$` would be retried at every slash. */
export function stripTrailingSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path)

/** Returns the last part of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Decodes percent-encoding; a path that cannot be decoded is returned unchanged. */
export function decodeFilePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Returns the path of a file relative to another file, including its file name. */
export function relativeFilePath(from: string, to: string): string {
  const [start, end] = [from.split('/').slice(0, -1), to.split('/')]
  let shared = 0
  while (shared < start.length && shared < end.length - 1 && start[shared] === end[shared]) shared++
  return [...start.slice(shared).map(() => '..'), ...end.slice(shared)].join('/')
}
