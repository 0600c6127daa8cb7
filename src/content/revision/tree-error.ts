/** Maximum depth of pages, which keeps every path short enough for a URL. */
export const maxPageDepth = 50

/** An invalid change of a tree, with a message for the user. */
export class TreeError extends Error {
  /** Field of the request that is invalid. */
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.name = 'TreeError'
    this.field = field
  }
}

export const createTooDeepError = (maxDepth: number) =>
  new TreeError('into', `Pages can be nested at most ${maxDepth} levels deep`)
