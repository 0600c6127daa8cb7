/** Characters after which a long name may be broken. */
const breakable = /(?<=[./_:=,;&?|@#)\]}\\-])(?=[!-~])/

/** Inserts break opportunities into runs of at least `length` characters without spaces, which would be cut off otherwise. */
export function breakLongRuns(text: string, length: number): string {
  const isLong = new RegExp(`[!-~]{${length},}`, 'g')
  return text.replace(isLong, (run) =>
    run
      .split(breakable)
      .flatMap((part) => part.match(new RegExp(`.{1,${length}}`, 'gs')) ?? [])
      .join('\u200b'),
  )
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const letter = /\p{L}/u

/** Returns the direction of a text: that of its first letter; undefined if it has none. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const first = letter.exec(text)?.[0]
  return first === undefined ? undefined : rightToLeft.test(first) ? 'rtl' : 'ltr'
}
