import type { AdaptiveClaim, AdaptiveJSONSchema, AdaptiveTemplateCondition } from '../contract/adaptive-schema.ts'

const maxLabelLength = 200

/** Returns suggested conditions: one for each value of the boolean and enum claims. */
export function createTemplateConditions({ properties }: AdaptiveJSONSchema): AdaptiveTemplateCondition[] {
  return conditionsOfProperties(properties, 'visitor.claims')
}

function conditionsOfProperties(
  properties: Readonly<Record<string, AdaptiveClaim>>,
  owner: string,
): AdaptiveTemplateCondition[] {
  return Object.entries(properties).flatMap(([name, claim]) =>
    conditionsOfClaim(claim, `${owner}${toMemberAccess(name)}`),
  )
}

function conditionsOfClaim(claim: AdaptiveClaim, path: string): AdaptiveTemplateCondition[] {
  const toCondition = (value: string, literal: string) => ({
    description: `${(claim.description || path).slice(0, maxLabelLength)}: ${value}`,
    condition: `${path} === ${literal}`,
  })
  switch (claim.type) {
    case 'boolean':
      return [toCondition('true', 'true'), toCondition('false', 'false')]
    case 'string':
      return (claim.enum ?? []).map((value) => toCondition(value, toStringLiteral(value)))
    case 'object':
      return conditionsOfProperties(claim.properties, path)
    default:
      return []
  }
}

const toMemberAccess = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${toStringLiteral(name)}]`)

const toStringLiteral = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
