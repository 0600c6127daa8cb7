interface Person {
  displayName: string
  photoURL?: string | undefined
}

/** Number of background colors; a person has the same one everywhere. */
const colors = 8

/** Shows the picture or the initials of a person. Screen readers ignore it, because the name is beside it. */
export function Avatar({ person, size = 24 }: { person: Person; size?: number }) {
  const { displayName, photoURL } = person
  const style = { width: `${size}px`, height: `${size}px`, fontSize: `${size * 0.42}px` }
  if (photoURL !== undefined && photoURL !== '') return <img class="avatar" src={photoURL} alt="" style={style} />
  return (
    <span class={`avatar avatar-${colorOf(displayName)}`} style={style} aria-hidden="true">
      {initialsOf(displayName)}
    </span>
  )
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].flatMap(
    (word) => Array.from(word ?? '')[0] ?? [],
  )
  return letters.join('').toUpperCase()
}

/** Returns the number of the background color of a person. */
export function colorOf(name: string): number {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return sum % colors
}
