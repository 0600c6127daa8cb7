import { createElement, fillPlaceholder } from './dom.ts'
import { hasPrivacyControl, sendEvents } from './visit.ts'

interface SearchHit {
  title: string
  href: string
  /** Parts of the snippet; every second one matches the query. */
  snippet: readonly string[]
}

interface PageHit extends SearchHit {
  emoji?: string
  trail: readonly string[]
  sections: readonly SearchHit[]
}

type TextName = 'hint' | 'none' | 'noneHint' | 'count' | 'failed' | 'all' | 'navigate' | 'open' | 'close'
type Texts = Record<TextName, string> & { here?: string; everywhere?: string }

const searches = new WeakMap<HTMLFormElement, Search>()

/** Opens the search dialog. */
export function openSearch(form: HTMLFormElement, query: string): void {
  let search = searches.get(form)
  if (!search) searches.set(form, (search = new Search(form)))
  search.open(query)
}

/** Debounce delay in milliseconds after a keystroke. */
const debounceDelay = 80
const maxCachedReplies = 50

class Search {
  readonly #form: HTMLFormElement
  readonly #field: HTMLInputElement
  readonly #texts: Texts
  readonly #cachedReplies = new Map<string, readonly PageHit[]>()
  readonly #dialog: HTMLDialogElement
  readonly #input: HTMLInputElement
  readonly #list = createElement('div', { id: 'search-results', role: 'listbox' })
  readonly #note = createElement('div', { class: 'search-note' })
  readonly #status = createElement('div', { class: 'sr-only', role: 'status' })
  readonly #all: HTMLAnchorElement
  readonly #scopes: HTMLButtonElement[] = []
  #isScoped = false
  #active = -1
  /** The result that the visitor selected since the last change of the query. */
  #chosenHref: string | undefined
  #timer = 0
  #pendingRequest: AbortController | undefined
  /** The last query with results on the screen, until it is sent. */
  #unsentQuery: { query: string; results: number } | undefined

  constructor(form: HTMLFormElement) {
    this.#form = form
    this.#field = form.elements.namedItem('q') as HTMLInputElement
    this.#texts = JSON.parse(form.dataset['texts'] ?? '{}') as Texts
    const { all, close, here, everywhere, navigate, open } = this.#texts
    const label = this.#field.getAttribute('aria-label') ?? ''
    this.#input = createElement('input', {
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
    this.#all = createElement('a', { class: 'search-all' }, all)
    const closeButton = createElement(
      'button',
      { type: 'button', class: 'search-close', 'aria-label': `Esc ${close}` },
      'Esc',
    )
    const top = createElement('div', { class: 'search-top' }, this.#input, closeButton)
    const icon = form.querySelector('svg')
    if (icon) top.prepend(icon.cloneNode(true))
    const keys = createElement('span', { class: 'search-keys', 'aria-hidden': 'true' })
    keys.append(createHint(navigate, '↑', '↓'), createHint(open, '↵'), createHint(close, 'esc'))
    this.#dialog = createElement('dialog', { class: 'search', 'aria-label': label }, top)
    if (here && everywhere) this.#dialog.append(this.#scopeSwitch([everywhere, here], label))
    const body = createElement('div', { class: 'search-body' }, this.#list, this.#note)
    this.#dialog.append(body, createElement('div', { class: 'search-foot' }, keys, this.#all), this.#status)
    document.body.append(this.#dialog)
    this.#listen(closeButton)
  }

  open(query: string): void {
    if (this.#dialog.open) return
    this.#chosenHref = undefined
    this.#dialog.showModal()
    this.#input.value = query
    this.#input.focus()
    this.#input.setSelectionRange(query.length, query.length)
    this.#requestResults(0)
  }

  #listen(closeButton: HTMLElement): void {
    const dialog = this.#dialog
    this.#input.addEventListener('input', () => {
      this.#chosenHref = undefined
      this.#requestResults(debounceDelay)
    })
    this.#input.addEventListener('keydown', (event) => this.#handleKey(event))
    closeButton.addEventListener('click', () => dialog.close())
    dialog.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const opensHere = link && !event.ctrlKey && !event.metaKey && !event.shiftKey
      if (event.target === dialog || opensHere) dialog.close()
    })
    this.#list.addEventListener('pointermove', ({ target }) => {
      const at = target instanceof Element ? this.#options().indexOf(target.closest('a') as HTMLAnchorElement) : -1
      if (at >= 0 && at !== this.#active) this.#choose(at)
    })
    addEventListener('pagehide', () => this.#sendQuery())
    dialog.addEventListener('close', () => {
      this.#sendQuery()
      this.#pendingRequest?.abort()
      clearTimeout(this.#timer)
      this.#field.value = this.#input.value
      this.#field.focus({ preventScroll: true })
    })
  }

  #scopeSwitch(titles: readonly string[], label: string): HTMLElement {
    const group = createElement('div', { class: 'search-scopes', role: 'group', 'aria-label': label })
    titles.forEach((title, index) => {
      const button = createElement('button', { type: 'button', 'aria-pressed': String(index === 0) }, title)
      button.addEventListener('click', () => {
        this.#isScoped = index === 1
        this.#scopes.forEach((one) => one.setAttribute('aria-pressed', String(one === button)))
        this.#input.focus()
        this.#requestResults(0)
      })
      this.#scopes.push(button)
      group.append(button)
    })
    return group
  }

  #handleKey(event: KeyboardEvent): void {
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
    const nextIndex = { ArrowDown: this.#active + 1, ArrowUp: this.#active - 1, Home: 0, End: length - 1 }[key]
    if (nextIndex === undefined || length === 0 || shiftKey) return
    event.preventDefault()
    this.#choose((nextIndex + length) % length)
    this.#options()[this.#active]?.scrollIntoView({ block: 'nearest' })
  }

  #options(): HTMLAnchorElement[] {
    return [...this.#list.querySelectorAll<HTMLAnchorElement>('[role=option]')]
  }

  #choose(index: number): void {
    this.#activate(index)
    this.#chosenHref = this.#options()[index]?.href
  }

  #activate(index: number): void {
    const options = this.#options()
    this.#active = options[index] ? index : -1
    options.forEach((option, at) => option.setAttribute('aria-selected', String(at === this.#active)))
    const id = options[index]?.id
    if (id) this.#input.setAttribute('aria-activedescendant', id)
    else this.#input.removeAttribute('aria-activedescendant')
  }

  /** Requests results for the current query after a delay. Earlier results remain visible until then. */
  #requestResults(delay: number): void {
    clearTimeout(this.#timer)
    this.#pendingRequest?.abort()
    const query = this.#input.value.trim()
    const parameters = new URLSearchParams({ q: query })
    const from = this.#form.elements.namedItem('from')
    if (from instanceof HTMLInputElement) {
      parameters.set('from', from.value)
      if (this.#isScoped) parameters.set('in', from.value)
    }
    this.#all.href = `${this.#form.action}?${parameters}`
    this.#all.hidden = query === ''
    const key = String(parameters)
    const cached = query === '' ? [] : this.#cachedReplies.get(key)
    if (cached) return this.#showResults(query, cached)
    const request = new AbortController()
    this.#pendingRequest = request
    this.#timer = setTimeout(() => void this.#fetchResults(query, key, request.signal), delay)
  }

  async #fetchResults(query: string, key: string, signal: AbortSignal): Promise<void> {
    this.#list.setAttribute('aria-busy', 'true')
    try {
      const reply = await fetch(`${this.#form.action}.json?${key}`, { signal })
      if (!reply.ok) throw new Error()
      const found = (await reply.json()) as PageHit[]
      if (signal.aborted) return
      if (this.#cachedReplies.size >= maxCachedReplies) this.#cachedReplies.clear()
      this.#cachedReplies.set(key, found)
      this.#showResults(query, found)
    } catch {
      if (!signal.aborted) this.#render([], this.#texts.failed)
    }
  }

  /** Sends the query that a visitor ended with, and not those while they typed. */
  #sendQuery(): void {
    const event = this.#unsentQuery
    this.#unsentQuery = undefined
    if (event && !hasPrivacyControl()) sendEvents({ type: 'search_type_query', ...event })
  }

  #showResults(query: string, found: readonly PageHit[]): void {
    const { hint, none, noneHint, count } = this.#texts
    this.#unsentQuery = query === '' ? undefined : { query, results: found.length }
    if (query === '') return this.#render([], hint)
    if (found.length === 0) return this.#render([], fillPlaceholder(none, query), noneHint)
    this.#render(found, fillPlaceholder(count, String(found.length)))
  }

  /** Shows results, or a message instead. */
  #render(found: readonly PageHit[], text: string, more = ''): void {
    const hasResults = found.length > 0
    let count = 0
    const option = (kind: string, title: string, href: string, ...children: Node[]) =>
      createElement(
        'a',
        { role: 'option', id: `search-${count++}`, class: `found-${kind}`, href, tabindex: '-1' },
        createElement('span', { class: 'found-title', dir: 'auto' }, title),
        ...children,
      )
    const groups = found.map(({ title, href, emoji, trail, snippet, sections }) => {
      const page = option('page', title, href, ...createSnippet(snippet))
      if (trail.length > 0) page.prepend(createElement('span', { class: 'trail', dir: 'auto' }, trail.join(' / ')))
      if (emoji) page.append(createElement('span', { class: 'found-emoji', 'aria-hidden': 'true' }, emoji))
      const sectionLinks = sections.map((section) =>
        option('section', section.title, section.href, ...createSnippet(section.snippet)),
      )
      return createElement('div', { role: 'group', 'aria-label': title }, page, ...sectionLinks)
    })
    this.#list.replaceChildren(...groups)
    this.#list.removeAttribute('aria-busy')
    this.#list.hidden = !hasResults
    this.#input.setAttribute('aria-expanded', String(hasResults))
    this.#note.hidden = hasResults
    this.#note.replaceChildren(
      createElement('p', { dir: 'auto' }, text),
      ...(more ? [createElement('p', {}, more)] : []),
    )
    this.#status.textContent = text
    this.#list.parentElement?.scrollTo(0, 0)
    // Results of the whole query may replace those of its beginning after the visitor has selected one.
    const options = this.#options()
    const chosen = options.find(({ href }) => href === this.#chosenHref)
    this.#activate(chosen ? options.indexOf(chosen) : 0)
    chosen?.scrollIntoView({ block: 'nearest' })
  }
}

function createSnippet(parts: readonly string[]): HTMLElement[] {
  if (parts.length === 0) return []
  const shown = parts.map((part, index) => (index % 2 === 1 ? createElement('mark', {}, part) : part))
  return [createElement('span', { class: 'found-text', dir: 'auto' }, ...shown)]
}

const createHint = (text: string, ...signs: string[]): HTMLElement =>
  createElement('span', {}, ...signs.map((sign) => createElement('kbd', {}, sign)), text)
