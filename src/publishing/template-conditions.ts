import type { AdaptiveClaim, AdaptiveJSONSchema, AdaptiveTemplateCondition } from '../contract/adaptive-schema.ts'

const maxLabelLength = 200

/** Returns suggested conditions: one for each value of the boolean and enum claims. */
export function templateConditions({ properties }: AdaptiveJSONSchema): AdaptiveTemplateCondition[] {
  return ofProperties(properties, 'visitor.claims')
}

function ofProperties(properties: Readonly<Record<string, AdaptiveClaim>>, owner: string): AdaptiveTemplateCondition[] {
  return Object.entries(properties).flatMap(([name, claim]) => ofClaim(claim, `${owner}${access(name)}`))
}

function ofClaim(claim: AdaptiveClaim, path: string): AdaptiveTemplateCondition[] {
  const holds = (value: string, literal: string) => ({
    description: `${(claim.description || path).slice(0, maxLabelLength)}: ${value}`,
    condition: `${path} === ${literal}`,
  })
  switch (claim.type) {
    case 'boolean':
      return [holds('true', 'true'), holds('false', 'false')]
    case 'string':
      return (claim.enum ?? []).map((value) => holds(value, quoted(value)))
    case 'object':
      return ofProperties(claim.properties, path)
    default:
      return []
  }
}

const access = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${quoted(name)}]`)

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
