import { maxMetadataLength } from '../../contract/saml.ts'
import { FetchError } from '../../fetch/errors.ts'
import type { Fetch } from '../../fetch/fetch.ts'
import { seconds } from '../../kernel/time.ts'
import { SamlError } from '../../saml/error.ts'

/**
 * Reads the text at the URL of the metadata of an identity provider. Throws a `SamlError` that describes why it could not be read.
 */
export async function fetchMetadata(fetch: Fetch, url: string, signal?: AbortSignal): Promise<string> {
  try {
    const reply = await fetch.get(url, { maxBytes: maxMetadataLength, timeout: seconds(10), ...(signal && { signal }) })
    if (reply.status !== 200) {
      reply.discard()
      throw new SamlError(`could not be read: its server returned the status ${reply.status}`)
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of reply.body) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    throw error instanceof FetchError ? new SamlError(`could not be read: ${error.message}`) : error
  }
}
