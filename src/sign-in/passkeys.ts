import { z } from 'zod'
import { createChallenge, isValidChallenge, useChallenge } from '../domain/accounts/challenges.ts'
import {
  findPasskey,
  findPasskeysOfUser,
  insertPasskey,
  maxLabelLength,
  recordPasskeyUse,
} from '../domain/accounts/passkeys.ts'
import {
  CreatedCredential,
  type PasskeyUse,
  type RegisteredPasskey,
  type RelyingParty,
  UsedCredential,
  type Verification,
  createAssertionOptions,
  createRegistrationOptions,
  findRelyingParty,
  readChallenge,
  verifyAssertion,
  verifyRegistration,
} from '../domain/accounts/webauthn.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, attributes, markup } from '../render/html.ts'
import { productName } from '../render/logo.ts'
import type { Db, Row } from '../schema/tables.ts'
import { assets } from '../site/assets.ts'
import type { PageContext } from './context.ts'
import { toHref } from './href.ts'
import { scriptReply } from './page.ts'
import { describeUserAgent } from '../domain/users/user-agent.ts'

/** Scripts of pages with a passkey form. */
export const passkeyScripts: readonly string[] = [assets.passkeys.name]

/** Returns the server as passkeys refer to it; undefined if passkeys are turned off or do not work at its address. */
export const findPasskeyParty = ({ settings, origin }: PageContext): RelyingParty | undefined =>
  settings.methods.has('passkey') ? findRelyingParty(origin) : undefined

function requirePasskeyParty(context: PageContext): RelyingParty {
  const party = findPasskeyParty(context)
  if (!party) throw new AppError('forbidden', 'Passkeys are not available on this server')
  return party
}

interface PasskeyForm {
  kind: 'create' | 'use'
  /** Path to which the script sends the credential; the options are at the path `options` below it. */
  action: string
  fields?: Html | undefined
  submit: string
  /** Whether the browser offers passkeys in the user name field of the page. */
  hasAutofill?: boolean
  isSecondary?: boolean
}

/** Renders a form that a script submits with a passkey. It is hidden without scripts. */
export function renderPasskeyForm(
  context: PageContext,
  { kind, action, fields, submit, hasAutofill = false, isSecondary = false }: PasskeyForm,
): Html {
  const button = attributes({ type: 'submit', class: isSecondary ? 'secondary' : undefined })
  return markup`<form data-scripted${attributes({ 'data-passkey': kind, 'data-autofill': hasAutofill, action: toHref(context, action), method: 'post' })}>${fields}<button${button}>${submit}</button><p class="alert" role="alert" hidden></p></form>`
}

/** Returns the options for creating a passkey of a user. */
export async function sendRegistrationOptions(
  context: PageContext,
  user: Row<'users'>,
  purpose: string,
): Promise<PageReply> {
  const { database, signer, browserId, now } = context
  const party = { ...requirePasskeyParty(context), name: productName }
  const challenge = createChallenge(signer, { purpose, browserId }, now())
  const existing = await findPasskeysOfUser(database.reader, user.id)
  return scriptReply(createRegistrationOptions(party, user, challenge, existing))
}

/** Returns the options for using a passkey. Without `allowed` they do not depend on the account. */
export function sendAssertionOptions(
  context: PageContext,
  purpose: string,
  allowed?: readonly Row<'passkeys'>[],
): PageReply {
  const { signer, browserId, now } = context
  const challenge = createChallenge(signer, { purpose, browserId }, now())
  return scriptReply(createAssertionOptions(requirePasskeyParty(context), challenge, allowed))
}

const RegistrationRequest = z.object({
  credential: CreatedCredential,
  label: z.string().trim().max(maxLabelLength).optional(),
})
const AssertionRequest = z.object({ credential: UsedCredential, next: z.string().max(2000).optional() })

/** Verified passkey that is not stored yet. */
interface CreatedPasskey extends RegisteredPasskey {
  challenge: string
  label: string
}

/** Verifies the created passkey in the body of a request. */
export async function verifyCreatedPasskey(context: PageContext, purpose: string): Promise<CreatedPasskey> {
  const party = requirePasskeyParty(context)
  const { credential, label } = await readBody(context, RegistrationRequest)
  const challenge = getChallenge(context, purpose, credential.response.clientDataJSON)
  const passkey = getVerified(context, await verifyRegistration(party, credential, challenge))
  return { ...passkey, challenge, label: label || describeUserAgent(context.request.header('user-agent') ?? '') }
}

/** Stores a verified passkey. */
export async function addPasskey(
  db: Db,
  { now }: PageContext,
  userId: string,
  { challenge, ...passkey }: CreatedPasskey,
): Promise<void> {
  if (!(await useChallenge(db, challenge, now()))) throw refused()
  await insertPasskey(db, { ...passkey, userId }, now())
}

/** Passkey that has signed a challenge. */
interface UsedPasskey {
  passkey: Row<'passkeys'>
  use: PasskeyUse
  challenge: string
  /** Path to open next, as the page requested it. */
  next: string | undefined
}

/** Verifies the used passkey in the body of a request. It counts only after `acceptPasskey`. */
export async function verifyUsedPasskey(context: PageContext, purpose: string): Promise<UsedPasskey> {
  const party = requirePasskeyParty(context)
  const { credential, next } = await readBody(context, AssertionRequest)
  const challenge = getChallenge(context, purpose, credential.response.clientDataJSON)
  const passkey = await findPasskey(context.database.reader, credential.id)
  if (!passkey) throw new AppError('forbidden', 'This passkey is not registered on this server')
  const use = getVerified(context, await verifyAssertion(party, passkey, credential, challenge))
  return { passkey, use, challenge, next }
}

/** Records the use of a verified passkey; refuses a challenge that was used before and a counter that did not increase. */
export async function acceptPasskey(
  db: Db,
  { now }: PageContext,
  { passkey, use, challenge }: UsedPasskey,
): Promise<void> {
  const isNew = await useChallenge(db, challenge, now())
  if (!isNew || !(await recordPasskeyUse(db, passkey.id, use, now()))) throw refused()
}

async function readBody<S extends z.ZodType>({ request }: PageContext, schema: S): Promise<z.infer<S>> {
  const parsed = schema.safeParse(await request.json())
  if (!parsed.success) throw new AppError('invalid', 'The browser sent an invalid passkey')
  return parsed.data
}

/** Returns the challenge of client data; fails if it belongs to another browser or purpose, or has expired. */
function getChallenge({ signer, browserId, now }: PageContext, purpose: string, clientDataJSON: string): string {
  const challenge = readChallenge(clientDataJSON)
  if (challenge === undefined || !isValidChallenge(signer, { purpose, browserId }, challenge, now())) throw refused()
  return challenge
}

function getVerified<T>({ log }: PageContext, verification: Verification<T>): T {
  if ('value' in verification) return verification.value
  log.info('A passkey was refused', { reason: verification.problem })
  throw refused()
}

const refused = () => new AppError('forbidden', 'The passkey could not be verified. Load the page again and repeat')
