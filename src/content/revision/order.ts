/** The ids that need not move to get from one order to the other, as many as possible; both orders have the same ids. */
export function inPlace(before: readonly string[], after: readonly string[]): Set<string> {
  const places = new Map(before.map((id, index) => [id, index]))
  // The longest rising run of old places, by the least last place for each length.
  const ends: number[] = []
  const links: number[] = []
  after.forEach((id, index) => {
    const place = places.get(id) as number
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((places.get(after[ends[middle] as number] as string) as number) < place) low = middle + 1
      else high = middle
    }
    links[index] = low > 0 ? (ends[low - 1] as number) : -1
    ends[low] = index
  })
  const kept = new Set<string>()
  for (let index = ends.at(-1) ?? -1; index >= 0; index = links[index] as number) kept.add(after[index] as string)
  return kept
}

/** Puts some ids of a list where they stand in another one: each behind the one it follows there, as far as that is here. */
export function placeLike(list: readonly string[], model: readonly string[], moving: ReadonlySet<string>): string[] {
  const here = new Set(list)
  const following = new Map<string, string[]>()
  const first: string[] = []
  let anchor: string | undefined
  for (const id of model) {
    if (!here.has(id)) continue
    if (!moving.has(id)) anchor = id
    else if (anchor === undefined) first.push(id)
    else {
      const together = following.get(anchor)
      if (together) together.push(id)
      else following.set(anchor, [id])
    }
  }
  const inModel = new Set(model)
  const staying = list.filter((id) => !moving.has(id) || !inModel.has(id))
  return [...first, ...staying.flatMap((id) => [id, ...(following.get(id) ?? [])])]
}
