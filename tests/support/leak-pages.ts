import type { Change } from './content.ts'
import { editLive, insertPage, propose, updatePage, writePage } from './content.ts'
import { addFiles, inlineFile } from './files.ts'
import type { Guard, Secrets, Unlisted } from './leak-words.ts'
import type { Person } from './server.ts'

/** Site that contains a space, and the guards of the space there. */
export interface SpacePlacement {
  site: string
  guards: readonly Guard[]
}

/** Page of a space. */
export interface LeakPage {
  key: string
  id: string
  /** Segments of the path; empty for the first page of the space. */
  path: readonly string[]
  slugs: readonly string[]
  guards: readonly Guard[]
  unlisted: readonly Unlisted[]
  /** Keys of the page and its ancestors. */
  keys: readonly string[]
  /** Word in its own text. */
  word: string
  title: string
}

export interface LeakSpace {
  id: string
  placings: readonly SpacePlacement[]
  pages: LeakPage[]
  isClosed: boolean
  isHidden: boolean
}

const conditions: Partial<Record<Guard, string>> = {
  pro: "visitor.claims.plan == 'pro'",
  tester: "visitor.claims.unsigned.tester == 'yes'",
  // Fails for all visitors: the method is called on undefined.
  nobody: 'visitor.claims.missing.trim()',
}

export const conditionOf = (guard: Guard): string => conditions[guard] ?? ''

export const onlyFor = (guard: Guard, text: string): string => `{% if ${conditionOf(guard)} %}\n${text}\n{% endif %}`

/** Word that every page contains. */
export const commonWord = 'axolotl'

interface WriterOptions {
  secrets: Secrets
  owner: Person
  spaceId: string
  placings: readonly SpacePlacement[]
  isClosed?: boolean
  isHidden?: boolean
  /** Values of the claim `name`, by visitor. */
  names: Readonly<Record<string, string>>
}

/** Creates the pages of a space, each with unique words. */
export class SpaceWriter {
  readonly #writing: WriterOptions
  readonly #changes: Change[] = []
  readonly pages: LeakPage[] = []

  constructor(writing: WriterOptions) {
    this.#writing = writing
  }

  /** Creates a word for restricted content, on a page or anywhere in the space. */
  word(
    what: string,
    guards: readonly Guard[],
    page?: Pick<LeakPage, 'keys' | 'unlisted'>,
    more?: { isSetting: boolean },
  ): string {
    const { secrets, placings, spaceId, isClosed = false, isHidden = false } = this.#writing
    return secrets.add({
      description: `${what} (${guards.join(', ')}) in ${spaceId}`,
      rules: new Map(placings.map((placing) => [placing.site, [...placing.guards, ...guards]])),
      unlisted: [...(isHidden ? (['hidden space'] as const) : []), ...(page?.unlisted ?? [])],
      pages: page?.keys ?? [],
      isClosed,
      space: spaceId,
      ...more,
    })
  }

  change(...changes: Change[]): void {
    this.#changes.push(...changes)
  }

  /** Creates a page; `body` returns its content besides its own word. */
  page(
    name: string,
    { guard, unlisted = [], into, more = {} }: { guard?: Guard; unlisted?: Unlisted[]; into?: LeakPage; more?: object },
    body: (page: LeakPage) => string = () => '',
  ): LeakPage {
    const key = `${this.#writing.spaceId}/${name}`
    const guards = [...(into?.guards ?? []), ...(guard ? [guard] : [])]
    const keys = [...(into?.keys ?? []), key]
    const about = { keys, unlisted: [...(into?.unlisted ?? []), ...unlisted] }
    const isFirst = this.pages.length === 0
    const slug = this.word(`slug of ${name}`, guards, about)
    const slugs = [...(into?.slugs ?? []), slug]
    const [title, word] = [this.word(`title of ${name}`, guards, about), this.word(`text of ${name}`, guards, about)]
    const page: LeakPage = { key, id: '', path: isFirst ? [] : slugs, slugs, guards, ...about, word, title }
    this.pages.push(page)
    this.#changes.push(
      insertPage(`# ${title}\n\n${commonWord} ${word}\n\n${body(page)}`, {
        ref: name,
        slug,
        description: this.word(`description of ${name}`, guards, about),
        ...(guard && { condition: conditionOf(guard) }),
        ...(into && { into: into.key.split('/').at(-1) }),
        ...(unlisted.includes('hidden') && { hidden: true }),
        ...(unlisted.includes('search') && { noIndex: true }),
        ...(unlisted.includes('engines') && { noRobotsIndex: true }),
        ...more,
      }),
    )
    return page
  }

  async save(): Promise<LeakSpace> {
    const { owner, spaceId, placings, isClosed = false, isHidden = false } = this.#writing
    const ids = await editLive(owner, spaceId, ...this.#changes)
    const created = this.#changes.filter((change) => /^insert_(page|group|link)$/.test(String(change['operation'])))
    for (const page of this.pages) {
      const at = created.findIndex((change) => (change as { ref?: string }).ref === page.key.split('/').at(-1))
      page.id = ids[at] ?? ''
    }
    return { id: spaceId, placings, pages: this.pages, isClosed, isHidden }
  }
}

/** Creates a space with little content. */
export async function writePlainSpace(writing: WriterOptions): Promise<LeakSpace> {
  const writer = new SpaceWriter(writing)
  const home = writer.page('home', {}, (page) => onlyFor('pro', writer.word('block', ['pro'], page)))
  writer.page('inner', { into: home })
  writer.page('paid', { guard: 'pro' })
  return writer.save()
}

const update = (date: string, text: string, tags = ''): string =>
  `{% update date="${date}"${tags} %}\n## ${text}\n\n${text}\n{% endupdate %}`

/** Creates a space with every kind of content that can be restricted. */
export async function writeRichSpace(writing: WriterOptions): Promise<LeakSpace> {
  const writer = new SpaceWriter(writing)
  const tag = writer.word('tag', ['pro'], undefined, { isSetting: true })
  const variable = writer.word('variable', ['pro'], undefined, { isSetting: true })
  const file = writer.word('file', ['pro'])
  const cover = writer.word('cover', ['pro'])
  const [paper, picture] = await addFiles(
    writing.owner,
    writing.spaceId,
    inlineFile(`${file}.txt`, file),
    inlineFile(`${cover}.png`, cover, 'image/png'),
  )
  writer.change(
    { operation: 'set_tags', tags: [{ slug: tag, label: tag }] },
    { operation: 'set_variables', variables: { secret: variable } },
    {
      operation: 'insert_reusable_content',
      ref: 'part',
      title: writer.word('title of what is reused', ['nobody']),
      document: { markdown: `${writer.word('reused', [])}\n\n${onlyFor('pro', writer.word('reused', ['pro']))}` },
    },
  )
  const named = Object.entries(writing.names).map(([visitor, name]) => [`only ${visitor}` as const, name] as const)
  writer.page('home', {}, (page) =>
    [
      onlyFor('pro', `${writer.word('block', ['pro'], page)}\n\n{% file src="/files/${paper?.id}" %}`),
      onlyFor('tester', writer.word('block', ['tester'], page)),
      onlyFor('nobody', writer.word('block', ['nobody'], page)),
      onlyFor('pro', '<code class="expression">space.vars.secret</code>'),
      'You are <code class="expression">visitor.claims.name</code>',
      '{% include "./part" %}',
      ...named.map(
        ([guard, name]) => `{% if visitor.claims.name == '${name}' %}\n${writer.word('named', [guard])}\n{% endif %}`,
      ),
    ].join('\n\n'),
  )
  const paid = writer.page(
    'paid',
    { guard: 'pro', more: { cover: { ref: { kind: 'file', file: picture?.id }, yPos: 0 } } },
    () => `![](/files/${picture?.id})`,
  )
  writer.page('below', { into: paid })
  const tested = writer.page('tested', { guard: 'tester' })
  writer.page('both', { guard: 'pro', into: tested })
  const hidden = writer.page('hidden', { unlisted: ['hidden'] })
  writer.page('under', { into: hidden })
  writer.page('quiet', { unlisted: ['search'] })
  writer.page('shy', { unlisted: ['engines'] })
  writer.page('broken', { guard: 'nobody' })
  writer.page('pointing', {}, () =>
    [
      '[there](./paid.md), [](./below.md), [mention](./paid.md "mention")',
      '{% content-ref url="./below.md" %}\n{% endcontent-ref %}',
      '[anchor](./tested.md#more) <a href="./both.md" class="button primary">Go</a>',
    ].join('\n\n'),
  )
  writer.page('news', {}, (page) => {
    const secret = update('2026-01-02', writer.word('update', ['pro'], page), ` tags="${tag}"`)
    return `{% updates format="full" %}\n${update('2026-01-01', 'Open')}\n{% endupdates %}\n\n${onlyFor('pro', `{% updates format="full" %}\n${secret}\n{% endupdates %}`)}`
  })
  writer.change({
    operation: 'insert_group',
    ref: 'group',
    title: writer.word('title of a group', ['pro']),
    slug: writer.word('slug of a group', ['pro']),
    condition: conditionOf('pro'),
  })
  const linked = { kind: 'url', url: `https://example.com/${writer.word('address of a link', ['tester'])}` }
  writer.change({
    operation: 'insert_link',
    title: writer.word('title of a link', ['tester']),
    target: linked,
    condition: conditionOf('tester'),
  })
  writer.change(insertPage(`# ${writer.word('former page', ['former'])}`, { ref: 'gone' }))
  writer.page('changing', {}, () => writer.word('former text', ['former']))
  const space = await writer.save()
  return space
}

/** Creates history: deletes a page, replaces a text, and proposes a change. Returns their ids. */
export async function makeHistory(writing: WriterOptions, space: LeakSpace) {
  const { owner, spaceId } = writing
  const writer = new SpaceWriter(writing)
  const changing = space.pages.find(({ key }) => key.endsWith('/changing'))
  const { revision } = await owner.api.getSpaceById({ params: { spaceId }, query: {} })
  const { pages } = await owner.api.listPages({ params: { spaceId }, query: {} })
  const known = new Set(space.pages.map(({ id }) => id))
  const gone = pages.find(({ id, type }) => type === 'document' && !known.has(id))
  await editLive(
    owner,
    spaceId,
    { operation: 'delete_page', page: gone?.id ?? '' },
    writePage(changing?.id ?? '', `# ${changing?.title}\n\n${commonWord} ${changing?.word}`),
  )
  const proposal = await propose(owner, spaceId, writer.word('subject of a change', ['proposed']))
  await proposal.edit(
    insertPage(`# ${writer.word('proposed page', ['proposed'])}`),
    updatePage(changing?.id ?? '', { description: writer.word('proposed description', ['proposed']) }),
    writePage(
      changing?.id ?? '',
      `# ${changing?.title}\n\n${changing?.word} ${writer.word('proposed text', ['proposed'])}`,
    ),
  )
  const { number } = await owner.api.getChangeRequestById({ params: proposal.params })
  return { revision, proposal, number }
}
