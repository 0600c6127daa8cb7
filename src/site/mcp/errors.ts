import type { z } from 'zod'

/** Those of JSON-RPC, and the one that the protocol adds. */
export const errorCodes = { parse: -32700, request: -32600, method: -32601, params: -32602, noResource: -32002 }

/** What is told to an assistant that asks for something that cannot be answered. */
export class McpError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'McpError'
    this.code = code
  }
}

/** Parameters as they must be. */
export function parse<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(params)
  if (!error) return data
  const problems = error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  throw new McpError(errorCodes.params, problems.join('; '))
}
