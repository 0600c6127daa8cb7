import type { TreePage } from '../space/page-rows.ts'

/** A page as a target of links, with the path that links in Markdown use. */
export interface LinkTarget {
  id: string
  title: string
  file: string
}

/** Lists the pages with content as files: those with pages below them are `README.md` of a folder. */
export function listLinkTargets(pages: readonly TreePage[]): LinkTarget[] {
  const targets: LinkTarget[] = []
  const add = (list: readonly TreePage[]) => {
    for (const page of list) {
      const below = 'pages' in page ? (page.pages as readonly TreePage[]) : []
      if (page.type === 'document') {
        const file = targets.length === 0 ? 'README.md' : `${page.path}${below.length > 0 ? '/README' : ''}.md`
        targets.push({ id: page.id, title: page.title, file })
      }
      add(below)
    }
  }
  add(pages)
  return targets
}

/** Returns the path from one file to another. */
export function toRelativePath(from: string, to: string): string {
  const [source, target] = [from.split('/').slice(0, -1), to.split('/')]
  let shared = 0
  while (shared < source.length && shared < target.length - 1 && source[shared] === target[shared]) shared++
  return [...source.slice(shared).map(() => '..'), ...target.slice(shared)].join('/')
}
