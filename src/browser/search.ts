interface Place {
  title: string
  href: string
  /** Parts of the snippet; every second one matches the query. */
  snippet: readonly string[]
}

interface Found extends Place {
  emoji?: string
  trail: readonly string[]
  sections: readonly Place[]
}

type Text = 'hint' | 'none' | 'noneHint' | 'count' | 'failed' | 'all' | 'navigate' | 'open' | 'close'
type Texts = Record<Text, string> & { here?: string; everywhere?: string }

type Attributes = Readonly<Record<string, string>>

/** Creates an element with attributes and children. Strings are inserted as text, never as markup. */
function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...inside)
  return element
}

const fill = (text: string, value: string) => text.replace('{0}', () => value)

const searches = new WeakMap<HTMLFormElement, Search>()

/** Opens the search dialog. */
export function openSearch(form: HTMLFormElement, query: string): void {
  let search = searches.get(form)
  if (!search) searches.set(form, (search = new Search(form)))
  search.open(query)
}

/** Debounce delay in milliseconds after a keystroke. */
const pause = 80
const keptReplies = 50

class Search {
  readonly #form: HTMLFormElement
  readonly #field: HTMLInputElement
  readonly #texts: Texts
  readonly #replies = new Map<string, readonly Found[]>()
  readonly #dialog: HTMLDialogElement
  readonly #input: HTMLInputElement
  readonly #list = make('div', { id: 'search-results', role: 'listbox' })
  readonly #note = make('div', { class: 'search-note' })
  readonly #status = make('div', { class: 'sr-only', role: 'status' })
  readonly #all: HTMLAnchorElement
  readonly #scopes: HTMLButtonElement[] = []
  #isHere = false
  #active = -1
  #timer = 0
  #asking: AbortController | undefined

  constructor(form: HTMLFormElement) {
    this.#form = form
    this.#field = form.elements.namedItem('q') as HTMLInputElement
    this.#texts = JSON.parse(form.dataset['texts'] ?? '{}') as Texts
    const { all, close, here, everywhere, navigate, open } = this.#texts
    const label = this.#field.getAttribute('aria-label') ?? ''
    this.#input = make('input', {
      type: 'text',
      inputmode: 'search',
      enterkeyhint: 'search',
      role: 'combobox',
      dir: 'auto',
      maxlength: '512',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      placeholder: this.#field.placeholder,
      'aria-label': label,
      'aria-autocomplete': 'list',
      'aria-controls': this.#list.id,
      'aria-expanded': 'false',
    })
    this.#list.setAttribute('aria-label', label)
    this.#all = make('a', { class: 'search-all' }, all)
    const leave = make('button', { type: 'button', class: 'search-close', 'aria-label': `Esc ${close}` }, 'Esc')
    const top = make('div', { class: 'search-top' }, this.#input, leave)
    const icon = form.querySelector('svg')
    if (icon) top.prepend(icon.cloneNode(true))
    const keys = make('span', { class: 'search-keys', 'aria-hidden': 'true' })
    const hint = (text: string, ...signs: string[]) =>
      make('span', {}, ...signs.map((sign) => make('kbd', {}, sign)), text)
    keys.append(hint(navigate, '↑', '↓'), hint(open, '↵'), hint(close, 'esc'))
    this.#dialog = make('dialog', { class: 'search', 'aria-label': label }, top)
    if (here && everywhere) this.#dialog.append(this.#scopeSwitch([everywhere, here], label))
    const body = make('div', { class: 'search-body' }, this.#list, this.#note)
    this.#dialog.append(body, make('div', { class: 'search-foot' }, keys, this.#all), this.#status)
    document.body.append(this.#dialog)
    this.#listen(leave)
  }

  open(query: string): void {
    if (this.#dialog.open) return
    this.#dialog.showModal()
    this.#input.value = query
    this.#input.focus()
    this.#input.setSelectionRange(query.length, query.length)
    this.#ask(0)
  }

  #listen(leave: HTMLElement): void {
    const dialog = this.#dialog
    this.#input.addEventListener('input', () => this.#ask(pause))
    this.#input.addEventListener('keydown', (event) => this.#press(event))
    leave.addEventListener('click', () => dialog.close())
    dialog.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const opensHere = link && !event.ctrlKey && !event.metaKey && !event.shiftKey
      if (event.target === dialog || opensHere) dialog.close()
    })
    this.#list.addEventListener('pointermove', ({ target }) => {
      const at = target instanceof Element ? this.#options().indexOf(target.closest('a') as HTMLAnchorElement) : -1
      if (at >= 0 && at !== this.#active) this.#choose(at)
    })
    dialog.addEventListener('close', () => {
      this.#asking?.abort()
      clearTimeout(this.#timer)
      this.#field.value = this.#input.value
      this.#field.focus({ preventScroll: true })
    })
  }

  #scopeSwitch(titles: readonly string[], label: string): HTMLElement {
    const group = make('div', { class: 'search-scopes', role: 'group', 'aria-label': label })
    titles.forEach((title, index) => {
      const button = make('button', { type: 'button', 'aria-pressed': String(index === 0) }, title)
      button.addEventListener('click', () => {
        this.#isHere = index === 1
        this.#scopes.forEach((one) => one.setAttribute('aria-pressed', String(one === button)))
        this.#input.focus()
        this.#ask(0)
      })
      this.#scopes.push(button)
      group.append(button)
    })
    return group
  }

  #press(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, shiftKey, isComposing } = event
    const options = this.#options()
    if (isComposing) return
    if (key === 'Enter') {
      event.preventDefault()
      const link = options[this.#active] ?? (this.#input.value.trim() === '' ? undefined : this.#all)
      if (!link) return
      if (ctrlKey || metaKey) window.open(link.href, '_blank', 'noopener')
      else link.click()
      return
    }
    const { length } = options
    const to = { ArrowDown: this.#active + 1, ArrowUp: this.#active - 1, Home: 0, End: length - 1 }[key]
    if (to === undefined || length === 0 || shiftKey) return
    event.preventDefault()
    this.#choose((to + length) % length)
    this.#options()[this.#active]?.scrollIntoView({ block: 'nearest' })
  }

  #options(): HTMLAnchorElement[] {
    return [...this.#list.querySelectorAll<HTMLAnchorElement>('[role=option]')]
  }

  #choose(index: number): void {
    const options = this.#options()
    this.#active = options[index] ? index : -1
    options.forEach((option, at) => option.setAttribute('aria-selected', String(at === this.#active)))
    const id = options[index]?.id
    if (id) this.#input.setAttribute('aria-activedescendant', id)
    else this.#input.removeAttribute('aria-activedescendant')
  }

  /** Requests results for the current query after a delay. Earlier results remain visible until then. */
  #ask(delay: number): void {
    clearTimeout(this.#timer)
    this.#asking?.abort()
    const query = this.#input.value.trim()
    const parameters = new URLSearchParams({ q: query })
    const from = this.#form.elements.namedItem('from')
    if (from instanceof HTMLInputElement) {
      parameters.set('from', from.value)
      if (this.#isHere) parameters.set('in', from.value)
    }
    this.#all.href = `${this.#form.action}?${parameters}`
    this.#all.hidden = query === ''
    const key = String(parameters)
    const known = query === '' ? [] : this.#replies.get(key)
    if (known) return this.#show(query, known)
    const asking = new AbortController()
    this.#asking = asking
    this.#timer = setTimeout(() => void this.#fetch(query, key, asking.signal), delay)
  }

  async #fetch(query: string, key: string, signal: AbortSignal): Promise<void> {
    this.#list.setAttribute('aria-busy', 'true')
    try {
      const reply = await fetch(`${this.#form.action}.json?${key}`, { signal })
      if (!reply.ok) throw new Error()
      const found = (await reply.json()) as Found[]
      if (signal.aborted) return
      if (this.#replies.size >= keptReplies) this.#replies.clear()
      this.#replies.set(key, found)
      this.#show(query, found)
    } catch {
      if (!signal.aborted) this.#say([], this.#texts.failed)
    }
  }

  #show(query: string, found: readonly Found[]): void {
    const { hint, none, noneHint, count } = this.#texts
    if (query === '') return this.#say([], hint)
    if (found.length === 0) return this.#say([], fill(none, query), noneHint)
    this.#say(found, fill(count, String(found.length)))
  }

  /** Shows results, or a message instead. */
  #say(found: readonly Found[], text: string, more = ''): void {
    const hasFound = found.length > 0
    let count = 0
    const option = (kind: string, title: string, href: string, ...inside: Node[]) =>
      make(
        'a',
        { role: 'option', id: `search-${count++}`, class: `found-${kind}`, href, tabindex: '-1' },
        make('span', { class: 'found-title', dir: 'auto' }, title),
        ...inside,
      )
    const groups = found.map(({ title, href, emoji, trail, snippet, sections }) => {
      const page = option('page', title, href, ...snippetOf(snippet))
      if (trail.length > 0) page.prepend(make('span', { class: 'trail', dir: 'auto' }, trail.join(' / ')))
      if (emoji) page.append(make('span', { class: 'found-emoji', 'aria-hidden': 'true' }, emoji))
      const places = sections.map((place) => option('section', place.title, place.href, ...snippetOf(place.snippet)))
      return make('div', { role: 'group', 'aria-label': title }, page, ...places)
    })
    this.#list.replaceChildren(...groups)
    this.#list.removeAttribute('aria-busy')
    this.#list.hidden = !hasFound
    this.#input.setAttribute('aria-expanded', String(hasFound))
    this.#note.hidden = hasFound
    this.#note.replaceChildren(make('p', { dir: 'auto' }, text), ...(more ? [make('p', {}, more)] : []))
    this.#status.textContent = text
    this.#choose(0)
    this.#list.parentElement?.scrollTo(0, 0)
  }
}

function snippetOf(parts: readonly string[]): HTMLElement[] {
  if (parts.length === 0) return []
  const shown = parts.map((part, index) => (index % 2 === 1 ? make('mark', {}, part) : part))
  return [make('span', { class: 'found-text', dir: 'auto' }, ...shown)]
}
