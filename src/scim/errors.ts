import { AppError } from '../kernel/errors.ts'

/** Error types of RFC 7644, section 3.12, that this server reports. */
export type ScimErrorType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

/** Error with the type that SCIM defines for it. */
export class ScimError extends AppError {
  readonly scimType: ScimErrorType

  constructor(scimType: ScimErrorType, message: string) {
    super(scimType === 'uniqueness' ? 'conflict' : 'invalid', message)
    this.name = 'ScimError'
    this.scimType = scimType
  }
}

/** Maximum length of an error message, which may contain input of the caller. */
const maxDetailLength = 1000

/** Returns the body of an error reply (RFC 7644, section 3.12). */
export function presentError(status: number, message: string, scimType?: ScimErrorType) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
    detail: message.length > maxDetailLength ? `${message.slice(0, maxDetailLength).toWellFormed()}…` : message,
  }
}
