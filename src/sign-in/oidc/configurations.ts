import type { Configuration, ServerMetadata } from 'openid-client'
import type { Fetch } from '../../fetch/fetch.ts'
import type { Log } from '../../kernel/log.ts'
import { type Clock, hours, seconds } from '../../kernel/time.ts'
import type { OidcProvider } from './provider.ts'
import { createProviderFetch } from './provider-fetch.ts'

/** Signature algorithms of ID tokens that are accepted, all of them with public keys. */
const signatureAlgorithms: ReadonlySet<string> = new Set(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'])

/** Time after which the metadata and keys of a provider are fetched again. */
const refreshInterval = hours(1)
/** Time after a failure in which the metadata is not fetched again. */
const retryDelay = seconds(5)
/** Accepted difference between the clocks of the provider and this server, in seconds. */
const clockTolerance = 60
/** Timeout of requests to a provider, in seconds. */
const requestTimeout = 10

type Library = typeof import('openid-client')

export interface ProviderConfiguration {
  library: Library
  configuration: Configuration
}

interface Entry {
  loading: Promise<ProviderConfiguration>
  staleAt: number
}

/** Metadata of providers, which is fetched when it is needed, and cached. */
export class ProviderConfigurations {
  readonly #fetch: Fetch
  readonly #clock: Clock
  readonly #log: Log
  readonly #entries = new Map<string, Entry>()

  constructor({ fetch, clock, log }: { fetch: Fetch; clock: Clock; log: Log }) {
    this.#fetch = fetch
    this.#clock = clock
    this.#log = log
  }

  /** Returns the metadata of a provider. If it cannot be fetched again, the previous one is used. */
  get(provider: OidcProvider): Promise<ProviderConfiguration> {
    const current = this.#entries.get(provider.id)
    if (current && this.#clock() < current.staleAt) return current.loading
    const entry: Entry = {
      loading: this.#discover(provider).catch((error: unknown) => {
        entry.staleAt = this.#clock() + retryDelay
        this.#log.warn('The metadata of an OpenID Connect provider could not be fetched', {
          provider: provider.id,
          error,
        })
        if (current) return current.loading
        throw error
      }),
      staleAt: this.#clock() + refreshInterval,
    }
    this.#entries.set(provider.id, entry)
    return entry.loading
  }

  async #discover({ issuer, clientId, clientSecret }: OidcProvider): Promise<ProviderConfiguration> {
    // The library is loaded only on servers with providers.
    const library = await import('openid-client')
    const url = new URL(issuer)
    const fetch = createProviderFetch(this.#fetch)
    // Without this check, the signature of a token that was received over TLS is not verified.
    const execute = [library.enableNonRepudiationChecks]
    if (url.protocol === 'http:') execute.push(library.allowInsecureRequests)
    const options = { execute, timeout: requestTimeout, [library.customFetch]: fetch }
    const discovered = await library.discovery(url, clientId, clientSecret, undefined, options)
    const metadata: ServerMetadata = discovered.serverMetadata()
    const configuration = new library.Configuration(
      { ...metadata, id_token_signing_alg_values_supported: selectAlgorithms(metadata) },
      clientId,
      { [library.clockTolerance]: clockTolerance },
      metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post')
        ? library.ClientSecretPost(clientSecret)
        : library.ClientSecretBasic(clientSecret),
    )
    configuration.timeout = requestTimeout
    configuration[library.customFetch] = fetch
    for (const enable of execute) enable(configuration)
    return { library, configuration }
  }
}

/** Returns the accepted algorithms that the provider uses. */
function selectAlgorithms(metadata: ServerMetadata): string[] {
  const selected = metadata.id_token_signing_alg_values_supported?.filter((name) => signatureAlgorithms.has(name))
  return selected && selected.length > 0 ? selected : ['RS256']
}
