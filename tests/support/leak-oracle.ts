import type { LeakSite, SiteFacts } from './leak-world.ts'
import type { Guard, Secret, Unlisted } from './leak-words.ts'

// Who may see what of a site, in plain words. It knows nothing of how the server decides that.

/** What somebody brings to a site. */
export interface Visitor {
  name: string
  /** A token that holds for this site: the plan that it tells. */
  token?: 'pro' | 'free'
  isTester?: boolean
  shareKey?: 'active' | 'other'
  /** A preview of this site, by a member who sees all spaces or not all of them. */
  preview?: { isLimited: boolean; seesDrafts: boolean; plan?: 'pro' | undefined }
}

/** In what form something is asked for; `absent` is a missing page, which has the navigation and what a search suggests. */
export type Form = 'page' | 'list' | 'search' | 'absent' | 'index' | 'engines' | 'api'

export interface Asked {
  form: Form
  /** The page that is asked for, with those that it stands in. */
  pages: readonly string[]
  aside?: 'proposed' | 'former'
}

/** Whether somebody gets in. Previews open everything; else a site is published, and wants a key or a token or neither. */
export function getsIn({ visibility, isPublished }: SiteFacts, visitor: Visitor): boolean {
  if (visitor.preview) return true
  if (!isPublished) return false
  if (visibility === 'share-link') return visitor.shareKey === 'active'
  return visibility !== 'visitor-auth' || visitor.token !== undefined
}

/** Whether a guard lets somebody pass who got in. Sites that are the same for all know nothing of those who come. */
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

/** Whether all guards let somebody pass. In a space that a member cannot open, those whom they let preview are strangers. */
export function maySee(site: LeakSite, guards: readonly Guard[], visitor: Visitor, isClosed = false): boolean {
  const { preview: _, ...alone } = visitor
  const who = isClosed && visitor.preview?.isLimited === true ? alone : visitor
  return getsIn(site, who) && guards.every((guard) => passes(guard, site, who))
}

/** Where something is left out that can be opened by its address. */
const leftOut: Record<Unlisted, readonly Form[]> = {
  'hidden space': ['list', 'page', 'index', 'engines'],
  hidden: ['list', 'page', 'index', 'engines', 'search', 'absent'],
  search: ['index', 'engines', 'search'],
  engines: ['engines'],
}

/** Whether a reply of a site to somebody may hold a word. */
export function mayHold(site: LeakSite, visitor: Visitor, asked: Asked, secret: Secret): boolean {
  const guards = secret.rules.get(site.key)
  if (!guards) return false
  if (secret.isSetting && asked.form === 'api') return getsIn(site, visitor) && !secret.isClosed
  const isAsideFor = asked.aside && visitor.preview && maySee(site, [], visitor, secret.isClosed)
  const others = isAsideFor ? guards.filter((guard) => guard !== asked.aside) : guards
  if (!maySee(site, others, visitor, secret.isClosed)) return false
  // What is proposed, and what was, lists what it listed when it was written.
  if (isAsideFor) return true
  const isOwnPage = secret.pages.some((page) => asked.pages.includes(page))
  const isOwnSpace = secret.pages.some((page) => asked.pages.some((one) => spaceOf(one) === spaceOf(page)))
  return secret.unlisted.every(
    (kind) => (kind === 'hidden space' ? isOwnSpace : isOwnPage) || !leftOut[kind].includes(asked.form),
  )
}

/** Keys of pages begin with that of their space. */
const spaceOf = (page: string): string => page.split('/')[0] ?? ''
