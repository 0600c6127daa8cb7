import { hash } from 'node:crypto'

/** Returns the stored form of a random token. A plain hash is sufficient, because 192 random bits or more cannot be guessed. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')
