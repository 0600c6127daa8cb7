import { z } from 'zod'

/** Error codes with their HTTP status. */
export const statusByErrorCode = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  timeout: 408,
  conflict: 409,
  preconditionFailed: 412,
  tooLarge: 413,
  unprocessable: 422,
  rateLimited: 429,
  internal: 500,
  unavailable: 503,
  insufficientStorage: 507,
} as const

export type ErrorCode = keyof typeof statusByErrorCode

export const ErrorDetail = z.object({
  path: z.string().describe('Location of the invalid value in the request, for example `body.title` or `query.limit`'),
  message: z.string(),
  block: z.string().optional().describe('Key of the block of the page that cannot be merged'),
})
export type ErrorDetail = z.infer<typeof ErrorDetail>

export const ErrorReply = z
  .object({
    error: z.object({
      code: z.int().describe('HTTP status code'),
      message: z.string().describe('Human-readable description of the error'),
      details: z.array(ErrorDetail).optional().describe('One entry for each invalid value'),
    }),
  })
  .meta({ id: 'Error' })
export type ErrorReply = z.infer<typeof ErrorReply>
