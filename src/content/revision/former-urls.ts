import type { FormerPath, Objects, Redirect, Root } from './objects.ts'
import { type EntryChange, diffSorted, emptySequence } from './sequence.ts'

const hasSamePage = (a: FormerPath, b: FormerPath): boolean => a.page === b.page

const isSameRedirect = (a: Redirect, b: Redirect): boolean => a.page === b.page && a.anchor === b.anchor

/** Returns the differences between the former paths of two roots. */
export const diffFormerPaths = (objects: Objects, before: Root, after: Root): Promise<EntryChange<FormerPath>[]> =>
  diffSorted(objects, before.formerPaths, after.formerPaths, hasSamePage)

/** Returns the differences between the redirects of two roots. */
export const diffRedirects = (objects: Objects, before: Root, after: Root): Promise<EntryChange<Redirect>[]> =>
  diffSorted(objects, before.redirects ?? emptySequence, after.redirects ?? emptySequence, isSameRedirect)
