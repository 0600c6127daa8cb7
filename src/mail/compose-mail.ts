import { markup } from '../render/html.ts'
import type { Mail } from './mailer.ts'

/** Content of a message, which is sent as plain text and as HTML. */
export interface MailContent {
  subject: string
  /** Paragraphs before the link. */
  paragraphs: readonly string[]
  link: { label: string; url: string }
  /** Paragraph after the link. */
  note: string
}

/** Composes a message. It contains no images and no tracking. */
export function composeMail(to: string, { subject, paragraphs, link, note }: MailContent): Omit<Mail, 'id'> {
  const text = [...paragraphs, `${link.label}:\n${link.url}`, note].join('\n\n')
  const html = markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head><body style="font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:2em auto;padding:0 1em">${paragraphs.map((paragraph) => markup`<p>${paragraph}</p>`)}<p><a href="${link.url}">${link.label}</a></p><p style="color:#666;font-size:14px">${note}</p></body></html>`
  return { to, subject, text: `${text}\n`, html: html.text }
}

/** Maximum length of a name that users chose in a message. */
const maxNameLength = 80

/** Shortens a name that users chose to one line, so that it cannot pass for the text of the message. */
export const toMailName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)
