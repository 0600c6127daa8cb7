import { expect } from 'vitest'
import { waitUntil } from './server.ts'

/** Downloads a PDF as soon as it is typeset. */
export function downloadPdf(url: string): Promise<Buffer> {
  return waitUntil(async () => {
    const reply = await fetch(url)
    const bytes = Buffer.from(await reply.arrayBuffer())
    if (reply.status === 202) return undefined
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    return bytes
  }, 'the PDF is typeset')
}

/** Returns the number of pages of a PDF. */
export const countSheets = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
