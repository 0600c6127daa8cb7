/** Separates the location of a problem from its text: `line 5, /paths/pets: A path must begin with "/"`. */
export function splitProblem(message: string): { place: string | undefined; text: string } {
  const [, place, text] = /^((?:\S+, )?(?:line \d+(?:, \/\S*?)?|\/\S*?)): (.+)$/s.exec(message) ?? []
  return place === undefined || text === undefined ? { place: undefined, text: message } : { place, text }
}
