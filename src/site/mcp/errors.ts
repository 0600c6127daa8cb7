import type { z } from 'zod'

/** Error codes of JSON-RPC, and one added by MCP. */
export const rpcErrorCodes = { parse: -32700, request: -32600, method: -32601, params: -32602, noResource: -32002 }

/** Error that is returned to an MCP client. */
export class McpError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'McpError'
    this.code = code
  }
}

/** Validates parameters; throws an `McpError` if they are invalid. */
export function parseParams<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(params)
  if (!error) return data
  const problems = error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  throw new McpError(rpcErrorCodes.params, problems.join('; '))
}
