import { type Allowance, type Verdict as ConditionVerdict, condition, scopeOf } from '../content/expression/index.ts'
import type { SiteVisibility } from '../contract/site.ts'

// Who sees what of a site. Everything that shows something of one asks here, and nowhere else.

/** Somebody who looks at a site, as far as it matters for what they see. */
export interface Visitor {
  /** Whether they came by a share link that is active. */
  hasShareLink: boolean
  /** Whether they have proved who they are. */
  isSignedIn: boolean
  /** Whether they were let in by a member to see how the site will be. */
  isPreviewing: boolean
  seesDrafts: boolean
  /** What is known about them, with what they say of themselves under `unsigned`. */
  claims: Readonly<Record<string, unknown>>
}

export const anonymousVisitor: Visitor = {
  hasShareLink: false,
  isSignedIn: false,
  isPreviewing: false,
  seesDrafts: false,
  claims: {},
}

/** What decides who gets into a site. */
export interface AccessRules {
  isPublished: boolean
  visibility: SiteVisibility
}

export type Refusal = 'unpublished' | 'share-link' | 'visitor-auth'

/** Why a visitor does not get into a site; undefined when they do. */
export function findRefusal({ isPublished, visibility }: AccessRules, visitor: Visitor): Refusal | undefined {
  if (visitor.isPreviewing) return undefined
  if (!isPublished) return 'unpublished'
  if (visibility === 'share-link' && !visitor.hasShareLink) return 'share-link'
  if (visibility === 'visitor-auth' && !visitor.isSignedIn) return 'visitor-auth'
  return undefined
}

/** Anything that may be kept from visitors: a group, a section, a site space, a page, a block. */
export interface Guarded {
  isDraft?: boolean
  /** Whether the navigation leaves it out; whoever knows its address sees it. */
  isHidden?: boolean
  condition?: string | null | undefined
}

export interface Visibility {
  isVisible: boolean
  /** Whether it is shown to those who did not ask for it. */
  isListed: boolean
  /** What keeps it from them: it is a draft, its condition, or something that it stands in. */
  reason?: 'draft' | 'condition' | 'inside'
  /** Why a condition could not be evaluated; it then does not hold. */
  error?: string
}

/** What conditions can read besides the claims of the visitor. */
export interface ConditionVariables {
  space?: Readonly<Record<string, unknown>> | undefined
  page?: Readonly<Record<string, unknown>> | undefined
}

const shown: Visibility = { isVisible: true, isListed: true }
const nothing: ConditionVariables = {}

/** Maximum number of steps of all conditions for one visitor and request: 50 for each of 100,000 pages, in about half a second. */
const maxSteps = 5_000_000

/** What one visitor sees. Each condition is evaluated once, however often it stands somewhere. */
export class Viewpoint {
  readonly #seesDrafts: boolean
  readonly #claims: Readonly<Record<string, unknown>> | undefined
  readonly #allowance: Allowance = { steps: maxSteps }
  readonly #known = new WeakMap<ConditionVariables, Map<string, ConditionVerdict>>()

  private constructor(seesDrafts: boolean, claims: Readonly<Record<string, unknown>> | undefined) {
    this.#seesDrafts = seesDrafts
    this.#claims = claims
  }

  static of({ seesDrafts, claims }: Visitor): Viewpoint {
    return new Viewpoint(seesDrafts, claims)
  }

  /** What a member sees who asks what a site is made of: conditions are about visitors. */
  static ofMember({ seesDrafts }: { seesDrafts: boolean }): Viewpoint {
    return new Viewpoint(seesDrafts, undefined)
  }

  /** What whoever reads a site sees: a visitor, or else a member. */
  static ofReader(visitor: Visitor | undefined, asMember: { seesDrafts: boolean }): Viewpoint {
    return visitor ? Viewpoint.of(visitor) : Viewpoint.ofMember(asMember)
  }

  get isOfVisitor(): boolean {
    return this.#claims !== undefined
  }

  /** Whether the last of these is visible; each stands in the one before it. */
  see(chain: readonly Guarded[], variables: ConditionVariables = nothing): Visibility {
    let verdict = shown
    for (const guarded of chain) {
      verdict = this.#within(verdict, guarded, variables)
      if (!verdict.isVisible)
        return guarded === chain.at(-1) ? verdict : { isVisible: false, isListed: false, reason: 'inside' }
    }
    return verdict
  }

  #within(
    around: Visibility,
    { isDraft, isHidden, condition: source }: Guarded,
    variables: ConditionVariables,
  ): Visibility {
    if (isDraft && !this.#seesDrafts) return { isVisible: false, isListed: false, reason: 'draft' }
    const { value, error } = source ? this.#holds(source, variables) : { value: true }
    if (!value) return { isVisible: false, isListed: false, reason: 'condition', ...(error !== undefined && { error }) }
    return isHidden ? { isVisible: true, isListed: false } : around
  }

  /** Whether a condition holds for them. */
  #holds(source: string, variables: ConditionVariables): ConditionVerdict {
    const claims = this.#claims
    if (!claims) return { value: true }
    let known = this.#known.get(variables)
    if (!known) this.#known.set(variables, (known = new Map<string, ConditionVerdict>()))
    let verdict = known.get(source)
    if (!verdict) {
      const scope = scopeOf({ visitorClaims: claims, spaceVariables: variables.space, pageVariables: variables.page })
      known.set(source, (verdict = condition(source, scope, this.#allowance)))
    }
    return verdict
  }
}
