import { z } from 'zod'
import { operation } from './operation.ts'

export const system = {
  getApiInformation: operation({
    method: 'GET',
    path: '/',
    summary: 'Get the server version',
    access: 'public',
    scope: 'any',
    reply: z
      .object({ version: z.string(), build: z.iso.datetime().describe('Build time of this version') })
      .meta({ id: 'ApiInformation' }),
  }),
}
