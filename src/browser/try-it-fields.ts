import { createElement } from './dom.ts'
import { hasBody } from '../openapi/try-it/build-request.ts'
import {
  type TryItBody,
  type TryItCredential,
  type TryItField,
  type TryItForm,
  type TryItLocation,
  type TryItSecret,
  type TryItServer,
  type TryItValues,
  parameterKey,
} from '../openapi/try-it/form.ts'
import type { TryItPanelTexts } from '../render/openapi/try-it.ts'

/** The fields of a form as elements. */
export interface TryItFields {
  elements: readonly HTMLElement[]
  readValues: () => TryItValues
}

interface FieldOptions {
  /** Key of the credentials in the storage of the tab. */
  storageKey: string
  /** Whether the server of the site sends the request. */
  hasProxy: boolean
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const parameterLocations: readonly TryItLocation[] = ['path', 'query', 'header', 'cookie']

/** Creates the fields of a form. */
export function createTryItFields(form: TryItForm, texts: TryItPanelTexts, options: FieldOptions): TryItFields {
  const server = createServerFields(form.servers, texts)
  const security = createSecurityFields(form, texts, options)
  const parameters = new Map<string, Control>()
  const sections = parameterLocations.map((location) => {
    const matching = form.parameters.filter((one) => one.location === location)
    const fields = matching.map((one) => {
      const control = createControl(one)
      parameters.set(parameterKey(one), control)
      return renderField(control, one, texts)
    })
    const note = location === 'cookie' && !options.hasProxy ? [createNote(texts.cookieHint)] : []
    return createGroup(texts.parameters[location], fields.length > 0 ? [...fields, ...note] : [])
  })
  const body = createBodyFields(hasBody(form) ? form.bodies : [], texts)
  return {
    elements: [server.group, security.group, ...sections, body.group].filter((group) => group.childElementCount > 1),
    readValues: () => ({
      ...server.read(),
      ...security.read(),
      parameters: mapValues(parameters, ({ value }) => value),
      ...body.read(),
    }),
  }
}

const mapValues = <Value, Result>(map: ReadonlyMap<string, Value>, convert: (value: Value) => Result) =>
  Object.fromEntries(Array.from(map, ([name, value]) => [name, convert(value)]))

const createNote = (text: string): HTMLElement => createElement('p', { class: 'try-it-note' }, text)

const createGroup = (title: string, children: readonly Node[]): HTMLElement =>
  createElement('fieldset', {}, createElement('legend', {}, title), ...children)

let idCount = 0

/** Renders a control with its label and, beside it, its type. */
function renderField(
  control: Control,
  { name, type, isRequired }: Pick<TryItField, 'name' | 'isRequired'> & { type?: string },
  texts: TryItPanelTexts,
): HTMLElement {
  control.id = `try-it-field-${++idCount}`
  control.required = isRequired
  const label = createElement('label', { for: control.id }, name)
  const marks: Node[] = []
  if (type) marks.push(createElement('span', { class: 'try-it-type' }, type))
  if (isRequired) marks.push(createElement('span', { class: 'try-it-required' }, texts.required))
  const field = createElement(
    'div',
    { class: 'try-it-field' },
    createElement('div', { class: 'try-it-label' }, label, ...marks),
    control,
  )
  if (control.dataset['kind'] === 'list') {
    const hint = createElement('p', { class: 'try-it-note', id: `${control.id}-hint` }, texts.listHint)
    control.setAttribute('aria-describedby', hint.id)
    field.append(hint)
  }
  return field
}

const textAttributes = { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' }

function createControl({ kind, values, value = '', placeholder = '', isRequired }: TryItField): Control {
  const choices = values ?? (kind === 'boolean' ? ['true', 'false'] : undefined)
  if (choices) return createSelect(isRequired && value !== '' ? choices : ['', ...choices], value)
  if (kind === 'file') return createElement('input', { type: 'file' })
  if (kind === 'object') return createTextArea(value, placeholder)
  const input = createElement('input', { type: 'text', placeholder, 'data-kind': kind, ...textAttributes })
  if (kind === 'number') input.inputMode = 'decimal'
  input.value = value
  return input
}

function createSelect(values: readonly string[], selected: string): HTMLSelectElement {
  const select = createElement('select', {}, ...values.map((value) => createElement('option', { value }, value || '–')))
  if (values.includes(selected)) select.value = selected
  return select
}

function createTextArea(value: string, placeholder = ''): HTMLTextAreaElement {
  const area = createElement('textarea', { placeholder, ...textAttributes })
  area.value = value
  area.rows = Math.min(Math.max(value.split('\n').length + 1, 3), 16)
  return area
}

function createServerFields(servers: readonly TryItServer[], texts: TryItPanelTexts) {
  const choice = createElement(
    'select',
    {},
    ...servers.map(({ template }, index) => createElement('option', { value: String(index) }, template)),
  )
  const rows = createElement('div', { class: 'try-it-rows' })
  let controls = new Map<string, Control>()
  const showVariables = () => {
    controls = new Map()
    const fields = (servers[Number(choice.value)]?.variables ?? []).map((variable) => {
      const { name, values } = variable
      const control =
        values.length > 0
          ? createSelect([...new Set([variable.default, ...values])], variable.default)
          : createControl({ name, kind: 'text', type: '', isRequired: true, value: variable.default })
      controls.set(name, control)
      return renderField(control, { name, isRequired: false }, texts)
    })
    rows.replaceChildren(...fields)
  }
  choice.addEventListener('change', showVariables)
  showVariables()
  choice.ariaLabel = texts.server
  const only =
    servers.length === 1 ? createElement('p', { class: 'try-it-server' }, servers[0]?.template ?? '') : choice
  return {
    group: createGroup(texts.server, [only, rows]),
    read: () => ({ server: Number(choice.value), variables: mapValues(controls, ({ value }) => value) }),
  }
}

function createSecurityFields({ security }: TryItForm, texts: TryItPanelTexts, { storageKey, hasProxy }: FieldOptions) {
  const stored = readCredentials(storageKey)
  const choice = createElement(
    'select',
    { 'aria-label': texts.authorization },
    ...security.map((alternative, index) =>
      createElement('option', { value: String(index) }, alternative.map(({ name }) => name).join(' + ') || texts.none),
    ),
  )
  const rows = createElement('div', { class: 'try-it-rows' })
  let controls = new Map<string, { secret: Control; username?: Control }>()
  const showCredentials = () => {
    controls = new Map()
    const fields = (security[Number(choice.value)] ?? []).flatMap((credential) => {
      const { name } = credential
      const secret = createElement('input', { type: 'password', ...textAttributes, autocomplete: 'new-password' })
      secret.value = stored[name]?.secret ?? ''
      const shown = [
        renderField(secret, { name: labelOf(credential, texts), type: describe(credential), isRequired: false }, texts),
      ]
      if (credential.kind === 'basic') {
        const username = createElement('input', { type: 'text', ...textAttributes })
        username.value = stored[name]?.username ?? ''
        controls.set(name, { secret, username })
        shown.unshift(renderField(username, { name: texts.username, type: name, isRequired: false }, texts))
      } else controls.set(name, { secret })
      if (credential.kind === 'apiKey' && credential.location === 'cookie' && !hasProxy)
        shown.push(createNote(texts.cookieHint))
      return shown
    })
    rows.replaceChildren(...fields, ...(fields.length > 0 ? [createNote(texts.storageHint)] : []))
  }
  const read = () => ({
    security: Number(choice.value),
    credentials: mapValues(controls, ({ secret, username }): TryItSecret => ({
      secret: secret.value,
      username: username?.value,
    })),
  })
  choice.addEventListener('change', showCredentials)
  rows.addEventListener('input', () => {
    Object.assign(stored, read().credentials)
    writeCredentials(storageKey, stored)
  })
  showCredentials()
  const parts = security.length > 1 ? [choice, rows] : security.length === 1 ? [rows] : []
  return { group: createGroup(texts.authorization, parts), read }
}

function labelOf({ kind }: TryItCredential, { apiKey, password, token }: TryItPanelTexts): string {
  switch (kind) {
    case 'apiKey':
      return apiKey
    case 'basic':
      return password
    case 'token':
      return token
  }
}

const describe = (credential: TryItCredential): string =>
  credential.kind === 'apiKey' ? credential.parameterName : credential.name

/** Returns the credentials of this tab; none if storage is blocked. */
function readCredentials(key: string): Record<string, TryItSecret> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, TryItSecret>
  } catch {
    return {}
  }
}

function writeCredentials(key: string, credentials: Record<string, TryItSecret>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(credentials))
  } catch {}
}

function createBodyFields(bodies: readonly TryItBody[], texts: TryItPanelTexts) {
  const choice = createElement(
    'select',
    { 'aria-label': texts.contentType },
    ...bodies.map(({ mediaType }, index) => createElement('option', { value: String(index) }, mediaType)),
  )
  const rows = createElement('div', { class: 'try-it-rows' })
  let text: HTMLTextAreaElement | undefined
  let controls = new Map<string, Control>()
  const showBody = () => {
    text = undefined
    controls = new Map()
    const body = bodies[Number(choice.value)]
    rows.replaceChildren(...(body ? createParts(body) : []))
  }
  const createParts = (body: TryItBody): Node[] => {
    if (body.kind === 'text') {
      text = createTextArea(body.text)
      return createTextBody(text, body, texts)
    }
    if (body.kind === 'file') {
      const input = createElement('input', { type: 'file' })
      controls.set('', input)
      return [renderField(input, { name: texts.body, type: body.mediaType, isRequired: body.isRequired }, texts)]
    }
    return body.fields.map((field) => {
      const control = createControl(field)
      controls.set(field.name, control)
      return renderField(control, field, texts)
    })
  }
  choice.addEventListener('change', showBody)
  showBody()
  const type = bodies.length > 1 ? choice : createElement('p', { class: 'try-it-server' }, bodies[0]?.mediaType ?? '')
  return {
    group: createGroup(texts.body, bodies.length > 0 ? [type, rows] : []),
    read() {
      const entries = [...controls]
      const plain = entries.filter(([, control]) => !isFile(control))
      const files = entries.filter(([, control]) => isFile(control))
      return {
        body: Number(choice.value),
        text: text?.value ?? '',
        fields: Object.fromEntries(plain.map(([name, { value }]) => [name, value])),
        files: Object.fromEntries(
          files.map(([name, control]) => [name, [...((control as HTMLInputElement).files ?? [])]]),
        ),
      }
    },
  }
}

/** Creates the editor of a text body, which marks invalid JSON but does not prevent sending it. */
function createTextBody(
  area: HTMLTextAreaElement,
  { mediaType, isRequired }: TryItBody,
  texts: TryItPanelTexts,
): Node[] {
  area.ariaLabel = texts.body
  area.required = isRequired
  const note = createElement('p', { class: 'try-it-note try-it-error', role: 'status' })
  if (/\bjson$/i.test(mediaType))
    area.addEventListener('input', () => {
      const isValid = area.value.trim() === '' || isJsonText(area.value)
      note.textContent = isValid ? '' : texts.invalidJson
      area.ariaInvalid = isValid ? null : 'true'
    })
  return [area, note]
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const isFile = (control: Control): boolean => control instanceof HTMLInputElement && control.type === 'file'
