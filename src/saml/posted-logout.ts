import { SAML } from '@node-saml/node-saml'
import { selectCertificates } from './certificates.ts'
import { decodePostMessage } from './encoding.ts'
import { SamlError } from './error.ts'
import { type LogoutExpectation, type LogoutRequest, checkLogoutMessage, readLogoutRequest } from './logout.ts'
import { checkSignedMessage } from './signature-rules.ts'
import { readXml } from './xml.ts'

/**
 * Verifies a logout request of the POST binding. Its structure allows only a signature of the whole request, so all values of the request
 * are covered by it.
 */
export async function verifyPostedLogoutRequest(encoded: string, expected: LogoutExpectation): Promise<LogoutRequest> {
  const xml = decodePostMessage(encoded)
  const request = readXml(xml)
  checkLogoutMessage('LogoutRequest', request, expected)
  const idpCert = selectCertificates(expected.certificates, checkSignedMessage(request))
  const { destination } = expected
  // The time is checked below, with the clock of the server.
  const verifier = new SAML({ idpCert, issuer: destination, callbackUrl: destination, acceptedClockSkewMs: -1 })
  try {
    await verifier.validatePostRequestAsync({ SAMLRequest: Buffer.from(xml).toString('base64') })
  } catch {
    throw new SamlError('The signature is not valid')
  }
  return readLogoutRequest(request, expected)
}
