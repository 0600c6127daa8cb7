import { z } from 'zod'
import type { StoredRole } from '../schema/values.ts'
import type { Attributes } from './canonical.ts'
import { ScimError } from './errors.ts'
import { octavoUserSchemaId, roleNames } from './schemas.ts'

/** Data that an identity provider sends about a user. */
export interface UserValues {
  userName: string
  externalId: string | null
  displayName: string | null
  givenName: string | null
  familyName: string | null
  formattedName: string | null
  /** In lower case. */
  email: string
  emailType: string
  /** Undefined if the request does not contain it. */
  active: boolean | undefined
  /** Undefined if the request does not contain it. */
  role: StoredRole | undefined
}

const Text = z.string().trim().max(256)
const RequiredText = Text.min(1)
const Email = z.email().max(254).toLowerCase()

/** A boolean; Entra ID sends them as strings. */
const LenientBoolean = z.union([
  z.boolean(),
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false'], { error: 'must be true or false' }))
    .transform((text) => text === 'true'),
])

const Role = z.enum(roleNames, { error: `must be one of ${roleNames.join(', ')}` })

const Element = <Value extends z.ZodType>(value: Value) =>
  z.object({ value, type: Text.optional(), primary: LenientBoolean.optional() })

const UserAttributes = z.object({
  userName: RequiredText,
  externalId: Text.optional(),
  name: z.object({ formatted: Text, familyName: Text, givenName: Text }).partial().optional(),
  displayName: Text.optional(),
  emails: z
    .array(Element(z.string().max(254).optional()))
    .max(20)
    .optional(),
  active: LenientBoolean.optional(),
  roles: z.array(Element(Role)).max(20).optional(),
  [octavoUserSchemaId]: z.object({ role: Role.optional() }).optional(),
})

type UserAttributes = z.infer<typeof UserAttributes>

/** Validates the attributes of a user. `currentRole` is the role that the user has, if the user exists. */
export function parseUserValues(attributes: Attributes, currentRole?: StoredRole): UserValues {
  const parsed = parseAttributes(UserAttributes, attributes)
  const { userName, name = {}, active } = parsed
  return {
    userName,
    externalId: parsed.externalId || null,
    displayName: parsed.displayName || null,
    givenName: name.givenName || null,
    familyName: name.familyName || null,
    formattedName: name.formatted || null,
    ...pickEmail(parsed),
    active,
    role: pickRole(parsed, currentRole),
  }
}

/** Parses attributes with a schema; the error names the first invalid attribute. */
export function parseAttributes<S extends z.ZodType>(schema: S, attributes: Attributes): z.infer<S> {
  const result = schema.safeParse(attributes)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ScimError('invalidValue', `${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'is invalid'}`)
}

/** Returns the primary address, the one for work, or the first; without addresses, the user name if it is one. */
function pickEmail({ emails = [], userName }: UserAttributes): Pick<UserValues, 'email' | 'emailType'> {
  const given = emails.filter(({ value }) => value)
  const chosen =
    given.findLast(({ primary }) => primary) ?? given.find(({ type }) => type?.toLowerCase() === 'work') ?? given[0]
  const email = Email.safeParse(chosen?.value ?? userName)
  if (!email.success) {
    throw new ScimError('invalidValue', 'emails: an email address is required, because userName is not one')
  }
  return { email: email.data, emailType: chosen?.type || 'work' }
}

/** Returns the role in `roles` or in the extension; if both are given, the one that differs from the current role. */
function pickRole(attributes: UserAttributes, currentRole: StoredRole | undefined): StoredRole | undefined {
  const { roles = [], [octavoUserSchemaId]: extension } = attributes
  const given = [extension?.role, (roles.findLast(({ primary }) => primary) ?? roles[0])?.value]
  return given.find((role) => role !== undefined && role !== currentRole) ?? given.find((role) => role !== undefined)
}

/** Maximum length of the display name of an account. */
const maxAccountName = 64

/** Returns the name of the account that is created for a user. */
export function toAccountName(values: UserValues): string {
  const { displayName, formattedName, givenName, familyName, userName } = values
  const parts = [givenName, familyName].filter((part) => part !== null).join(' ')
  const name = displayName ?? formattedName ?? (parts || userName)
  return name.slice(0, maxAccountName).toWellFormed().trim()
}
