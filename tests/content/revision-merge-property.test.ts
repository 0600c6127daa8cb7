import { expect, test } from 'vitest'
import { type Conflict, type Side, nameOfConflict } from '../../src/content/revision/conflict.ts'
import { mergeTrees } from '../../src/content/revision/merge.ts'
import { refreshConflicts } from '../../src/content/revision/refresh-conflicts.ts'
import { resolveConflicts } from '../../src/content/revision/resolve-conflicts.ts'
import { readSubtreeIds } from '../../src/content/revision/subtree.ts'
import { openTree } from '../../src/content/revision/tree.ts'
import { isLong } from '../support/long.ts'
import { seededRandom } from '../support/random.ts'
import { TreeEditor, Trees } from '../support/trees.ts'

// Two sides change one tree with up to 15 random edits each.

interface History {
  seed: number
  trees: Trees
  base: string
  ours: string
  theirs: string
}

async function* histories(count: number, from = 1): AsyncGenerator<History> {
  for (let seed = from; seed < from + count * (isLong ? 1 : 0.5); seed++) {
    const trees = new Trees()
    const base = await new TreeEditor(trees, 'base', seed).createTree(3 + (seed % 7))
    const ours = await new TreeEditor(trees, 'ours', seed * 2).change(base, 1 + (seed % 15))
    const theirs = await new TreeEditor(trees, 'theirs', seed * 2 + 1).change(base, 1 + (seed % 11))
    yield { seed, trees, base, ours, theirs }
  }
}

const merge = ({ trees, base, ours, theirs }: History) => mergeTrees(trees.objects, { base, ours, theirs })

const missing = (wanted: Iterable<string>, found: ReadonlySet<string>) => [...wanted].filter((word) => !found.has(word))

/** Returns the words that a side added. */
async function written({ trees, base }: History, side: string): Promise<string[]> {
  return missing(await trees.words(side), await trees.words(base))
}

test('the merged tree is valid, and it and the conflicts contain all words that either side added', async () => {
  let conflicted = 0
  for await (const history of histories(90)) {
    const { seed, trees, ours, theirs } = history
    const { root, conflicts } = await merge(history)
    expect({ seed, faults: await trees.findFaults(root) }).toEqual({ seed, faults: [] })
    const found = new Set([...(await trees.words(root)), ...(await trees.wordsInConflicts(conflicts))])
    const wanted = [...(await written(history, ours)), ...(await written(history, theirs))]
    expect({ seed, missing: missing(wanted, found) }).toEqual({ seed, missing: [] })
    const names = conflicts.map(nameOfConflict)
    expect({ seed, names: new Set(names).size }).toEqual({ seed, names: names.length })
    if (conflicts.length > 0) conflicted++
  }
  expect(conflicted).toBeGreaterThan(15)
})

test('the merged tree contains all words that ours added, regardless of conflicts', async () => {
  for await (const history of histories(60, 1000)) {
    const { seed, trees, ours } = history
    const { root } = await merge(history)
    const lost = missing(await written(history, ours), await trees.words(root))
    expect({ seed, lost }).toEqual({ seed, lost: [] })
  }
})

test('resolving all conflicts with theirs gives a valid tree with all words that theirs added', async () => {
  for await (const history of histories(80, 2000)) {
    const { seed, trees, theirs } = history
    const { root, conflicts } = await merge(history)
    const stored = JSON.parse(JSON.stringify(conflicts)) as Conflict[]
    const resolved = await resolveConflicts(
      { ours: await openTree(trees.objects, root), theirs: await openTree(trees.objects, theirs) },
      stored,
      'theirs',
    )
    expect({ seed, faults: await trees.findFaults(resolved) }).toEqual({ seed, faults: [] })
    const lost = missing(await written(history, theirs), await trees.words(resolved))
    expect({ seed, lost }).toEqual({ seed, lost: [] })
  }
})

test('merging is deterministic', async () => {
  for await (const history of histories(20, 3000)) {
    expect(await merge(history)).toEqual(await merge(history))
  }
})

test('changes made by one side only or equally by both are merged without conflicts', async () => {
  for await (const { trees, base, ours } of histories(20, 4000)) {
    for (const hashes of [
      { base, ours, theirs: base },
      { base, ours: base, theirs: ours },
      { base, ours, theirs: ours },
    ]) {
      expect(await mergeTrees(trees.objects, hashes)).toEqual({ root: ours, conflicts: [], combined: [] })
    }
  }
})

test('the changes of ours are applied exactly if theirs changed something else', async () => {
  for await (const { seed, trees, base, ours } of histories(60, 5000)) {
    const theirs = await trees.edit(base, async (draft) => draft.setVariables({ ...draft.variables, other: 'news' }))
    const { root, conflicts } = await mergeTrees(trees.objects, { base, ours, theirs })
    const wanted = await trees.edit(ours, async (draft) => draft.setVariables({ ...draft.variables, other: 'news' }))
    expect({ seed, conflicts, root }).toEqual({ seed, conflicts: [], root: wanted })
  }
})

test('equal changes do not conflict, even next to other changes of both sides', async () => {
  for await (const { seed, trees, base, ours } of histories(30, 6000)) {
    const theirs = await trees.edit(ours, async (draft) => draft.files.set('theirs', aFile))
    const more = await trees.edit(ours, async (draft) => draft.files.set('ours', aFile))
    const { root, conflicts } = await mergeTrees(trees.objects, { base, ours: more, theirs })
    const wanted = await trees.edit(more, async (draft) => draft.files.set('theirs', aFile))
    expect({ seed, conflicts, root }).toEqual({ seed, conflicts: [], root: wanted })
  }
})

const aFile = { name: 'a.txt', contentType: 'text/plain', size: 1, blob: 'bytes' }

test('changes to different pages merge without conflicts', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const trees = new Trees()
    const base = await twoParts(trees, seed)
    const pages = await trees.pages(base)
    const partOf = (id: string | null): string | undefined => {
      const page = id === null ? undefined : pages.get(id)
      return page && (page.parent === null ? page.entry.id : partOf(page.parent))
    }
    const change = (part: 'left' | 'right') =>
      new TreeEditor(
        trees,
        part,
        seed * 2 + (part === 'left' ? 0 : 1),
        (id) => id !== part && partOf(id) === part,
      ).change(base, 5)
    const [ours, theirs] = [await change('left'), await change('right')]
    const { root, conflicts } = await mergeTrees(trees.objects, { base, ours, theirs })
    expect({ seed, conflicts }).toEqual({ seed, conflicts: [] })
    const history = { seed, trees, base, ours, theirs }
    const wanted = [...(await written(history, ours)), ...(await written(history, theirs))]
    expect({ seed, missing: missing(wanted, await trees.words(root)) }).toEqual({ seed, missing: [] })
  }
})

async function twoParts(trees: Trees, seed: number): Promise<string> {
  const editor = new TreeEditor(trees, 'base', seed)
  const top = await trees.create({ left: {}, right: {} })
  return editor.grow(top, ['left', 'right'], 8)
}

/** Number of generated histories with resolutions between merges. */
const runs = isLong ? 1000 : 80

/** A change request whose conflicts are resolved while it and its space change. */
class Dispute {
  readonly trees = new Trees()
  readonly open = new Map<string, Conflict>()
  readonly decided = new Map<string, Side | null>()
  readonly #seed: number
  readonly #chance: () => number
  readonly #sides: { ours: TreeEditor; live: TreeEditor }
  #ancestor = ''
  ours = ''
  live = ''

  constructor(seed: number) {
    this.#seed = seed
    this.#chance = seededRandom(seed + 7)
    const editor = (name: string, own: number) => new TreeEditor(this.trees, name, own)
    this.#sides = { ours: editor('ours', seed * 2), live: editor('theirs', seed * 2 + 1) }
  }

  async begin(): Promise<void> {
    this.#ancestor = await new TreeEditor(this.trees, 'base', this.#seed).createTree(3 + (this.#seed % 7))
    this.ours = this.live = this.#ancestor
  }

  async edit(side: 'ours' | 'live', steps: number): Promise<void> {
    this[side] = await this.#sides[side].change(this[side], steps)
  }

  async #surroundings() {
    const { objects } = this.trees
    return { ours: await openTree(objects, this.ours), theirs: await openTree(objects, this.live) }
  }

  /** Merges the head of the space into the change request. */
  async update(): Promise<void> {
    const [base, ours, theirs] = [this.#ancestor, this.ours, this.live]
    const wanted = [
      ...missing(await this.trees.words(ours), await this.trees.words(base)),
      ...missing(await this.trees.words(theirs), await this.trees.words(base)),
    ]
    const { root, conflicts } = await mergeTrees(this.trees.objects, { base, ours, theirs })
    this.ours = root
    this.#ancestor = theirs
    const former = [...this.open.values()]
    const refreshed = await refreshConflicts(former, await this.#surroundings())
    this.open.clear()
    for (const conflict of refreshed) if (conflict) this.open.set(nameOfConflict(conflict), conflict)
    for (const conflict of conflicts) {
      const known = this.open.get(nameOfConflict(conflict))
      const begun = known && 'base' in known && 'base' in conflict ? { base: known.base } : {}
      this.open.set(nameOfConflict(conflict), { ...conflict, ...begun, baseRevision: 'base' } as Conflict)
      this.decided.set(nameOfConflict(conflict), null)
    }
    await this.#check('update')
    const found = await this.trees.wordsInConflicts([...this.open.values()])
    for (const word of await this.trees.words(root)) found.add(word)
    expect({ seed: this.#seed, lost: missing(wanted, found) }).toEqual({ seed: this.#seed, lost: [] })
  }

  /** Resolves some of the conflicts. */
  async decide(share: number): Promise<void> {
    for (const [name, stored] of new Map(this.open)) {
      if (this.#chance() > share) continue
      const side = this.#chance() < 0.7 ? 'theirs' : this.#chance() < 0.5 ? 'ours' : 'base'
      const [conflict = stored] = await refreshConflicts([stored], await this.#surroundings())
      const before = await this.trees.pages(this.ours)
      if (side !== 'ours') {
        this.ours = await resolveConflicts({ ...(await this.#surroundings()), others: this.decided }, [conflict], side)
      }
      this.open.delete(name)
      this.decided.set(name, side)
      await this.#check(`${name} for ${side}`)
      await this.#checkPages(conflict, before)
    }
  }

  /** Checks that a resolution removes only the page in conflict, and pages below it that the space does not contain. */
  async #checkPages(conflict: Conflict, before: ReadonlyMap<string, unknown>): Promise<void> {
    const [after, live] = [await this.trees.pages(this.ours), await this.trees.pages(this.live)]
    const gone = [...before.keys()].filter((id) => !after.has(id))
    if (gone.length === 0) return
    const isExistence = conflict.on === 'page' && conflict.about === 'existence'
    const disputed =
      isExistence && conflict.base ? await readSubtreeIds(this.trees.objects, conflict.base) : new Set<string>()
    const wrong = gone.filter((id) => !disputed.has(id) || (live.has(id) && id !== (conflict as { page: string }).page))
    expect({ seed: this.#seed, name: nameOfConflict(conflict), wrong }).toEqual({
      seed: this.#seed,
      name: nameOfConflict(conflict),
      wrong: [],
    })
  }

  async #check(step: string): Promise<void> {
    const faults = await this.trees.findFaults(this.ours)
    expect({ seed: this.#seed, step, faults }).toEqual({ seed: this.#seed, step, faults: [] })
  }
}

async function disputeOf(seed: number): Promise<{ dispute: Dispute; decisions: number }> {
  const dispute = new Dispute(seed)
  await dispute.begin()
  for (let round = 0; round < 3; round++) {
    await dispute.edit('ours', 1 + (seed % 9))
    await dispute.edit('live', 1 + (seed % 7))
    await dispute.update()
    await dispute.edit('ours', 1 + (seed % 4))
    await dispute.edit('live', 1 + (seed % 3))
    await dispute.decide(0.6)
  }
  return { dispute, decisions: [...dispute.decided.values()].filter((side) => side !== null).length }
}

test(
  'resolving conflicts between merges loses no words and no other pages, and is deterministic',
  { timeout: 60_000 + runs * 500 },
  async () => {
    let decisions = 0
    for (let seed = 1; seed <= runs; seed++) {
      const { dispute, decisions: made } = await disputeOf(seed)
      decisions += made
      if (seed % 25 > 0) continue
      const { dispute: again } = await disputeOf(seed)
      expect({ seed, ours: again.ours, open: [...again.open.keys()] }).toEqual({
        seed,
        ours: dispute.ours,
        open: [...dispute.open.keys()],
      })
    }
    expect(decisions).toBeGreaterThan(runs)
  },
)
