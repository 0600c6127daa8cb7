import { resolve } from 'node:path'
import { z } from 'zod'
import type { MailAddress, MailSettings } from '../mail/mailer.ts'
import type { SmtpServer } from '../mail/smtp.ts'

const Address = z.email().max(254)

/** Sender, as an address or as a name with an address. */
export const MailFrom = z.string().transform((value, context): MailAddress => {
  const [, name = '', bracketed] = /^ *"?([^"<>\p{Cc}]*?)"? *<([^<>]+)> *$/u.exec(value) ?? []
  const address = Address.safeParse(bracketed ?? value.trim())
  if (address.success) return { name, address: address.data }
  context.addIssue('must be an email address, for example Docs <docs@example.com>')
  return z.NEVER
})

/** Default ports: submission, and submission over TLS. */
const defaultPorts = { 'smtp:': 587, 'smtps:': 465 }

/** URL of an SMTP server with its credentials. */
export const SmtpUrl = z.string().transform((value, context): SmtpServer => {
  const server = parseSmtpUrl(value)
  if (server) return server
  context.addIssue('must be a URL such as smtps://user:password@mail.example.com')
  return z.NEVER
})

function parseSmtpUrl(value: string): SmtpServer | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || url.hostname === '' || url.pathname.length > 1 || url.search !== '' || url.hash !== '') return undefined
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') return undefined
  const [user, password] = [decode(url.username), decode(url.password)]
  if (user === undefined || password === undefined) return undefined
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? defaultPorts[url.protocol] : Number(url.port),
    isSecure: url.protocol === 'smtps:',
    credentials: user === '' ? undefined : { user, password },
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

interface MailVariables {
  OCTAVO_SMTP_URL?: SmtpServer | undefined
  OCTAVO_MAIL_FROM?: MailAddress | undefined
  OCTAVO_MAIL_FOLDER?: string | undefined
}

/** Returns why the variables cannot be used together. */
export function findMailProblems(environment: Record<string, string | undefined>): string[] {
  const isSenderMissing = environment['OCTAVO_SMTP_URL'] && !environment['OCTAVO_MAIL_FROM']
  return isSenderMissing ? ['OCTAVO_MAIL_FROM must be set, because OCTAVO_SMTP_URL is set'] : []
}

/** Returns how messages are sent; undefined if mail is not configured. */
export function toMailSettings(variables: MailVariables): MailSettings | undefined {
  const { OCTAVO_SMTP_URL: smtp, OCTAVO_MAIL_FOLDER: folder } = variables
  const from = variables.OCTAVO_MAIL_FROM ?? { name: 'Octavo', address: 'octavo@localhost' }
  if (smtp) return { from, smtp }
  return folder === undefined ? undefined : { from, folder: resolve(folder) }
}
