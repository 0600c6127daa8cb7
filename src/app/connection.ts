import { signal } from '@preact/signals'

/** Whether the last request got no reply. */
export const isOffline = signal(false)

/** Whether the session has ended: a request was answered with 401. */
export const isSignedOut = signal(false)

/** Whether an administrator changed the permissions of the user while this screen was open. */
export const isAccessChanged = signal(false)
