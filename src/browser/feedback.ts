/** Asks whether a page was helpful. */
export function startFeedback(): void {}
