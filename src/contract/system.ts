import { z } from 'zod'
import { operation } from './kit.ts'

export const system = {
  getApiInformation: operation({
    method: 'GET',
    path: '/',
    summary: 'Get the version of the server',
    access: 'public',
    scope: 'any',
    reply: z
      .object({ version: z.string(), build: z.iso.datetime().describe('When this version was built') })
      .meta({ id: 'ApiInformation' }),
  }),
}
