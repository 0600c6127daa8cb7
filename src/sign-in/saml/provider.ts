import { isActive, findProviderById } from '../../domain/saml/provider-store.ts'
import { AppError, conflict, notFound } from '../../kernel/errors.ts'
import { parseCertificates } from '../../saml/certificates.ts'
import { SamlError } from '../../saml/error.ts'
import { type ServiceUrls, serviceUrls } from '../../saml/service.ts'
import type { Row } from '../../schema/tables.ts'
import type { PageContext } from '../context.ts'

/** Provider of a request, with the URLs of this server for it. */
export interface RequestedProvider {
  provider: Row<'saml_providers'>
  service: ServiceUrls
}

/** Returns the provider in the path, whether it is configured or not. */
export async function getProvider({ database, params, urls }: PageContext): Promise<RequestedProvider> {
  const provider = await findProviderById(database.reader, params['providerId'] ?? '')
  if (!provider) throw notFound('identity provider')
  return { provider, service: serviceUrls((path) => urls.plain(path), provider.id) }
}

/** Returns the provider in the path if people can sign in with it. */
export async function getActiveProvider(context: PageContext): Promise<RequestedProvider> {
  const found = await getProvider(context)
  if (!isActive(found.provider)) throw conflict('This identity provider is not configured yet. Ask an administrator')
  return found
}

/** Returns the certificates of a provider, one in PEM format for each. */
export const certificatesOf = ({ certificate }: Row<'saml_providers'>): string[] => parseCertificates(certificate).pems

/** Runs a function that reads messages; errors about a message are reported to the browser and logged. */
export async function readMessage<T>(
  { log }: PageContext,
  { provider }: RequestedProvider,
  read: () => T | Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof SamlError)) throw error
    log.info('A SAML message was refused', {
      organization: provider.organization_id,
      provider: provider.id,
      reason: error.message,
    })
    throw new AppError('invalid', error.message)
  }
}
