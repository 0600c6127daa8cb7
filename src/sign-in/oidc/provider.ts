/** OpenID Connect provider that the operator has configured. */
export interface OidcProvider {
  /** Part of the URLs of the sign-in. */
  id: string
  /** Name on the sign-in page. */
  label: string
  issuer: string
  clientId: string
  clientSecret: string
  /** Whether people without an account and without an invite get an account. */
  allowSignUp: boolean
  /** Domains of email addresses that may sign in; undefined for all. */
  domains: readonly string[] | undefined
  /** Whether email addresses are trusted without the `email_verified` claim. */
  trustEmail: boolean
}
