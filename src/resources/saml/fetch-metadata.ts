import { maxMetadataLength } from '../../contract/saml.ts'
import { FetchError } from '../../fetch/errors.ts'
import type { Fetch } from '../../fetch/fetch.ts'
import { invalid } from '../../kernel/errors.ts'
import { seconds } from '../../kernel/time.ts'

/** Reads the text at the URL of the metadata of an identity provider. */
export async function fetchMetadata(fetch: Fetch, url: string): Promise<string> {
  try {
    const reply = await fetch.get(url, { maxBytes: maxMetadataLength, timeout: seconds(10) })
    if (reply.status !== 200) {
      reply.discard()
      throw invalid('body.url', `returned the status ${reply.status}`)
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of reply.body) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    throw error instanceof FetchError ? invalid('body.url', `could not be read: ${error.message}`) : error
  }
}
