import type { PageReply } from '../kernel/page-http.ts'
import type { Html } from '../render/html.ts'
import { completeSignIn } from './complete-sign-in.ts'
import type { PageContext, PageRoute } from './context.ts'
import { parseNextPath, renderHidden, toScriptReply } from './page.ts'
import {
  acceptPasskey,
  findPasskeyParty,
  renderPasskeyForm,
  sendAssertionOptions,
  verifyUsedPasskey,
} from './passkeys.ts'

const purpose = 'sign-in'

/** Renders the button that signs in with a passkey; undefined if passkeys are not available. */
export function renderPasskeyLogin(
  context: PageContext,
  { next, isSecondary }: { next: string | undefined; isSecondary: boolean },
): Html | undefined {
  if (!findPasskeyParty(context)) return undefined
  return renderPasskeyForm(context, {
    kind: 'use',
    action: '/login/passkey',
    fields: renderHidden('next', next),
    submit: 'Sign in with a passkey',
    hasAutofill: true,
    isSecondary,
  })
}

/** Signs in with a passkey. It verified the user as well, so it counts as two factors. */
async function signInWithPasskey(context: PageContext): Promise<PageReply> {
  const used = await verifyUsedPasskey(context, purpose)
  const next = parseNextPath(context, used.next ?? null)
  return context.database.transaction(async (db) => {
    await acceptPasskey(db, context, used)
    const identity = { userId: used.passkey.user_id, method: 'passkey' as const, hasSecondFactor: true, next }
    return toScriptReply(await completeSignIn(db, context, identity))
  })
}

export const passkeyLoginRoutes: readonly PageRoute[] = [
  {
    method: 'POST',
    path: '/login/passkey/options',
    kind: 'script',
    handler: async (context) => sendAssertionOptions(context, purpose),
  },
  { method: 'POST', path: '/login/passkey', kind: 'script', handler: signInWithPasskey },
]
