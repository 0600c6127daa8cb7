/** Error about a SAML message, certificate or metadata that is not accepted. The message is shown to users. */
export class SamlError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SamlError'
  }
}
