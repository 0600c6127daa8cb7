import type { IncomingMessage } from 'node:http'
import { AppError } from '../kernel/errors.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** The body of a request as text, up to a limit in bytes. */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<string> {
  const tooLarge = () => new AppError('tooLarge', `The body is larger than ${limit} bytes`)
  if (Number(incoming.headers['content-length'] ?? 0) > limit) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('invalid', 'The body ended before it was complete')
  }
  try {
    return strictUtf8.decode(Buffer.concat(chunks))
  } catch {
    throw new AppError('invalid', 'The body is not valid UTF-8')
  }
}
