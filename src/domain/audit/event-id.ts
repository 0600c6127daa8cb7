import { randomBytes } from 'node:crypto'

/** Number of bits of the counter, which keeps the events of one request in order. */
const counterBits = 26

let counter = randomBytes(4).readUInt32BE() % 2 ** counterBits

/** Returns a UUID of version 7 (RFC 9562): the time in milliseconds, a counter and random bits. */
export function newAuditEventId(time: number): string {
  counter = (counter + 1) % 2 ** counterBits
  const high = toHex(Math.floor(counter / 2 ** 14), 3)
  // The first two bits of this group are the variant of the UUID.
  const low = toHex(0x8000 + (counter % 2 ** 14), 4)
  return `${toAuditIdPrefix(time)}-7${high}-${low}-${randomBytes(6).toString('hex')}`
}

/** Returns the beginning of the IDs of a millisecond, which sorts before these IDs and after all earlier ones. */
export function toAuditIdPrefix(time: number): string {
  const digits = toHex(Math.max(0, time), 12)
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

const toHex = (value: number, length: number): string => value.toString(16).padStart(length, '0')
