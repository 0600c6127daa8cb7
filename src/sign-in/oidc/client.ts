import type { Configuration, IDToken, UserInfoResponse } from 'openid-client'
import type { OidcSecrets } from '../../domain/accounts/oidc-requests.ts'
import type { Fetch } from '../../fetch/fetch.ts'
import type { Log } from '../../kernel/log.ts'
import type { Clock } from '../../kernel/time.ts'
import { ProviderConfigurations } from './configurations.ts'
import type { OidcProvider } from './provider.ts'

/** Claims about the person in the browser that a provider has proven. */
export interface OidcClaims {
  issuer: string
  subject: string
  email: string | undefined
  isEmailVerified: boolean
  name: string | undefined
}

/** Maximum length of an ID that a provider gives a person, by the specification. */
const maxSubjectLength = 255

/** Client of the configured OpenID Connect providers. */
export class OidcClient {
  readonly providers: readonly OidcProvider[]
  readonly #configurations: ProviderConfigurations

  constructor(services: { providers: readonly OidcProvider[]; fetch: Fetch; clock: Clock; log: Log }) {
    this.providers = services.providers
    this.#configurations = new ProviderConfigurations(services)
  }

  findProvider(id: string): OidcProvider | undefined {
    return this.providers.find((provider) => provider.id === id)
  }

  /** Returns the URL at which the browser signs in, and the values that its reply must match. */
  async start(provider: OidcProvider, redirectUri: string): Promise<{ url: string; secrets: OidcSecrets }> {
    const { library, configuration } = await this.#configurations.get(provider)
    const secrets = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      codeVerifier: library.randomPKCECodeVerifier(),
    }
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(secrets.codeVerifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, secrets }
  }

  /** Exchanges the code of a callback for claims; fails if anything in the replies of the provider does not match the sign-in. */
  async finish(provider: OidcProvider, callback: URL, secrets: OidcSecrets): Promise<OidcClaims> {
    const { library, configuration } = await this.#configurations.get(provider)
    const tokens = await library.authorizationCodeGrant(configuration, callback, {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('The provider sent no ID token')
    if (claims.sub.length > maxSubjectLength) throw new Error('The subject of the ID token is too long')
    if (claims['email'] !== undefined || !hasUserInfo(configuration)) return toClaims(claims.iss, claims)
    // Many providers put the address only into this reply; it must have the same subject.
    return toClaims(claims.iss, await library.fetchUserInfo(configuration, tokens.access_token, claims.sub))
  }
}

const hasUserInfo = (configuration: Configuration): boolean =>
  configuration.serverMetadata().userinfo_endpoint !== undefined

function toClaims(issuer: string, claims: IDToken | UserInfoResponse): OidcClaims {
  const { sub: subject, email, email_verified: isVerified, name } = claims
  return {
    issuer,
    subject,
    email: typeof email === 'string' ? email : undefined,
    isEmailVerified: isVerified === true,
    name: typeof name === 'string' ? name : undefined,
  }
}
