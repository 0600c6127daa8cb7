import type { PageReply } from '../kernel/page-http.ts'
import { type Html, attributes, markup, nothing } from '../render/html.ts'
import type { SiteShell } from '../render/shell/parts.ts'
import { assets } from '../site/assets.ts'
import { createServerShell } from '../site/own/server-shell.ts'
import { htmlReply } from '../site/reply.ts'
import { AppError } from '../kernel/errors.ts'
import { renderAccountFrame } from './account-frame.ts'
import { assetHref, renderAppDocument, renderBar, renderSessionProof } from './app-document.ts'
import type { AccountContext, PageContext } from './context.ts'
import { toHref } from './href.ts'

export interface PageOptions {
  title: string
  content: Html
  status?: number
  /** Origins to which forms of the page may redirect. */
  formOrigins?: readonly string[]
  /** Scripts of the page, by their asset name. */
  scripts?: readonly string[]
  /** Whether the page is part of the account, with its navigation. */
  isAccount?: boolean
  cookies?: readonly string[]
  /** Whether the page only states a problem. Such a page has no proofs, because it also replies to requests that were not checked. */
  isError?: boolean
}

/** Renders a page. It is never cached, framed or shared with a window that another page opened. */
export async function renderPage(context: PageContext, options: PageOptions): Promise<PageReply> {
  const shell = await createServerShell(context.urls, [])
  const proofs = options.isError
    ? nothing
    : markup`<meta name="octavo-form" content="${createFormProof(context)}">${renderSessionProof(context)}`
  const scripts = (options.scripts ?? []).map(
    (name) => markup`<script type="module" src="${assetHref(context, name)}"></script>`,
  )
  const html = renderAppDocument(context, shell, {
    title: `${options.title} | ${shell.title}`,
    styles: [assets.signInStyles.name],
    head: markup`${scripts}${proofs}`,
    body: renderBody(context, shell, options),
  })
  const { headers } = htmlReply(html.text, {
    isPublic: false,
    isIndexed: false,
    formOrigins: options.formOrigins ?? [],
  })
  return {
    status: options.status ?? 200,
    headers: toPrivateHeaders(headers),
    cookies: options.cookies ?? [],
    body: html.text,
  }
}

function renderBody(context: PageContext, shell: SiteShell, { content, isAccount = false }: PageOptions): Html {
  const skip = markup`<a class="skip" href="#main">${shell.texts.skipToContent}</a>`
  const link = (title: string, path: string) =>
    markup`<a class="ui-button ui-button-quiet" href="${toHref(context, path)}">${title}</a>`
  const links =
    context.principal &&
    markup`<nav class="bar-links" aria-label="Octavo">${link('Open the app', '/app')}${!isAccount && link('Account', '/account')}</nav>`
  const bar = renderBar(shell, toHref(context, context.principal ? '/app' : '/login'), links)
  if (isAccount) return markup`${skip}<div class="app-frame">${bar}${renderAccountFrame(context, shell, content)}</div>`
  return markup`${skip}<div class="app-frame">${bar}<main id="main" tabindex="-1" class="sign-in-main"><div class="sign-in">${content}</div></main></div>`
}

/** Returns the headers of a page that contains proofs: it is never stored, and never shared with a window of another site. */
export function toPrivateHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { etag: _, ...others } = headers
  return {
    ...others,
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'same-origin',
  }
}

/** Renders a page that only states a problem. */
export function errorPage(context: PageContext, status: number, message: string): Promise<PageReply> {
  return renderPage(context, {
    title: status === 404 ? 'Not found' : 'This did not work',
    status,
    isError: true,
    content: markup`<h1>${status === 404 ? 'Not found' : 'This did not work'}</h1><p>${message}.</p><p><a href="${toHref(context, '/login')}">Sign in</a></p>`,
  })
}

/** Runs the handler of an open route that people see: a problem is a page instead of JSON. */
export async function replyWithPage(context: PageContext, run: () => Promise<PageReply>): Promise<PageReply> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return errorPage(context, error.status, error.message)
  }
}

/** Redirects to a page of this server with GET. */
export const redirectTo = (context: PageContext, path: string, cookies: readonly string[] = []): PageReply => ({
  status: 303,
  headers: { location: toHref(context, path), 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  cookies,
  body: '',
})

/** Maximum length of a path to return to. */
const maxNextLength = 4000

/** Returns the path to open after a sign-in if it is a path of this server. Anything else would redirect to another site. */
export function parseNextPath({ urls }: Pick<PageContext, 'urls'>, next: string | null): string | undefined {
  // Browsers treat a backslash as a slash, and `//host` as another host.
  if (next === null || next.length > maxNextLength || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)) return undefined
  const base = new URL(urls.plain('/'))
  const target = new URL(next, base)
  // Without its dot segments, a path can begin with two slashes, which name another host.
  const isOwn = target.origin === base.origin && !target.pathname.startsWith('//')
  return isOwn ? target.pathname + target.search : undefined
}

/** Returns the query with which a page passes on the path to open after a sign-in. */
export const toNextQuery = (next: string | undefined): string =>
  next === undefined ? '' : `?next=${encodeURIComponent(next)}`

const createFormProof = (context: PageContext): string => context.signer.sign(formProofText(context))

/** Whether a form was rendered for this browser and session. */
export const isFormProof = (context: PageContext, proof: string): boolean =>
  context.signer.verify(formProofText(context), proof)

const formProofText = ({ browserId, principal }: PageContext): string =>
  `form ${browserId} ${principal?.session.id ?? ''}`

interface Form {
  action: string
  fields: Html
  submit: string
  /** Name of the button for assistive technology, if its text is ambiguous. */
  label?: string
  /** Whether the form is only a small button. */
  isPlain?: boolean
  /** A second button, which sends a field. */
  secondary?: { name: string; value: string; title: string }
}

/** Renders a form that is sent to a page of this server. */
export function renderForm(
  context: PageContext,
  { action, fields, submit, label, isPlain = false, secondary }: Form,
): Html {
  const other =
    secondary &&
    markup`<button type="submit" class="secondary" name="${secondary.name}" value="${secondary.value}">${secondary.title}</button>`
  return markup`<form method="post"${attributes({ action: toHref(context, action), class: isPlain ? 'plain' : undefined })}><input type="hidden" name="proof" value="${createFormProof(context)}">${fields}<button${attributes({ type: 'submit', 'aria-label': label })}>${submit}</button>${other}</form>`
}

/** Returns the reply to a script: a value as JSON. */
export const scriptReply = (value: unknown, cookies: readonly string[] = []): PageReply => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  cookies,
  body: JSON.stringify(value),
})

/** Converts a redirect into a reply to a script, which opens the page itself. */
export const toScriptReply = ({ headers, cookies = [] }: PageReply): PageReply =>
  scriptReply({ location: headers['location'] }, cookies)

/** Renders a field that the browser does not show; nothing if it has no value. */
export const renderHidden = (name: string, value: string | undefined): Html | undefined =>
  value === undefined ? undefined : markup`<input type="hidden" name="${name}" value="${value}">`

interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  value?: string | undefined
  autocomplete: string
  hint?: string
  maxLength?: number
  isFocused?: boolean
  inputMode?: 'numeric'
}

/** Renders a labelled input. */
export function renderField({
  name,
  label,
  type = 'text',
  value,
  autocomplete,
  hint,
  maxLength,
  isFocused,
  inputMode,
}: Field): Html {
  const id = `field-${name}`
  const hintId = hint === undefined ? undefined : `${id}-hint`
  return markup`<label for="${id}">${label}</label><input${attributes({ id, name, type, value, autocomplete, inputmode: inputMode, maxlength: maxLength, required: true, autofocus: isFocused, 'aria-describedby': hintId })}>${hint !== undefined && markup`<small id="${hintId}">${hint}</small>`}`
}

/** Renders the field for a code of an authenticator app. */
export const renderOneTimeCodeField = (): Html =>
  renderField({
    name: 'code',
    label: 'Code from your authenticator app',
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
    maxLength: 12,
    isFocused: true,
  })

/** Renders the day of a time. */
export const renderTime = (time: string): Html => markup`<time datetime="${time}">${time.slice(0, 10)}</time>`

/** Maximum length of an email address. */
export const maxEmailLength = 254

/** Renders a message about the submitted form; assistive technology announces it. */
export const renderAlert = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : markup`<p class="alert" role="alert">${message}</p>`

/** Renders a message that something was done. */
export const renderNotice = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : markup`<p class="notice" role="status">${message}</p>`

/** Returns the context of a user who is signed in; other visitors are sent to the sign-in page. */
export function requireSession(context: PageContext): AccountContext {
  const { principal } = context
  if (!principal) throw new AppError('unauthenticated', 'Sign in to open this page')
  return { ...context, principal }
}
