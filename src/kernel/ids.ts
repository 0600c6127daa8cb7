import { createHash, randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 9
/** Added to the time, so that IDs start with a letter, as CSS identifiers must, and sort after IDs made without it. */
const firstLetterOffset = 16 * 32 ** (timeLength - 1) // until the year 2492
const randomLength = 15 // 75 bits, too many to guess
const counterLength = 6 // incremented within a millisecond; the rest is always random, so that adjacent IDs cannot be guessed

/** Returns a string of `length` characters with 5 random bits each. */
export function randomText(length: number): string {
  let text = ''
  for (const byte of randomBytes(length)) text += alphabet[byte & 31]
  return text
}

/**
 * Returns a generator of IDs that sort by creation time, also within one millisecond. IDs consist of lower-case letters
 * and digits, which sort alike in every collation of every database.
 */
export function createIdGenerator(clock: () => number = Date.now, random = randomText): () => string {
  let lastTime = 0
  let lastTail = ''
  return () => {
    let time = Math.max(clock(), lastTime)
    let head = time === lastTime ? increment(lastTail.slice(0, counterLength)) : random(counterLength)
    // The last head of a millisecond cannot be incremented, so the time of the next millisecond is used early.
    if (head === undefined) [time, head] = [time + 1, random(counterLength)]
    lastTail = head + random(randomLength - counterLength)
    lastTime = time
    return encodeTime(time) + lastTail
  }
}

export const newId = createIdGenerator()

/** Returns an ID that is always the same for a text. */
export function deriveId(text: string): string {
  const bytes = createHash('sha256').update(text).digest()
  // The first letter is that of IDs which are not derived, see `firstLetterOffset`.
  return `g${Array.from(bytes.subarray(0, timeLength + randomLength - 1), (byte) => alphabet[byte & 31]).join('')}`
}

function encodeTime(time: number): string {
  let text = ''
  for (let rest = time + firstLetterOffset; text.length < timeLength; rest = Math.floor(rest / 32))
    text = alphabet[rest % 32] + text
  return text
}

/** Returns the next string of the same length in sort order, or undefined after the last one. */
function increment(text: string): string | undefined {
  if (text === '') return undefined
  const last = alphabet.indexOf(text.slice(-1))
  if (last < 31) return text.slice(0, -1) + alphabet[last + 1]
  const incremented = increment(text.slice(0, -1))
  return incremented === undefined ? undefined : incremented + alphabet[0]
}
