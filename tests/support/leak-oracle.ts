import type { LeakSite, SiteFacts } from './leak-world.ts'
import type { Guard, Secret, Unlisted } from './leak-words.ts'

// Expected visibility on a site, independent of the server's implementation.

/** Properties of a visitor of a site. */
export interface Visitor {
  name: string
  /** Plan in a visitor token that is valid for this site. */
  token?: 'pro' | 'free'
  isTester?: boolean
  shareKey?: 'active' | 'other'
  /** Preview of this site by a member who sees all spaces or not all of them. */
  preview?: { isLimited: boolean; seesDrafts: boolean; plan?: 'pro' | undefined }
}

/** Form of a reply; `absent` is a missing page, which contains the navigation and search suggestions. */
export type Form = 'page' | 'list' | 'search' | 'absent' | 'index' | 'engines' | 'api'

export interface Asked {
  form: Form
  /** Keys of the requested page and its ancestors. */
  pages: readonly string[]
  aside?: 'proposed' | 'former'
}

/**
 * Whether a visitor may access a site. Previews can access everything; otherwise the site must be published, and may require a
 * key or a token.
 */
export function getsIn({ visibility, isPublished }: SiteFacts, visitor: Visitor): boolean {
  if (visitor.preview) return true
  if (!isPublished) return false
  if (visibility === 'share-link') return visitor.shareKey === 'active'
  return visibility !== 'visitor-auth' || visitor.token !== undefined
}

/** Whether a visitor with access satisfies a guard. Sites that are not adaptive ignore the properties of visitors. */
function passes(guard: Guard, { isAdaptive }: SiteFacts, visitor: Visitor): boolean {
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
export function maySee(site: LeakSite, guards: readonly Guard[], visitor: Visitor, isClosed = false): boolean {
  const { preview: _, ...alone } = visitor
  const who = isClosed && visitor.preview?.isLimited === true ? alone : visitor
  return getsIn(site, who) && guards.every((guard) => passes(guard, site, who))
}

/** Forms that omit content which can still be opened by its URL. */
const leftOut: Record<Unlisted, readonly Form[]> = {
  'hidden space': ['list', 'page', 'index', 'engines'],
  hidden: ['list', 'page', 'index', 'engines', 'search', 'absent'],
  search: ['index', 'engines', 'search'],
  engines: ['engines'],
}

/** Whether a reply of a site to a visitor may contain a word. */
export function mayHold(site: LeakSite, visitor: Visitor, asked: Asked, secret: Secret): boolean {
  const guards = secret.rules.get(site.key)
  if (!guards) return false
  if (secret.isSetting && asked.form === 'api') return getsIn(site, visitor) && !secret.isClosed
  const isAsideFor = asked.aside && visitor.preview && maySee(site, [], visitor, secret.isClosed)
  const others = isAsideFor ? guards.filter((guard) => guard !== asked.aside) : guards
  if (!maySee(site, others, visitor, secret.isClosed)) return false
  // Proposed and former content contains the lists of the time when it was written.
  if (isAsideFor) return true
  const isOwnPage = secret.pages.some((page) => asked.pages.includes(page))
  const isOwnSpace = secret.pages.some((page) => asked.pages.some((one) => spaceOf(one) === spaceOf(page)))
  return secret.unlisted.every(
    (kind) => (kind === 'hidden space' ? isOwnSpace : isOwnPage) || !leftOut[kind].includes(asked.form),
  )
}

/** Returns the key of a page's space, which is the first part of the page's key. */
const spaceOf = (page: string): string => page.split('/')[0] ?? ''
