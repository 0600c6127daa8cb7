declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  export interface Account {
    accountId: string
    claims(): Record<string, unknown>
  }

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface RequestContext {
    oidc: {
      provider: Provider
      client: { clientId: string }
      session: { accountId: string }
    }
  }

  export interface Configuration {
    clients: { client_id: string; client_secret: string; redirect_uris: string[] }[]
    claims: Record<string, string[]>
    cookies: { keys: string[] }
    jwks: { keys: object[] }
    features: { devInteractions: { enabled: boolean } }
    interactions: { url: (context: unknown, interaction: { uid: string }) => string }
    findAccount: (context: unknown, id: string) => Account | undefined
    loadExistingGrant: (context: RequestContext) => Promise<Grant>
    pkce: { required: () => boolean }
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    Grant: new (values: { accountId: string; clientId: string }) => Grant
    callback(): RequestListener
    interactionFinished(request: IncomingMessage, reply: ServerResponse, result: object): Promise<void>
  }
}
