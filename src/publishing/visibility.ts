import {
  type SharedBudget,
  type ConditionResult,
  evaluateCondition,
  makeExpressionScope,
} from '../content/expression/index.ts'
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
export interface VisibilityRules {
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

const fullyVisible: Visibility = { isVisible: true, isListed: true }
const noVariables: ConditionVariables = {}

/** Maximum number of steps of all conditions for one visitor and request: 50 for each of 100,000 pages, about half a second. */
const maxSteps = 5_000_000

/** Visibility for one visitor. The result of each condition is cached. */
export class Viewpoint {
  readonly #seesDrafts: boolean
  readonly #claims: Readonly<Record<string, unknown>> | undefined
  readonly #allowance: SharedBudget = { steps: maxSteps }
  readonly #results = new WeakMap<ConditionVariables, Map<string, ConditionResult>>()

  private constructor(seesDrafts: boolean, claims: Readonly<Record<string, unknown>> | undefined) {
    this.#seesDrafts = seesDrafts
    this.#claims = claims
  }

  static of({ seesDrafts, claims }: Pick<Visitor, 'seesDrafts' | 'claims'>): Viewpoint {
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
  getVisibility(chain: readonly VisibilityRules[], variables: ConditionVariables = noVariables): Visibility {
    let visibility = fullyVisible
    for (const rules of chain) {
      visibility = this.#applyRules(visibility, rules, variables)
      if (!visibility.isVisible)
        return rules === chain.at(-1) ? visibility : { isVisible: false, isListed: false, reason: 'inside' }
    }
    return visibility
  }

  #applyRules(
    inherited: Visibility,
    { isDraft, isHidden, condition: source }: VisibilityRules,
    variables: ConditionVariables,
  ): Visibility {
    if (isDraft && !this.#seesDrafts) return { isVisible: false, isListed: false, reason: 'draft' }
    const { value, error } = source ? this.#evaluate(source, variables) : { value: true }
    if (!value) return { isVisible: false, isListed: false, reason: 'condition', ...(error !== undefined && { error }) }
    return isHidden ? { isVisible: true, isListed: false } : inherited
  }

  /** Evaluates a condition for the visitor; conditions are always true for members. */
  #evaluate(source: string, variables: ConditionVariables): ConditionResult {
    const claims = this.#claims
    if (!claims) return { value: true }
    let results = this.#results.get(variables)
    if (!results) this.#results.set(variables, (results = new Map<string, ConditionResult>()))
    let result = results.get(source)
    if (!result) {
      const scope = makeExpressionScope({
        visitorClaims: claims,
        spaceVariables: variables.space,
        pageVariables: variables.page,
      })
      results.set(source, (result = evaluateCondition(source, scope, this.#allowance)))
    }
    return result
  }
}
