/** Waits until all promises have settled, or until the timeout in milliseconds. */
export async function waitUntilSettled(running: readonly Promise<void>[], milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([Promise.all(running), timeout])
  clearTimeout(timer)
}
