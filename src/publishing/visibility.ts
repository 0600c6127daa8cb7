import { type Allowance, type ConditionResult, condition, makeExpressionScope } from '../content/expression/index.ts'
import type { SiteVisibility } from '../contract/site.ts'

// Decides which parts of a site are visible to whom; all other code uses this module for these decisions.

/** Properties of a visitor that determine what they can see. */
export interface Visitor {
  /** Whether the request uses an active share link. */
  hasShareLink: boolean
  /** Whether the visitor is authenticated. */
  isSignedIn: boolean
  /** Whether the visitor uses a preview link of a member. */
  isPreviewing: boolean
  seesDrafts: boolean
  /** Claims of the visitor; unsigned ones are under `unsigned`. */
  claims: Readonly<Record<string, unknown>>
}

export const anonymousVisitor: Visitor = {
  hasShareLink: false,
  isSignedIn: false,
  isPreviewing: false,
  seesDrafts: false,
  claims: {},
}

/** Settings that determine who can open a site. */
export interface AccessRules {
  isPublished: boolean
  visibility: SiteVisibility
}

export type Refusal = 'unpublished' | 'share-link' | 'visitor-auth'

/** Returns why a visitor cannot open a site; undefined if they can. */
export function findRefusal({ isPublished, visibility }: AccessRules, visitor: Visitor): Refusal | undefined {
  if (visitor.isPreviewing) return undefined
  if (!isPublished) return 'unpublished'
  if (visibility === 'share-link' && !visitor.hasShareLink) return 'share-link'
  if (visibility === 'visitor-auth' && !visitor.isSignedIn) return 'visitor-auth'
  return undefined
}

/** Anything whose visibility can be restricted: a group, a section, a site space, a page, a block. */
export interface Guarded {
  isDraft?: boolean
  /** Whether it is omitted from the navigation; it can still be opened by its URL. */
  isHidden?: boolean
  condition?: string | null | undefined
}

export interface Visibility {
  isVisible: boolean
  /** Whether it is included in lists such as the navigation. */
  isListed: boolean
  /** Why it is not visible: it is a draft, its condition is false, or an ancestor is not visible. */
  reason?: 'draft' | 'condition' | 'inside'
  /** Error message of a condition that could not be evaluated; such a condition is false. */
  error?: string
}

/** Variables available in conditions besides the claims of the visitor. */
export interface ConditionVariables {
  space?: Readonly<Record<string, unknown>> | undefined
  page?: Readonly<Record<string, unknown>> | undefined
}

const shown: Visibility = { isVisible: true, isListed: true }
const nothing: ConditionVariables = {}

/** Maximum number of steps of all conditions for one visitor and request: 50 for each of 100,000 pages, about half a second. */
const maxSteps = 5_000_000

/** Visibility for one visitor. The result of each condition is cached. */
export class Viewpoint {
  readonly #seesDrafts: boolean
  readonly #claims: Readonly<Record<string, unknown>> | undefined
  readonly #allowance: Allowance = { steps: maxSteps }
  readonly #known = new WeakMap<ConditionVariables, Map<string, ConditionResult>>()

  private constructor(seesDrafts: boolean, claims: Readonly<Record<string, unknown>> | undefined) {
    this.#seesDrafts = seesDrafts
    this.#claims = claims
  }

  static of({ seesDrafts, claims }: Visitor): Viewpoint {
    return new Viewpoint(seesDrafts, claims)
  }

  /** Returns the viewpoint of a member who reads the structure of a site; conditions apply only to visitors. */
  static ofMember({ seesDrafts }: { seesDrafts: boolean }): Viewpoint {
    return new Viewpoint(seesDrafts, undefined)
  }

  /** Returns the viewpoint of a visitor, or of a member if there is no visitor. */
  static ofReader(visitor: Visitor | undefined, asMember: { seesDrafts: boolean }): Viewpoint {
    return visitor ? Viewpoint.of(visitor) : Viewpoint.ofMember(asMember)
  }

  get isOfVisitor(): boolean {
    return this.#claims !== undefined
  }

  /** Returns the visibility of the last item; each item is contained in the one before it. */
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

  /** Evaluates a condition for the visitor; conditions are always true for members. */
  #holds(source: string, variables: ConditionVariables): ConditionResult {
    const claims = this.#claims
    if (!claims) return { value: true }
    let known = this.#known.get(variables)
    if (!known) this.#known.set(variables, (known = new Map<string, ConditionResult>()))
    let verdict = known.get(source)
    if (!verdict) {
      const scope = makeExpressionScope({
        visitorClaims: claims,
        spaceVariables: variables.space,
        pageVariables: variables.page,
      })
      known.set(source, (verdict = condition(source, scope, this.#allowance)))
    }
    return verdict
  }
}
