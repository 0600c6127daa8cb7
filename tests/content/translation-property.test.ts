import { expect, test } from 'vitest'
import { assignKeys } from '../../src/content/document/assign-keys.ts'
import type { Document } from '../../src/content/document/nodes.ts'
import { findPage, openTree } from '../../src/content/revision/tree.ts'
import { mergeTrees } from '../../src/content/revision/merge.ts'
import { translateDocument } from '../../src/translation/translate-document.ts'
import { TreeTranslation } from '../../src/translation/translate-tree.ts'
import type { DocumentConflict } from '../../src/content/document/merge.ts'
import { DocumentEditor, blockOfSide, collectWords } from '../support/edited-documents.ts'
import { isLong } from '../support/long.ts'
import { withoutTexts } from '../support/translated-documents.ts'
import { Trees, createBody } from '../support/trees.ts'

// A source and its translation are changed at random, and the translation follows after each round.

const histories = isLong ? 100 : 40
const rounds = 3

/** Translates words so that they remain different from each other and from those that people write. */
const translateText = (text: string): string =>
  text.replace(/<[^>]*>|\b(base|source)(\d+)/g, (part, name?: string) => (name ? `${part}fr` : part))

class History {
  readonly #trees = new Trees()
  readonly #memory = new Map<string, string>()
  sent: string[] = []
  source: Document
  result: Document
  #machineRoot = this.#trees.empty
  #sourceRoot = this.#trees.empty
  #resultRoot = this.#trees.empty

  constructor(source: Document) {
    this.source = source
    this.result = source
  }

  /** Translates what has changed and merges it with what people changed; returns the conflicts. */
  async run(): Promise<DocumentConflict[]> {
    const { objects, empty } = this.#trees
    const isFirst = this.#machineRoot === empty
    const source = await this.#write(this.#sourceRoot, this.source)
    const theirs = isFirst ? empty : await this.#write(this.#resultRoot, this.result)
    const tree = await TreeTranslation.open(objects, {
      source,
      previous: { source: this.#sourceRoot, translation: this.#machineRoot },
    })
    this.sent = []
    const machine = await tree.write(async (items) => {
      for (const { text } of items.flatMap(({ texts }) => texts)) {
        if (this.#memory.has(text)) continue
        this.sent.push(text)
        this.#memory.set(text, translateText(text))
      }
      return (text) => this.#memory.get(text)
    })
    const { root, conflicts } = await mergeTrees(
      objects,
      { base: this.#machineRoot, ours: machine, theirs },
      { keepsTheirTexts: true },
    )
    this.#sourceRoot = source
    this.#machineRoot = machine
    this.#resultRoot = root
    this.result = await this.#read(root)
    return conflicts.flatMap((conflict) => ('about' in conflict && conflict.about === 'block' ? [conflict.block] : []))
  }

  readMachine(): Promise<Document> {
    return this.#read(this.#machineRoot)
  }

  #write(root: string, document: Document): Promise<string> {
    const hash = this.#trees.write(document)
    return this.#trees.edit(root, async (draft) => {
      if (root === this.#trees.empty)
        await draft.insertPage(
          { id: 'page', type: 'document', slug: 'page', body: createBody('Page', { document: hash }) },
          { into: null },
        )
      else await draft.updatePage('page', (body) => ({ ...body, document: hash }))
    })
  }

  async #read(root: string): Promise<Document> {
    const found = await findPage(await openTree(this.#trees.objects, root), 'page')
    return this.#trees.readDocument(found?.page.document ?? '')
  }
}

function edit(author: DocumentEditor, document: Document, count: number): Document {
  let version = document
  for (let times = 0; times < count; times++) version = author.change(version)
  return assignKeys(document, version)
}

/** Returns the texts of a document as they are sent. */
function collectTexts(document: Document): Set<string> {
  const texts = new Set<string>()
  translateDocument(document, (text) => {
    texts.add(text)
    return undefined
  })
  return texts
}

const missing = (wanted: Iterable<string>, found: ReadonlySet<string>) => [...wanted].filter((word) => !found.has(word))

test('no word that a person wrote is lost, and only changed texts are sent', async () => {
  for (let seed = 1; seed <= histories; seed++) {
    const [sourceAuthor, translator] = [
      new DocumentEditor('source', seed * 2),
      new DocumentEditor('human', seed * 2 + 1),
    ]
    const history = new History(new DocumentEditor('base', seed).document())
    await history.run()
    const known = collectTexts(history.source)
    expect(collectWords(history.result.nodes)).toEqual(collectWords((await history.readMachine()).nodes))
    for (let round = 1; round <= rounds; round++) {
      history.result = edit(translator, history.result, seed % 3)
      const human = history.result
      history.source = edit(sourceAuthor, history.source, (seed + round) % 4)
      const machineBefore = collectWords((await history.readMachine()).nodes)
      const conflicts = await history.run()
      const found = collectWords(history.result.nodes)
      const written = [...collectWords(human.nodes)].filter((word) => word.startsWith('human'))
      expect({ seed, round, lost: missing(written, found) }).toEqual({ seed, round, lost: [] })

      // What the engine translated is in the result, or in a conflict with what people changed.
      const machine = await history.readMachine()
      expect(withoutTexts(machine)).toEqual(withoutTexts(history.source))
      const translated = missing(collectWords(machine.nodes), machineBefore)
      const flagged = collectWords(conflicts.map((one) => blockOfSide(one, 'ours')))
      const visible = new Set([...found, ...flagged])
      expect({ seed, round, lost: missing(translated, visible) }).toEqual({ seed, round, lost: [] })

      // Exactly the texts that the source did not have before are sent, each once.
      const changed = [...collectTexts(history.source)].filter((text) => !known.has(text))
      expect({ seed, round, sent: history.sent.toSorted() }).toEqual({ seed, round, sent: changed.toSorted() })
      for (const text of changed) known.add(text)
    }
  }
})
