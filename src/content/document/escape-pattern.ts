/** Escapes a text so that a pattern matches it literally, with or without the flag `u`, which refuses escapes that are not needed. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
