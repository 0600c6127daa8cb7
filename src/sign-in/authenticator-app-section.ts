import { z } from 'zod'
import { findAuthenticatorAppTime, storeAuthenticatorApp } from '../domain/accounts/authenticator-apps.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../domain/accounts/recovery-codes.ts'
import { createTotpUrl, findTotpStep, generateTotpSecret } from '../domain/accounts/totp.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { minutes } from '../kernel/time.ts'
import { type Html, markup, nothing } from '../render/html.ts'
import { productName } from '../render/logo.ts'
import { startSession } from './complete-sign-in.ts'
import type { AccountContext, PageContext, PageRoute } from './context.ts'
import { toHref } from './href.ts'
import {
  redirectTo,
  renderAlert,
  renderForm,
  renderHidden,
  renderOneTimeCodeField,
  renderPage,
  renderTime,
} from './page.ts'
import { renderQrCode } from './qr-code.ts'
import { recordPageEvent } from './events.ts'
import { renderIfRecent, requireRecentSignIn } from './recent-sign-in.ts'
import { renderRecoveryCodes } from './recovery-codes-section.ts'
import { removeAuthenticatorApp } from './second-factors.ts'

const path = '/account/authenticator-app'

/** Renders whether an authenticator app is set up. */
export async function renderAuthenticatorAppSection(context: AccountContext): Promise<Html> {
  const { database, principal } = context
  const setAt = await findAuthenticatorAppTime(database.reader, principal.user.id)
  const change = () =>
    setAt === undefined
      ? markup`<a class="button secondary" href="${toHref(context, path)}">Set up an authenticator app</a>`
      : renderForm(context, {
          action: `${path}/remove`,
          fields: nothing,
          submit: 'Remove authenticator app',
          isPlain: true,
        })
  const state =
    setAt === undefined
      ? 'An app on your phone shows a code that you enter after your password.'
      : markup`Set up on ${renderTime(setAt)}.`
  return markup`<section aria-labelledby="authenticator-app"><h2 id="authenticator-app">Authenticator app</h2><p>${state}</p>${renderIfRecent(context, change)}</section>`
}

/** Time in which a new secret has to be confirmed with a code. */
const setupLifetime = minutes(15)

/** Secret that is not confirmed yet. It is part of the form, sealed, so that nothing has to be stored. */
const SetupState = z.object({ userId: z.string(), secret: z.string(), expiresAt: z.number() })

async function showSetup(pageContext: PageContext): Promise<PageReply> {
  const context = requireRecentSignIn(pageContext)
  return renderSetup(context, generateTotpSecret())
}

function renderSetup(context: AccountContext, secret: string, problem?: string): Promise<PageReply> {
  const { principal, sealer, urls, now } = context
  const issuer = `${productName} (${new URL(urls.plain('/')).host})`
  const url = createTotpUrl(secret, { issuer, account: principal.user.email })
  const state: z.infer<typeof SetupState> = {
    userId: principal.user.id,
    secret,
    expiresAt: Date.parse(now()) + setupLifetime,
  }
  const form = renderForm(context, {
    action: path,
    fields: markup`${renderHidden('state', sealer.seal(JSON.stringify(state)))}${renderOneTimeCodeField()}`,
    submit: 'Confirm',
  })
  return renderPage(context, {
    title: 'Authenticator app',
    status: problem === undefined ? 200 : 400,
    content: markup`<h1>Authenticator app</h1><p>Scan this code with your app, or <a href="${url}">open it on this device</a>.</p>${renderQrCode(url, 'QR code for the authenticator app')}<p>Or enter this key:</p><p class="secret">${secret.replace(/(.{4})(?=.)/g, '$1 ')}</p>${renderAlert(problem)}${form}`,
  })
}

/** Stores the app after a code has proved that it works. The session gets a new token and counts as one with a second factor. */
async function confirmSetup(pageContext: PageContext): Promise<PageReply> {
  const context = requireRecentSignIn(pageContext)
  const { database, principal, sealer, form, now } = context
  const { user, session } = principal
  const secret = openSetupState(context, form.get('state') ?? '')
  const step = findTotpStep(secret, form.get('code') ?? '', Date.parse(now()))
  if (step === undefined) return renderSetup(context, secret, 'The code is wrong. Check the clock of your device.')
  const { cookie, codes } = await database.transaction(async (db) => {
    await storeAuthenticatorApp(db, sealer, { userId: user.id, secret, step }, now())
    await recordPageEvent(db, context, user, 'second-factor.enable')
    const hasCodes = (await countRecoveryCodes(db, user.id)) > 0
    const identity = { ...session, userId: user.id, hasSecondFactor: true, next: undefined }
    return {
      codes: hasCodes ? undefined : await replaceRecoveryCodes(db, user.id),
      cookie: await startSession(db, context, identity),
    }
  })
  return codes
    ? renderRecoveryCodes(context, codes, [cookie])
    : redirectTo(context, '/account?done=authenticator-app', [cookie])
}

/** Returns the secret of a setup form; fails if the form belongs to another user or is too old. */
function openSetupState({ sealer, principal, now }: AccountContext, sealed: string): string {
  const text = sealer.open(sealed)
  const { data } = SetupState.safeParse(text === undefined ? undefined : JSON.parse(text))
  if (!data || data.userId !== principal.user.id || data.expiresAt <= Date.parse(now()))
    throw new AppError('forbidden', 'The page is outdated. Go back, load it again and repeat')
  return data.secret
}

async function removeApp(pageContext: PageContext): Promise<PageReply> {
  const context = requireRecentSignIn(pageContext)
  const { database, principal } = context
  await database.transaction(async (db) => {
    await removeAuthenticatorApp(db, principal.user.id)
    await recordPageEvent(db, context, principal.user, 'second-factor.disable')
  })
  return redirectTo(context, '/account?done=authenticator-app-removed')
}

export const authenticatorAppRoutes: readonly PageRoute[] = [
  { method: 'GET', path, handler: showSetup },
  { method: 'POST', path, kind: 'form', handler: confirmSetup },
  { method: 'POST', path: `${path}/remove`, kind: 'form', handler: removeApp },
]
