import { randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 9 // 45 bits of milliseconds: until the year 3084
const randomLength = 15 // 75 bits, too many to guess

/** `length` characters of 5 random bits each. */
export function randomText(length: number): string {
  let text = ''
  for (const byte of randomBytes(length)) text += alphabet[byte & 31]
  return text
}

/**
 * Makes ids that sort by the time they were made, also within one millisecond.
 * Lower-case letters and digits only, so that every collation of every database agrees on their order.
 */
export function idMaker(clock: () => number = Date.now): () => string {
  let lastTime = 0
  let lastTail = ''
  return () => {
    const time = Math.max(clock(), lastTime)
    lastTail = time === lastTime ? next(lastTail) : randomText(randomLength)
    lastTime = time
    return encodeTime(time) + lastTail
  }
}

export const newId = idMaker()

function encodeTime(time: number): string {
  let text = ''
  for (let rest = time; text.length < timeLength; rest = Math.floor(rest / 32)) text = alphabet[rest % 32] + text
  return text
}

/** The tail that follows in order, a random step away so that neighbours cannot be guessed. */
function next(tail: string): string {
  const head = tail.slice(0, 6)
  const bumped = bump(head)
  return bumped + randomText(randomLength - bumped.length)
}

function bump(text: string): string {
  const last = alphabet.indexOf(text.slice(-1))
  if (last < 31) return text.slice(0, -1) + alphabet[last + 1]
  return text.length === 1 ? alphabet.slice(-1) : bump(text.slice(0, -1)) + alphabet[0]
}
