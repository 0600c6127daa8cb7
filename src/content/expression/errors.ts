/** Error in an expression that cannot be parsed (then `position` is the offset in its source, from 0) or evaluated. */
export class ExpressionError extends Error {
  readonly position: number | undefined

  constructor(message: string, position?: number) {
    super(position === undefined ? message : `${message} (at character ${position + 1})`)
    this.name = 'ExpressionError'
    this.position = position
  }
}

/** Ends a switch over a union; the compiler checks that it is never reached. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}
