import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestServer } from './server.ts'
import { waitUntil } from './server.ts'

/** Message as it was written to the folder. */
export interface ReceivedMail {
  /** Headers, each on one line. */
  headers: string
  /** Plain text. */
  text: string
  html: string
  /** URLs in the plain text. */
  links: string[]
}

const decode = (text: string): string =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/((?:=[0-9A-F]{2})+)/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())

function parse(source: string): ReceivedMail {
  const end = source.indexOf('\r\n\r\n')
  const headers = source.slice(0, end).replace(/\r\n\s+/g, ' ')
  const readPart = (type: string) =>
    decode(new RegExp(`Content-Type: ${type}[^]*?\\r\\n\\r\\n([^]*?)\\r\\n--`).exec(source)?.[1] ?? '')
  const text = readPart('text/plain')
  return { headers, text, html: readPart('text/html'), links: text.match(/https?:\/\/\S+/g) ?? [] }
}

/** Returns the messages to an address in the order in which they were sent. */
export function readMails(folder: string, to: string): ReceivedMail[] {
  const files = readdirSync(folder, { encoding: 'utf8' }).filter((name) => name.endsWith('.eml'))
  const mails = files.sort().map((name) => parse(readFileSync(join(folder, name), 'utf8')))
  return mails.filter(({ headers }) => headers.split('\r\n').includes(`To: ${to}`))
}

/** Waits until an address has received a number of messages, and returns the last one. */
export function waitForMail(folder: string, to: string, count = 1): Promise<ReceivedMail> {
  return waitUntil(async () => readMails(folder, to)[count - 1], `${to} receives message ${count}`)
}

/** Waits until all jobs that send mail have ended. */
export async function waitForMailJobs({ server }: TestServer): Promise<void> {
  await waitUntil(async () => {
    const left = await server.app.database.reader
      .selectFrom('jobs')
      .select('id')
      .where('name', 'in', ['mail.send', 'sign-in.link'])
      .where('state', 'in', ['queued', 'running'])
      .execute()
    return left.length === 0
  }, 'all mail is sent')
}

/** Returns the path of a URL of the server. */
export function toPath(url: string | undefined): string {
  const { pathname, search } = new URL(url ?? '')
  return pathname + search
}
