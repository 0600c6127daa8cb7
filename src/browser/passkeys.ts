import { findElement, findElements } from './dom.ts'

// Submits forms with a passkey: requests options, lets the browser create or use a passkey, and sends the credential.

/** Time after which options are requested again while the browser offers passkeys in a field; they are valid for 5 minutes. */
const refreshTime = 4 * 60_000

/** Request that waits for the user; a browser allows only one at a time. */
let pending = new AbortController()

async function post<Reply>(path: string, value: unknown): Promise<Reply> {
  const proof = findElement<HTMLMetaElement>('meta[name="octavo-form"]')?.content ?? ''
  const reply = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'x-form-proof': proof },
    body: JSON.stringify(value),
  })
  const body = (await reply.json()) as Reply & { error?: { message?: string } }
  if (!reply.ok) throw new Error(body.error?.message ?? reply.statusText)
  return body
}

/** Lets the browser create or use a passkey; undefined if the user cancelled. */
async function requestCredential(
  form: HTMLFormElement,
  mediation?: CredentialMediationRequirement,
): Promise<PublicKeyCredential | undefined> {
  pending.abort()
  pending = new AbortController()
  const { signal } = pending
  const isNew = form.dataset['passkey'] === 'create'
  const options = await post<PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON>(
    `${form.action}/options`,
    {},
  )
  try {
    const credential = isNew
      ? await navigator.credentials.create({ publicKey: parseCreationOptions(options), signal })
      : await navigator.credentials.get({
          publicKey: parseRequestOptions(options),
          signal,
          ...(mediation && { mediation }),
        })
    return (credential as PublicKeyCredential | null) ?? undefined
  } catch (error) {
    // The user did not ask for the offer in the user name field, so its failure is not shown.
    if (mediation === 'conditional') return undefined
    if (error instanceof DOMException && ['AbortError', 'NotAllowedError'].includes(error.name)) return undefined
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      throw new Error('This device already has a passkey for your account', { cause: error })
    throw error
  }
}

async function submit(form: HTMLFormElement, mediation?: CredentialMediationRequirement): Promise<void> {
  const alert = findElement('[role="alert"]', form)
  if (alert) alert.hidden = true
  try {
    const credential = await requestCredential(form, mediation)
    if (!credential) return
    const fields = Object.fromEntries(new FormData(form))
    const { location: next } = await post<{ location: string }>(form.action, {
      ...fields,
      credential: toJson(credential),
    })
    location.assign(next)
  } catch (error) {
    if (!alert) return
    alert.textContent = error instanceof Error ? error.message : String(error)
    alert.hidden = false
  }
}

/** Lets the browser offer passkeys in the user name field, until another request takes its place. */
async function offerInField(form: HTMLFormElement): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  const offer = () => void submit(form, 'conditional')
  offer()
  setInterval(() => {
    if (document.visibilityState === 'visible' && !document.activeElement?.closest('[data-passkey]')) offer()
  }, refreshTime)
}

const toBase64Url = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

// Older browsers have no methods for the conversion from and to JSON.

function parseCreationOptions(options: PublicKeyCredentialCreationOptionsJSON): PublicKeyCredentialCreationOptions {
  if ('parseCreationOptionsFromJSON' in PublicKeyCredential)
    return PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return {
    ...(options as object as PublicKeyCredentialCreationOptions),
    challenge: fromBase64Url(options.challenge),
    user: { ...options.user, id: fromBase64Url(options.user.id) },
    excludeCredentials: parseDescriptors(options.excludeCredentials),
  }
}

function parseRequestOptions(options: PublicKeyCredentialRequestOptionsJSON): PublicKeyCredentialRequestOptions {
  if ('parseRequestOptionsFromJSON' in PublicKeyCredential)
    return PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return {
    ...(options as object as PublicKeyCredentialRequestOptions),
    challenge: fromBase64Url(options.challenge),
    allowCredentials: parseDescriptors(options.allowCredentials),
  }
}

const parseDescriptors = (descriptors: PublicKeyCredentialDescriptorJSON[] = []): PublicKeyCredentialDescriptor[] =>
  descriptors.map(({ id }) => ({ id: fromBase64Url(id), type: 'public-key' }))

const encode = (buffer: ArrayBuffer | null | undefined): string | undefined =>
  buffer ? toBase64Url(buffer) : undefined

function toJson(credential: PublicKeyCredential): unknown {
  if ('toJSON' in credential) return credential.toJSON()
  const { id, type, response } = credential as PublicKeyCredential
  const answer = response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse
  return {
    id,
    rawId: id,
    type,
    response: {
      clientDataJSON: encode(answer.clientDataJSON),
      attestationObject: encode(answer.attestationObject),
      authenticatorData: encode(answer.authenticatorData),
      signature: encode(answer.signature),
      userHandle: encode(answer.userHandle),
    },
  }
}

for (const form of findElements<HTMLFormElement>('form[data-passkey]')) {
  if (!('credentials' in navigator) || !('PublicKeyCredential' in globalThis)) {
    form.hidden = true
    continue
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit(form)
  })
  if ('autofill' in form.dataset) void offerInField(form)
}
