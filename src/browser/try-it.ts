import { createElement, fillPlaceholder, findElement, getBasePath, readStorage, writeStorage } from './dom.ts'
import { type TryItFields, createTryItFields } from './try-it-fields.ts'
import { renderResponse } from './try-it-result.ts'
import { RefusedError, type TryItProxy, sendDirectly, sendThroughProxy } from './try-it-send.ts'
import { InvalidValueError, buildRequest } from '../openapi/try-it/build-request.ts'
import { type TryItForm } from '../openapi/try-it/form.ts'
import { toSampleRequest, withJsonValue } from '../openapi/try-it/to-sample-request.ts'
import { sampleLanguages } from '../openapi/samples/code-samples.ts'
import type { TryItPanelTexts } from '../render/openapi/try-it.ts'

// The try-it panel: a dialog with the form of an operation and the response.

/** Key of the language in which requests are shown, in the storage of the browser. */
const languageKey = 'try-it-language'

/** Time in seconds after which a request is cancelled. */
const timeout = 60

interface PanelData {
  form: TryItForm
  document: string
  proxy?: TryItProxy
}

const panels = new WeakMap<HTMLElement, TryItPanel>()

/** Opens the panel of the operation that a button belongs to. Entered values are kept while the page is open. */
export function openTryIt(button: HTMLElement): void {
  let panel = panels.get(button)
  if (!panel) panels.set(button, (panel = new TryItPanel(button)))
  panel.open()
}

const readJson = (element: Element | null): unknown => JSON.parse(element?.textContent ?? '{}')

class TryItPanel {
  readonly #form: TryItForm
  readonly #proxy: TryItProxy | undefined
  readonly #texts: TryItPanelTexts
  readonly #fields: TryItFields
  readonly #dialog: HTMLDialogElement
  readonly #send: HTMLButtonElement
  readonly #cancel: HTMLButtonElement
  readonly #status = createElement('p', { class: 'try-it-message', role: 'status' })
  readonly #response = createElement('div', { class: 'try-it-response' })
  readonly #heading: HTMLElement
  readonly #sample = createElement('code')
  readonly #language: HTMLSelectElement
  #running: AbortController | undefined

  constructor(button: HTMLElement) {
    const data = readJson(findElement('[data-try-it-form]', button.parentElement ?? document)) as PanelData
    const texts = readJson(findElement('[data-try-it-texts]')) as TryItPanelTexts
    this.#form = data.form
    this.#proxy = data.proxy
    this.#texts = texts
    this.#fields = createTryItFields(data.form, texts, {
      storageKey: `try-it ${getBasePath()} ${data.document}`,
      hasProxy: data.proxy !== undefined,
    })
    this.#send = createElement('button', { type: 'submit', class: 'try-it-send' }, texts.send)
    this.#cancel = createElement('button', { type: 'button', class: 'try-it-cancel', hidden: '' }, texts.cancel)
    this.#heading = createElement('h3', {}, texts.response)
    this.#language = createElement(
      'select',
      { 'aria-label': texts.request },
      ...sampleLanguages.map(({ title }) => createElement('option', {}, title)),
    )
    this.#language.value = readStorage(languageKey) ?? ''
    if (this.#language.selectedIndex < 0) this.#language.selectedIndex = 0
    this.#dialog = this.#createDialog()
    this.#status.textContent = texts.empty
    this.#updateSample()
    document.body.append(this.#dialog)
  }

  open(): void {
    this.#dialog.showModal()
  }

  #createDialog(): HTMLDialogElement {
    const { close, response, proxyHint } = this.#texts
    const { method, path } = this.#form
    const badge = createElement('b', { class: `method method-${method.toLowerCase()}` }, method)
    const title = createElement('h2', { id: `try-it-${++panelCount}` }, badge, createElement('span', {}, path))
    const closeButton = createElement('button', { type: 'button', class: 'try-it-close', 'aria-label': close }, '✕')
    const note = this.#proxy ? [createElement('p', { class: 'try-it-note' }, proxyHint)] : []
    const form = createElement(
      'form',
      { class: 'try-it-form' },
      createElement('div', { class: 'try-it-fields' }, ...this.#fields.elements, ...note),
      createElement('div', { class: 'try-it-actions' }, this.#send, this.#cancel),
    )
    const result = createElement(
      'section',
      { class: 'try-it-result', 'aria-label': response },
      this.#createSample(),
      this.#heading,
      this.#status,
      this.#response,
    )
    const dialog = createElement(
      'dialog',
      { class: 'try-it-panel', 'aria-labelledby': title.id },
      createElement('div', { class: 'try-it-head' }, title, closeButton),
      createElement('div', { class: 'try-it-body' }, form, result),
    )
    closeButton.addEventListener('click', () => dialog.close())
    dialog.addEventListener('close', () => this.#running?.abort(new DOMException('Closed', 'AbortError')))
    dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
    form.addEventListener('input', () => this.#updateSample())
    form.addEventListener('change', () => this.#updateSample())
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#sendRequest()
    })
    form.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) form.requestSubmit()
    })
    this.#cancel.addEventListener('click', () => this.#running?.abort(new DOMException('Cancelled', 'AbortError')))
    return dialog
  }

  #createSample(): HTMLElement {
    const pre = createElement('pre', { tabindex: '0' }, this.#sample)
    const nameLanguage = () => pre.setAttribute('aria-label', this.#language.value)
    nameLanguage()
    this.#language.addEventListener('change', () => {
      nameLanguage()
      writeStorage(languageKey, this.#language.value)
      this.#updateSample()
    })
    return createElement(
      'details',
      { class: 'try-it-sample', open: '' },
      createElement('summary', {}, this.#texts.request),
      this.#language,
      pre,
    )
  }

  #updateSample(): void {
    try {
      const { print, title } = sampleLanguages[this.#language.selectedIndex] ?? sampleLanguages[0]
      const request = toSampleRequest(buildRequest(this.#form, this.#fields.readValues()))
      // curl shows the body as it was entered.
      this.#sample.textContent = print(title === 'curl' ? request : withJsonValue(request))
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error
    }
  }

  async #sendRequest(): Promise<void> {
    if (this.#running) return
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(new DOMException('Timeout', 'TimeoutError')), timeout * 1000)
    this.#setRunning(controller)
    const hadFocus = document.activeElement === this.#send || document.activeElement === document.body
    if (hadFocus) this.#cancel.focus()
    this.#response.replaceChildren()
    this.#status.classList.remove('try-it-error')
    this.#status.textContent = this.#texts.sending
    try {
      const values = this.#fields.readValues()
      const request = buildRequest(this.#form, values)
      const response = this.#proxy
        ? await sendThroughProxy(this.#proxy, this.#form, values, controller.signal)
        : await sendDirectly(request, controller.signal)
      const content = renderResponse(response, this.#texts)
      this.#response.replaceChildren(...content)
      this.#status.textContent = ''
      // The first element has the status, which is announced.
      if (content[0]) this.#status.append(content[0])
      // On narrow screens the response is below the form.
      if (matchMedia('(max-width: 48rem)').matches) this.#heading.scrollIntoView()
    } catch (error) {
      this.#status.classList.add('try-it-error')
      this.#status.textContent = this.#describeError(error, controller.signal)
    } finally {
      clearTimeout(timer)
      const wasOnCancel = document.activeElement === this.#cancel
      this.#setRunning(undefined)
      if (wasOnCancel) this.#send.focus()
    }
  }

  #setRunning(controller: AbortController | undefined): void {
    this.#running = controller
    this.#send.hidden = controller !== undefined
    this.#cancel.hidden = controller === undefined
  }

  #describeError(error: unknown, { aborted, reason }: AbortSignal): string {
    const { cancelled, failed, invalidValue, timedOut } = this.#texts
    if (error instanceof InvalidValueError) return fillPlaceholder(invalidValue, error.field)
    if (error instanceof RefusedError) return error.message
    if (!aborted) return failed
    const isTimeout = reason instanceof DOMException && reason.name === 'TimeoutError'
    return isTimeout ? fillPlaceholder(timedOut, String(timeout)) : cancelled
  }
}

let panelCount = 0
