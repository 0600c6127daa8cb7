/** This server as identity providers see it: one service for each provider, so that providers cannot be confused. */
export interface ServiceUrls {
  entityID: string
  acsURL: string
  startURL: string
  logoutURL: string
}

/** Returns the URLs of the service for a provider; `urlOf` makes an absolute URL of a path. */
export function serviceUrls(urlOf: (path: string) => string, providerId: string): ServiceUrls {
  const at = (name: string) => urlOf(`/saml/${providerId}/${name}`)
  return { entityID: at('metadata'), acsURL: at('acs'), startURL: at('start'), logoutURL: at('logout') }
}
