/** Number of bytes in which a page may declare its encoding. */
const headLength = 1024

/** Decodes a web page with the encoding that its content type or its head declares; UTF-8 by default. */
export function decodeHtml(bytes: Buffer, contentType: string): string {
  const charset =
    /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ??
    /<meta\s[^>]*charset\s*=\s*["']?([\w:.-]+)/i.exec(bytes.toString('latin1', 0, headLength))?.[1]
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // The encoding is unknown.
    return new TextDecoder().decode(bytes)
  }
}
