import { ApiError } from '../../src/client/client.ts'

/** Returns how a call was refused: the status and the paths of invalid fields, for example `400 body.title`. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.status, ...new Set(error.details.map(({ path }) => path))].join(' ')
  }
  return 'was not refused'
}
