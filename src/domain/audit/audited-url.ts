/** Returns a URL without credentials, query and fragment, which may contain secrets. */
export function toAuditedUrl(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : ''
}
