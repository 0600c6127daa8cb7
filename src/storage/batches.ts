/** Maximum number of values in one statement. */
const batchSize = 500

/** Splits a list into lists that fit into one statement. */
export function toBatches<T>(items: readonly T[], size = batchSize): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
