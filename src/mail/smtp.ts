import { seconds } from '../kernel/time.ts'

/** SMTP server of the operator. */
export interface SmtpServer {
  host: string
  port: number
  /** Whether the connection is encrypted from the start; otherwise it is upgraded if the server offers it. */
  isSecure: boolean
  credentials: { user: string; password: string } | undefined
}

const timeouts = {
  dnsTimeout: seconds(10),
  connectionTimeout: seconds(10),
  greetingTimeout: seconds(10),
  socketTimeout: seconds(20),
}

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

/** Opens a transport. The library is loaded only on servers that send mail. */
export async function openSmtp({ host, port, isSecure, credentials }: SmtpServer) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure: isSecure,
    // A password is never sent over a network without encryption.
    requireTLS: credentials !== undefined && !isSecure && !loopbackHosts.has(host),
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    ...timeouts,
  })
}
