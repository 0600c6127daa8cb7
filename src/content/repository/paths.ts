// Pages refer to each other by the paths of files, as they lie in a repository: a page is `<path>.md`,
// a page with others below it is `<path>/README.md`, and the first page is `README.md` at the top.

/** Where the Markdown of a page would lie. */
export function fileOfPage(path: string, { isHome, hasChildren }: { isHome: boolean; hasChildren: boolean }): string {
  if (isHome) return 'README.md'
  return hasChildren ? `${path}/README.md` : `${path}.md`
}

/** The folder of a file, without a slash at its end; empty at the top. */
export function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
}

/**
 * What a path means that is written in a file of this folder, with a slash at its end when it names a folder; undefined
 * when it leads out of the repository.
 */
export function joinPath(folder: string, path: string): string | undefined {
  const steps = path.startsWith('/') || folder === '' ? [] : folder.split('/')
  for (const step of path.split('/')) {
    if (step === '..') {
      if (steps.pop() === undefined) return undefined
    } else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/') + (/(?:\/|(?:^|\/)\.\.?)$/.test(path) && steps.length > 0 ? '/' : '')
}

/** How a file is named as seen from another one; a README by its folder. */
export function relativePath(from: string, to: string): string {
  const start = from.split('/').slice(0, -1)
  const end = to.replace(/(^|\/)README\.md$/, '$1').split('/')
  let shared = 0
  while (shared < start.length && shared < end.length - 1 && start[shared] === end[shared]) shared++
  const path = [...start.slice(shared).map(() => '..'), ...end.slice(shared)].join('/')
  return path === '' ? './' : path
}

/** The paths that a page may have when its file is named so: with and without its ending, or by its folder. */
export function pagePathOf(file: string): string {
  return file
    .replace(/(^|\/)README\.md$/i, '')
    .replace(/\.md$/i, '')
    .replace(/\/$/, '')
}

/** What a path names, however it is written: without case, ending, or the README of a folder. */
export function nameOf(path: string): string {
  return withoutFinalSlashes(
    path
      .normalize('NFC')
      .toLowerCase()
      .replace(/(^|\/)readme\.md$/, '$1')
      .replace(/\.(?:md|markdown)$/, ''),
  )
}

/** Searched backwards: an expression such as `\/+$` would begin anew at every slash before. */
export function withoutFinalSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path)

/** The last part of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** A path without percent encoding; one that cannot be decoded is no encoded one. */
export function percentDecoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** How a file is named as seen from another one, by its whole name. */
export function relativeFile(from: string, to: string): string {
  const [start, end] = [from.split('/').slice(0, -1), to.split('/')]
  let shared = 0
  while (shared < start.length && shared < end.length - 1 && start[shared] === end[shared]) shared++
  return [...start.slice(shared).map(() => '..'), ...end.slice(shared)].join('/')
}
