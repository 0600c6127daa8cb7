import { randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 9
/** Added to the time, so that ids begin with a letter, as names in CSS must, and sort after those made without it. */
const firstLetter = 16 * 32 ** (timeLength - 1) // until the year 2492
const randomLength = 15 // 75 bits, too many to guess
const headLength = 6 // counted up within a millisecond; the rest stays random, so that neighbours cannot be guessed

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
export function idMaker(clock: () => number = Date.now, random = randomText): () => string {
  let lastTime = 0
  let lastTail = ''
  return () => {
    let time = Math.max(clock(), lastTime)
    let head = time === lastTime ? bump(lastTail.slice(0, headLength)) : random(headLength)
    // No tail follows the last one of a millisecond, so the next millisecond begins early.
    if (head === undefined) [time, head] = [time + 1, random(headLength)]
    lastTail = head + random(randomLength - headLength)
    lastTime = time
    return encodeTime(time) + lastTail
  }
}

export const newId = idMaker()

function encodeTime(time: number): string {
  let text = ''
  for (let rest = time + firstLetter; text.length < timeLength; rest = Math.floor(rest / 32))
    text = alphabet[rest % 32] + text
  return text
}

/** The text of the same length that follows in order, if one does. */
function bump(text: string): string | undefined {
  if (text === '') return undefined
  const last = alphabet.indexOf(text.slice(-1))
  if (last < 31) return text.slice(0, -1) + alphabet[last + 1]
  const bumped = bump(text.slice(0, -1))
  return bumped === undefined ? undefined : bumped + alphabet[0]
}
