import { markup } from '../render/html.ts'
import type { Mail } from './mailer.ts'

/** Content of a message, which is sent as plain text and as HTML. */
export interface MailContent {
  subject: string
  /** Paragraphs before the link. */
  paragraphs: readonly string[]
  /** List before the link; an entry has a title, some text, and a URL. */
  entries?: readonly { title: string; text?: string | undefined; url: string }[]
  link: { label: string; url: string }
  /** Paragraph after the link. */
  note: string
  /** URL at which the recipient ends such messages with one request. */
  unsubscribeUrl?: string
}

/** Composes a message. It contains no images and no tracking. */
export function composeMail(
  to: string,
  { subject, paragraphs, entries = [], link, note, unsubscribeUrl }: MailContent,
): Omit<Mail, 'id'> {
  const entryTexts = entries.map((entry) => [entry.title, entry.text, entry.url].filter(Boolean).join('\n'))
  const unsubscribe = unsubscribeUrl === undefined ? [] : [`Unsubscribe:\n${unsubscribeUrl}`]
  const text = [...paragraphs, ...entryTexts, `${link.label}:\n${link.url}`, note, ...unsubscribe].join('\n\n')
  const list = entries.map(
    (entry) =>
      markup`<p><a href="${entry.url}">${entry.title}</a>${entry.text !== undefined && markup`<br><span style="color:#555">${entry.text}</span>`}</p>`,
  )
  const end = unsubscribeUrl !== undefined && markup` <a href="${unsubscribeUrl}" style="color:#666">Unsubscribe</a>`
  const html = markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head><body style="font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:2em auto;padding:0 1em">${paragraphs.map((paragraph) => markup`<p>${paragraph}</p>`)}${list}<p><a href="${link.url}">${link.label}</a></p><p style="color:#666;font-size:14px">${note}${end}</p></body></html>`
  return { to, subject, text: `${text}\n`, html: html.text, ...(unsubscribeUrl !== undefined && { unsubscribeUrl }) }
}

/** Maximum length of a name that users chose in a message. */
const maxNameLength = 80

/** Shortens a name that users chose to one line, so that it cannot pass for the text of the message. */
export const toMailName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)
