/** Whether the browser can sign tokens: only on pages that were loaded over HTTPS or from this machine. */
export const canSign = (): boolean => window.isSecureContext

const encodeBytes = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const encodeJson = (value: unknown): string => encodeBytes(new TextEncoder().encode(JSON.stringify(value)))

/** Signs the claims of a visitor as a JSON Web Token (HS256), as a login page does. */
export async function signToken(
  claims: Readonly<Record<string, unknown>>,
  privateKey: string,
  lifetime: number,
): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + lifetime
  const content = `${encodeJson({ alg: 'HS256', typ: 'JWT' })}.${encodeJson({ ...claims, exp })}`
  const secret = new TextEncoder().encode(privateKey)
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(content))
  return `${content}.${encodeBytes(new Uint8Array(signature))}`
}
