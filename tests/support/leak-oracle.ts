import type { LeakSite, SiteAccess } from './leak-world.ts'
import type { Guard, Secret, Unlisted } from './leak-words.ts'

// Expected visibility on a site, independent of the server's implementation.

/** Properties of a visitor of a site. */
export interface LeakVisitor {
  name: string
  /** Plan in a visitor token that is valid for this site. */
  token?: 'pro' | 'free'
  isTester?: boolean
  shareKey?: 'active' | 'other'
  /** Preview of this site by a member who sees all spaces or not all of them. */
  preview?: { isLimited: boolean; seesDrafts: boolean; plan?: 'pro' | undefined }
}

/** Form of a reply; `absent` is a missing page, which contains the navigation and search suggestions. */
export type ReplyForm = 'page' | 'list' | 'search' | 'absent' | 'index' | 'engines' | 'api'

export interface RequestTarget {
  form: ReplyForm
  /** Keys of the requested page and its ancestors. */
  pages: readonly string[]
  version?: 'proposed' | 'former'
}

/**
 * Whether a visitor may access a site. Previews can access everything; otherwise the site must be published, and may require a
 * key or a token.
 */
export function hasSiteAccess({ visibility, isPublished }: SiteAccess, visitor: LeakVisitor): boolean {
  if (visitor.preview) return true
  if (!isPublished) return false
  if (visibility === 'share-link') return visitor.shareKey === 'active'
  return visibility !== 'visitor-auth' || visitor.token !== undefined
}

/** Whether a visitor with access satisfies a guard. Sites that are not adaptive ignore the properties of visitors. */
function passes(guard: Guard, { isAdaptive }: SiteAccess, visitor: LeakVisitor): boolean {
  const { preview, token, isTester, name } = visitor
  switch (guard) {
    case 'pro':
      return isAdaptive && (preview ? preview.plan : token) === 'pro'
    case 'tester':
      return isAdaptive && isTester === true && !preview?.plan
    case 'draft':
      return preview?.seesDrafts === true
    case 'nobody':
    case 'proposed':
    case 'former':
      return false
    default:
      return isAdaptive && !preview && token !== undefined && guard === `only ${name}`
  }
}

/** Whether a visitor satisfies all guards. A limited preview has no effect in spaces that the member cannot open. */
export function maySee(site: LeakSite, guards: readonly Guard[], visitor: LeakVisitor, isClosed = false): boolean {
  const { preview: _, ...alone } = visitor
  const who = isClosed && visitor.preview?.isLimited === true ? alone : visitor
  return hasSiteAccess(site, who) && guards.every((guard) => passes(guard, site, who))
}

/** Forms that omit content which can still be opened by its URL. */
const omittedFrom: Record<Unlisted, readonly ReplyForm[]> = {
  'hidden space': ['list', 'page', 'index', 'engines'],
  hidden: ['list', 'page', 'index', 'engines', 'search', 'absent'],
  search: ['index', 'engines', 'search'],
  engines: ['engines'],
}

/** Whether a reply of a site to a visitor may contain a word. */
export function mayContain(site: LeakSite, visitor: LeakVisitor, asked: RequestTarget, secret: Secret): boolean {
  const guards = secret.rules.get(site.key)
  if (!guards) return false
  if (secret.isSetting && asked.form === 'api') return hasSiteAccess(site, visitor) && !secret.isClosed
  const isOtherVersion = asked.version && visitor.preview && maySee(site, [], visitor, secret.isClosed)
  const others = isOtherVersion ? guards.filter((guard) => guard !== asked.version) : guards
  if (!maySee(site, others, visitor, secret.isClosed)) return false
  // Proposed and former content contains the lists of the time when it was written.
  if (isOtherVersion) return true
  const isOwnPage = secret.pages.some((page) => asked.pages.includes(page))
  const isOwnSpace = secret.pages.some((page) => asked.pages.some((one) => spaceOf(one) === spaceOf(page)))
  return secret.unlisted.every(
    (kind) => (kind === 'hidden space' ? isOwnSpace : isOwnPage) || !omittedFrom[kind].includes(asked.form),
  )
}

/** Returns the key of a page's space, which is the first part of the page's key. */
const spaceOf = (page: string): string => page.split('/')[0] ?? ''
