import type { AdaptiveClaim, AdaptiveJSONSchema } from '../../../../contract/adaptive-schema.ts'

/** A claim that the form can edit. */
export interface FormClaim {
  name: string
  type: 'string' | 'values' | 'number' | 'boolean'
  /** Allowed values of the type `values`. */
  values: string
  description: string
  /** Whether only a signed token can contain it; other claims can be part of an address. */
  isSigned: boolean
}

/** A schema for the form; lists and objects are kept as they are. */
export interface FormSchema {
  claims: readonly FormClaim[]
  others: { signed: Record<string, AdaptiveClaim>; unsigned: Record<string, AdaptiveClaim> }
}

export const emptyClaim: FormClaim = { name: '', type: 'string', values: '', description: '', isSigned: true }

export const emptySchema: AdaptiveJSONSchema = { type: 'object', properties: {}, additionalProperties: false }

const unsignedDescription = 'Unsigned claims of the site visitor.'

/** Converts a schema to the values of the form. */
export function toFormSchema({ properties }: AdaptiveJSONSchema): FormSchema {
  const claims: FormClaim[] = []
  const others: FormSchema['others'] = { signed: {}, unsigned: {} }
  const { unsigned, ...signed } = properties
  const add = (name: string, claim: AdaptiveClaim, isSigned: boolean) => {
    if (claim.type === 'object' || claim.type === 'array') {
      others[isSigned ? 'signed' : 'unsigned'][name] = claim
      return
    }
    const values = claim.type === 'string' ? claim.enum : undefined
    claims.push({
      name,
      type: values ? 'values' : claim.type,
      values: values?.join(', ') ?? '',
      description: claim.description ?? '',
      isSigned,
    })
  }
  for (const [name, claim] of Object.entries(signed)) add(name, claim, true)
  if (unsigned?.type === 'object')
    for (const [name, claim] of Object.entries(unsigned.properties)) add(name, claim, false)
  return { claims, others }
}

/** Converts the values of the form to a schema. */
export function toJsonSchema({ claims, others }: FormSchema): AdaptiveJSONSchema {
  const toProperties = (isSigned: boolean) => ({
    ...others[isSigned ? 'signed' : 'unsigned'],
    ...Object.fromEntries(
      claims.filter((claim) => claim.isSigned === isSigned).map((claim) => [claim.name.trim(), toClaim(claim)]),
    ),
  })
  const unsigned = toProperties(false)
  return {
    ...emptySchema,
    properties: {
      ...toProperties(true),
      ...(Object.keys(unsigned).length > 0 && {
        unsigned: {
          type: 'object',
          description: unsignedDescription,
          properties: unsigned,
          additionalProperties: false,
        },
      }),
    },
  }
}

function toClaim({ type, values, description }: FormClaim): AdaptiveClaim {
  if (type !== 'values') return { type, description }
  const allowed = values.split(',').map((value) => value.trim())
  return { type: 'string', enum: [...new Set(allowed.filter((value) => value !== ''))], description }
}
