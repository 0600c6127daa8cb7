// Draws the diagrams of a page. The sources remain visible until they are replaced by drawings.

interface Mermaid {
  initialize(config: object): void
  render(id: string, source: string): Promise<{ svg: string }>
}

/** The diagrams of the page. */
let figures: HTMLElement[] = []
const root = document.documentElement

/** Loaded once, when the first diagram is close to the viewport. */
let library: Promise<Mermaid> | undefined

function loadLibrary(address: string): Promise<Mermaid> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.addEventListener('load', () => resolve((globalThis as unknown as { mermaid: Mermaid }).mermaid))
    script.addEventListener('error', reject)
    document.head.append(script)
  })
}

/** Converts a CSS color to six hexadecimal digits, because the library computes with it. */
function toHexColor(value: string): string {
  const context2d = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const element = document.createElement('span')
  element.style.color = value
  root.append(element)
  const computedColor = getComputedStyle(element).color
  element.remove()
  if (!context2d) return '#808080'
  context2d.fillStyle = computedColor
  context2d.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context2d.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Returns the colors of diagram parts: the site's colors, light enough for text. */
function createPalette(): Record<string, string> {
  const names = ['primary', 'success', 'warning', 'danger', 'info']
  const pale = [45, 22].flatMap((part) =>
    names.map((name) => toHexColor(`color-mix(in srgb, var(--${name}) ${part}%, var(--back))`)),
  )
  return Object.fromEntries(
    pale.flatMap((tint, index) => [
      [`pie${index + 1}`, tint],
      [`cScale${index}`, tint],
      [`git${index}`, tint],
    ]),
  )
}

function createThemeVariables(): object {
  const { colorScheme, fontFamily } = getComputedStyle(document.body)
  const [back, sunken, raised] = [toHexColor('var(--back)'), toHexColor('var(--sunken)'), toHexColor('var(--raised)')]
  const [text, heading, muted] = [toHexColor('var(--text)'), toHexColor('var(--heading)'), toHexColor('var(--muted)')]
  const line = toHexColor('var(--strong-line)')
  return {
    darkMode: colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches),
    background: back,
    primaryColor: sunken,
    primaryTextColor: heading,
    primaryBorderColor: line,
    secondaryColor: raised,
    secondaryTextColor: text,
    tertiaryColor: raised,
    tertiaryTextColor: text,
    lineColor: muted,
    textColor: text,
    noteBkgColor: raised,
    noteTextColor: text,
    noteBorderColor: line,
    actorLineColor: line,
    edgeLabelBackground: back,
    pieStrokeColor: back,
    pieOuterStrokeColor: line,
    ...createPalette(),
    fontFamily,
    fontSize: '15px',
  }
}

/**
 * Redirects the content of new style elements to a style sheet while `work` runs: the content security policy blocks such
 * elements, and without their rules the library would measure text in another font.
 */
async function withRedirectedStyles<Result>(sheet: CSSStyleSheet, work: () => Promise<Result>): Promise<Result> {
  const create = document.createElement.bind(document)
  const createStyleSubstitute = (): Element =>
    Object.defineProperty(document.createElementNS('http://www.w3.org/2000/svg', 'metadata'), 'innerHTML', {
      set(rules: string) {
        sheet.replaceSync(rules)
      },
    })
  document.createElement = ((name: string, options?: ElementCreationOptions) =>
    name === 'style' ? createStyleSubstitute() : create(name, options)) as typeof document.createElement
  document.adoptedStyleSheets.push(sheet)
  try {
    return await work()
  } finally {
    document.createElement = create
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet)
  }
}

async function draw(mermaid: Mermaid, figure: HTMLElement, id: string): Promise<void> {
  const source = figure.querySelector('pre')
  if (!source) return
  const sheet = new CSSStyleSheet()
  const { svg } = await withRedirectedStyles(sheet, () => mermaid.render(id, source.textContent ?? ''))
  const drawing = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg')
  if (!drawing) return
  const host = figure.querySelector<HTMLElement>('.drawing') ?? document.createElement('div')
  host.className = 'drawing'
  // Wide drawings scroll instead of becoming too small to read.
  drawing.style.minWidth = `${drawing.viewBox.baseVal.width * minScale}px`
  mountDrawing(drawing, host, [sheet])
  // Makes the scrollable element focusable, which requires an accessible name.
  host.tabIndex = 0
  host.role = 'group'
  host.ariaLabel = figure.dataset['mermaid'] ?? ''
  source.hidden = true
  source.before(host)
  figure.querySelector('button')?.removeAttribute('hidden')
}

/** Puts a drawing into the shadow root of an element, because its class names have other meanings on the page. */
function mountDrawing(drawing: SVGElement, host: HTMLElement, sheets: CSSStyleSheet[]): void {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = sheets
  shadow.replaceChildren(drawing)
}

/** Shows a drawing in a dialog: as large as the screen, or in its own size if that is larger. */
function enlarge({ shadowRoot }: HTMLElement, label: string | null): void {
  const drawing = shadowRoot?.querySelector('svg')?.cloneNode(true) as SVGSVGElement | undefined
  if (!shadowRoot || !drawing) return
  const { width, height } = drawing.viewBox.baseVal
  const scale = Math.max(1, Math.min((innerWidth - 64) / width, (innerHeight - 64) / height))
  drawing.style.cssText = `display:block;margin:auto;width:${width * scale}px;max-width:none`
  const dialog = document.createElement('dialog')
  const host = document.createElement('div')
  mountDrawing(drawing, host, shadowRoot.adoptedStyleSheets)
  dialog.className = 'zoom'
  dialog.ariaLabel = label
  dialog.append(host)
  dialog.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

/** Minimum scale at which a drawing is readable. */
const minScale = 0.75

/** Number of rounds that were requested. A round ends early when a newer one is requested. */
let requestedRounds = 0
let lastRound: Promise<void> = Promise.resolve()

/** Draws all diagrams after the previous round has ended, because `document.createElement` is replaced during a drawing. */
function drawAll(): void {
  const round = ++requestedRounds
  lastRound = lastRound.then(() => drawRound(round)).catch(() => undefined)
}

async function drawRound(round: number): Promise<void> {
  const address = figures[0]?.dataset['src']
  if (address === undefined) return
  const mermaid = await (library ??= loadLibrary(address))
  if (round !== requestedRounds) return
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: 'base',
    themeVariables: createThemeVariables(),
  })
  for (const [index, figure] of figures.entries()) {
    if (round !== requestedRounds) return
    // On errors the source remains visible.
    await draw(mermaid, figure, `diagram-${round}-${index}`).catch(() => undefined)
  }
}

function redraw(): void {
  if (library) drawAll()
}

const visibilityObserver = new IntersectionObserver(
  (entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    visibilityObserver.disconnect()
    drawAll()
  },
  { rootMargin: '400px' },
)

/** Draws the diagrams of the document when one of them is close to the viewport. Called again when content was added. */
export function startDiagrams(): void {
  const known = new Set(figures)
  figures = [...document.querySelectorAll<HTMLElement>('figure[data-mermaid]')]
  for (const figure of figures.filter((one) => !known.has(one))) {
    visibilityObserver.observe(figure)
    figure.querySelector('button')?.addEventListener('click', ({ currentTarget }) => {
      const host = figure.querySelector<HTMLElement>('.drawing')
      if (host) enlarge(host, (currentTarget as HTMLElement).ariaLabel)
    })
  }
}

startDiagrams()
new MutationObserver(redraw).observe(root, { attributeFilter: ['data-theme'] })
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw)
