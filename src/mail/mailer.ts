import { access, constants, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seconds } from '../kernel/time.ts'
import { type SmtpServer, openSmtp } from './smtp.ts'

export interface MailAddress {
  name: string
  address: string
}

/** Settings of the operator: mail is sent to an SMTP server, or written to a folder. */
export type MailSettings = { from: MailAddress } & ({ smtp: SmtpServer } | { folder: string })

/** Message with one recipient. */
export interface Mail {
  /** ID of the message. It is the same when sending is repeated, so that mail servers can recognize duplicates. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** URL at which the recipient ends such messages with one request. */
  unsubscribeUrl?: string | undefined
}

export interface Mailer {
  /** Sends a message; fails with a `MailRejectedError` if the server refuses it permanently. */
  send(mail: Mail): Promise<void>
  /** Checks that messages can be sent, and describes where to. */
  check(): Promise<string>
}

/** Error of a message that the mail server will never accept, for example because the address does not exist. */
export class MailRejectedError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'MailRejectedError'
  }
}

/** Maximum time for one message, after which sending has failed. */
const sendTimeout = seconds(60)

/** Creates the mailer of the configured kind. */
export function createMailer({ from, ...target }: MailSettings): Mailer {
  return 'smtp' in target ? createSmtpMailer(from, target.smtp) : createFolderMailer(from, target.folder)
}

function createSmtpMailer(from: MailAddress, server: SmtpServer): Mailer {
  let opened: ReturnType<typeof openSmtp> | undefined
  const open = () => (opened ??= openSmtp(server))
  return {
    async send(mail) {
      try {
        await withTimeout((await open()).sendMail(toMessage(from, mail)))
      } catch (error) {
        throw isPermanentRefusal(error) ? new MailRejectedError('The mail server refused the message', error) : error
      }
    },
    async check() {
      await withTimeout((await open()).verify())
      return `connected to ${server.host}:${server.port}`
    },
  }
}

/** Creates a mailer for development: it writes each message to a file that mail programs can open. */
function createFolderMailer(from: MailAddress, folder: string): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...localAccess })
      const { message } = await transport.sendMail(toMessage(from, mail))
      if (!Buffer.isBuffer(message)) throw new Error('The message was not composed')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${mail.id}.eml`)
      // Readers of the folder never see half a message.
      await writeFile(`${file}.part`, message, { mode: 0o600 })
      await rename(`${file}.part`, file)
    },
    async check() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await access(folder, constants.W_OK)
      return `messages are written to ${folder}`
    },
  }
}

/** Messages contain no files, so the library must never read any. */
const localAccess = { disableFileAccess: true, disableUrlAccess: true }

function toMessage(from: MailAddress, { id, to, subject, text, html, unsubscribeUrl }: Mail) {
  return {
    from,
    // An object is not parsed, so a value with a comma or a line break never becomes several recipients.
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    // A header is one line.
    subject: subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
    text,
    html,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    ...localAccess,
  }
}

/** Whether the server refused the sender, the recipient or the content of a message with a permanent error. */
function isPermanentRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  return (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') && Number(error.responseCode) >= 500
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The mail server did not answer in time')), sendTimeout)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
