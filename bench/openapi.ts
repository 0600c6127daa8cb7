// OpenAPI: time to process a specification and to render an operation, and the weight of a reference page
import { readFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse as parseYaml, stringify } from 'yaml'
import { createDocument } from '../src/content/document/build.ts'
import type { Block } from '../src/content/document/nodes.ts'
import type { OpenAPISpec } from '../src/contract/openapi-spec.ts'
import { getNamedSchemas, listOperations, listWebhooks } from '../src/openapi/model.ts'
import { processSpec as processText } from '../src/openapi/process.ts'
import { OpenApiSpec } from '../src/openapi/spec.ts'
import { renderDocument } from '../src/render/document.ts'
import { createMarkdownRenderer } from '../src/render/openapi/markdown.ts'
import { createRenderContext } from '../tests/support/render-context.ts'
import { adminToken, serverEnv } from './support/environment.ts'
import { makeHomes } from './support/homes.ts'
import { createOctavoPage, createPeerPages } from './support/openapi-pages.ts'
import { generateSpec } from './support/openapi-spec.ts'
import { type ProbeResult, startProbe } from './support/probe.ts'
import { formatGoal, median, printTable } from './support/report.ts'
import { startOctavo } from './support/server.ts'
import { startBrowser } from './support/site-browser.ts'
import { createReplies, startStaticServer } from './support/site-static.ts'

/** Maximum time in milliseconds to process the generated specification. */
const processingGoal = 2000
/** Maximum response time of `/healthz` in milliseconds while a specification is processed. */
const healthGoal = 250
const rounds = 5
/** Time in milliseconds after which a page that is still busy is given up. */
const paintTimeout = 60_000

const files = process.argv.slice(3)
const ref = { kind: 'openapi', spec: 'bench' } as const

interface Processed {
  milliseconds: number
  document: string
  problems: number
  errorCode: string | undefined
}

/** A server with an organization, and a server for the sources of specifications. */
interface Target {
  url: string
  organizationId: string
  sources: Server
  text: string
}

if (files[0] === 'pages') await reportGeneratedPages()
else await (files.length > 0 ? reportFiles() : reportGenerated())

/** Processes a generated specification, renders its operations, and compares a page with other programs. */
async function reportGenerated(): Promise<void> {
  const source = generateSpec()
  const texts = {
    JSON: JSON.stringify(source),
    YAML: stringify(source, { aliasDuplicateObjects: false }),
    'YAML with aliases': stringify(source),
  }
  const rows = [['processing', 'bytes', 'ms', 'goal', '/healthz, ms', 'goal']]
  let document = ''
  for (const [format, text] of Object.entries(texts)) {
    for (const { engine, times, health, last } of await measureProcessing(text)) {
      document = last.document
      rows.push([
        `${format}, ${engine}`,
        String(Buffer.byteLength(text)),
        String(Math.round(median(times))),
        formatGoal(Math.round(median(times)), processingGoal, ' ms'),
        String(Math.round(health.worst)),
        formatGoal(health.worst, healthGoal, ' ms'),
      ])
    }
  }
  printTable(rows)
  reportRendering(document)
  await reportPages(document, texts.JSON)
}

/** Compares the pages only. */
async function reportGeneratedPages(): Promise<void> {
  const source = JSON.stringify(generateSpec())
  const { document } = await processText(source, { load: async () => [], now: '' })
  reportRendering(document)
  await reportPages(document, source)
}

async function measureProcessing(text: string) {
  const results: { engine: string; times: number[]; health: ProbeResult; last: Processed }[] = []
  const homes = await makeHomes({ ...serverEnv, OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  try {
    for (const { engine, env } of homes) {
      await withTarget(env, async (target) => {
        const times: number[] = []
        let last = await processSpec(target, 'warm-up', text)
        const probe = await startProbe(target.url)
        for (let round = 0; round < rounds; round++) {
          // A space changes the source, so that it is a new version.
          last = await processSpec(target, 'bench', text + ' '.repeat(round))
          times.push(last.milliseconds)
        }
        results.push({ engine, times, health: await probe.stop(), last })
      })
    }
  } finally {
    for (const home of homes) await home.remove()
  }
  return results
}

async function withTarget(env: Record<string, string>, work: (target: Target) => Promise<void>): Promise<void> {
  const octavo = await startOctavo(env)
  const target: Target = { url: octavo.url, organizationId: '', sources: createServer(), text: '' }
  target.sources.on('request', (_, response) => response.end(target.text))
  await new Promise<void>((listening) => target.sources.listen(0, '127.0.0.1', listening))
  try {
    const { items } = (await call(target, 'GET', '/orgs')) as { items: { id: string }[] }
    target.organizationId = items[0]?.id as string
    await work(target)
  } finally {
    target.sources.closeAllConnections()
    target.sources.close()
    await octavo.stop()
  }
}

async function call({ url }: Target, method: string, path: string, body?: unknown): Promise<unknown> {
  // The server closes idle connections while operations are rendered here.
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json', connection: 'close' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Publishes a text behind a URL, and waits until it is processed; texts in requests may have at most 8 MB. */
async function processSpec(target: Target, slug: string, text: string): Promise<Processed> {
  const path = `/orgs/${target.organizationId}/openapi/${slug}`
  const { port } = target.sources.address() as AddressInfo
  target.text = text
  const started = performance.now()
  await call(target, 'PUT', path, { source: { url: `http://127.0.0.1:${port}/openapi` } })
  for (;;) {
    const spec = (await call(target, 'GET', path)) as OpenAPISpec
    if (spec.processingState === 'complete') {
      const milliseconds = performance.now() - started
      const errorCode = spec.lastProcessErrorCode
      const problems = spec.lastProcessedErrorCount
      if (errorCode !== undefined) console.log(slug, spec.lastProcessedErrors?.slice(0, 3))
      return {
        milliseconds,
        problems,
        errorCode,
        document: errorCode === undefined ? await readDocument(target, path) : '',
      }
    }
    await sleep(5)
  }
}

async function readDocument(target: Target, path: string): Promise<string> {
  const content = (await call(target, 'GET', `${path}/versions/latest/content`)) as {
    filesystem: [{ specification: unknown }]
  }
  return JSON.stringify(content.filesystem[0].specification)
}

type ListedOperation = ReturnType<typeof listOperations>[number]

function toBlock({ kind, path, method }: ListedOperation): Block {
  const common = { object: 'block', isVoid: true, meta: { id: 'api' } } as const
  return kind === 'webhook'
    ? { ...common, type: 'openapi-webhook', data: { ref, name: path, method } }
    : { ...common, type: 'openapi-operation', data: { ref, path, method } }
}

function toSchemaBlock(name: string): Block {
  const data = { ref, schemas: [name], grouped: false }
  return { object: 'block', type: 'openapi-schemas', isVoid: true, data, meta: { id: 'api' } }
}

/** Renders a block; returns the time with the HTML. */
function render(block: Block, getSpec: () => OpenApiSpec): { milliseconds: number; html: string } {
  const started = performance.now()
  const spec = getSpec()
  const context = createRenderContext({ openApi: () => spec })
  const html = renderDocument(createDocument([block]), {
    ...context,
    renderMarkdown: createMarkdownRenderer(context),
  }).text
  return { milliseconds: performance.now() - started, html }
}

function toRow(name: string, results: readonly { milliseconds: number; html: string }[]): string[] {
  const times = results.map(({ milliseconds }) => milliseconds)
  const kilobytes = median(results.map(({ html }) => html.length)) / 1000
  return [name, median(times).toFixed(1), Math.max(...times).toFixed(1), String(Math.round(kilobytes))]
}

function reportRendering(document: string): void {
  const parse = () => new OpenApiSpec(JSON.parse(document) as object)
  const spec = parse()
  const blocks = listOperations(spec).map(toBlock)
  // The first operations also compile the code.
  for (const block of blocks.slice(0, 20)) render(block, () => spec)
  const some = blocks.filter((_, index) => index % 8 === 0)
  const cold = some.map((block) => render(block, parse))
  const first = blocks.map((block) => render(block, () => spec))
  const warm = blocks.map((block) => render(block, () => spec))
  printTable([
    [`rendering one of ${blocks.length} operations`, 'median, ms', 'maximum, ms', 'HTML, kB'],
    toRow('cold: the document is parsed first', cold),
    toRow('the document is parsed, the operation is new', first),
    toRow('warm: rendered before', warm),
  ])
}

/** Compares the page of one operation with programs that show the whole document in the browser. */
async function reportPages(document: string, source: string): Promise<void> {
  const spec = new OpenApiSpec(JSON.parse(document) as object)
  const [operation] = listOperations(spec)
  if (!operation) throw new Error('The specification has no operations')
  const pages: Record<string, Record<string, Buffer>> = {
    octavo: createOctavoPage(render(toBlock(operation), () => spec).html),
  }
  for (const [name, peerFiles] of Object.entries(createPeerPages()))
    pages[name] = { ...peerFiles, '/openapi.json': Buffer.from(source) }
  const paints = await measurePaints(pages)
  const rows = [
    ['page', 'HTML, kB', 'CSS', 'scripts', 'document', 'all', 'of Octavo', 'largest paint, ms', 'of Octavo'],
  ]
  let base: { bytes: number; paint: number } | undefined
  for (const [name, pageFiles] of Object.entries(pages)) {
    const sizes = ['.html', '.css', '.js', '.json'].map((type) => sumCompressed(pageFiles, type))
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    const paint = paints[name] ?? Infinity
    base ??= { bytes, paint }
    const kilobytes = [...sizes, bytes].map((size) => (size / 1000).toFixed(1))
    rows.push([name, ...kilobytes, formatRatio(bytes, base.bytes), formatPaint(paint), formatRatio(paint, base.paint)])
  }
  printTable(rows)
}

/** Returns the size of the files of one type, compressed with gzip. */
function sumCompressed(pageFiles: Record<string, Buffer>, type: string): number {
  const matching = Object.entries(pageFiles).filter(([path]) => path.endsWith(type))
  return matching.reduce((sum, [, content]) => sum + gzipSync(content).length, 0)
}

/** Returns the time of the largest paint of each page; empty if Chromium is not installed. */
async function measurePaints(pages: Record<string, Record<string, Buffer>>): Promise<Record<string, number>> {
  const paints: Record<string, number> = {}
  const browser = await startBrowser()
  if (!browser) {
    console.log('Chromium is not installed: the largest paint is not measured.\n')
    return paints
  }
  const server = await startStaticServer(createReplies(Object.assign({}, ...Object.values(pages)) as never))
  try {
    for (const name of Object.keys(pages)) {
      const samples: number[] = []
      while (samples.length < 3 && !samples.includes(Infinity))
        samples.push(await withTimeout(browser.largestPaint(`${server.url}/${name}`)))
      paints[name] = samples.includes(Infinity) ? Infinity : median(samples)
    }
  } finally {
    server.stop()
    await Promise.race([browser.close(), sleep(5000)])
  }
  return paints
}

/** Returns the time of the largest paint; infinity if the page is busy for too long or nothing is painted. */
function withTimeout(paint: Promise<number>): Promise<number> {
  return Promise.race([paint.catch(() => Infinity), sleep(paintTimeout, Infinity, { ref: false })])
}

function formatRatio(value: number, base: number): string {
  return Number.isFinite(value) ? `${(value / base).toFixed(1)} times` : ''
}

function formatPaint(paint: number): string {
  return paint === Infinity ? 'no result' : String(Math.round(paint))
}

/** Processes specifications of files as JSON and as YAML, and renders every operation, webhook and schema. */
async function reportFiles(): Promise<void> {
  const [home, ...others] = await makeHomes({ ...serverEnv, OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  if (!home) return
  const rows = [
    ['file', 'MB', 'operations', 'problems', 'JSON, ms', 'YAML, ms', 'slowest, ms', 'largest HTML, kB', 'errors'],
  ]
  try {
    await withTarget(home.env, async (target) => {
      for (const [index, file] of files.entries()) {
        const text = readFileSync(file, 'utf8')
        const value: unknown = file.endsWith('.json') ? JSON.parse(text) : parseYaml(text)
        const fromJson = await processSpec(target, `json-${index}`, JSON.stringify(value))
        const yaml = await processSpec(target, `yaml-${index}`, stringify(value, { aliasDuplicateObjects: false }))
        const { count, slowest, largest, errors } = renderAll(fromJson.document)
        rows.push([
          basename(file),
          (Buffer.byteLength(text) / 1e6).toFixed(1),
          String(count),
          String(fromJson.problems),
          fromJson.errorCode ?? String(Math.round(fromJson.milliseconds)),
          yaml.errorCode ?? String(Math.round(yaml.milliseconds)),
          String(Math.round(slowest)),
          String(Math.round(largest / 1000)),
          String(errors + (yaml.document === fromJson.document ? 0 : 1)),
        ])
      }
    })
  } finally {
    for (const one of [home, ...others]) await one.remove()
  }
  printTable(rows)
}

function renderAll(document: string): { count: number; slowest: number; largest: number; errors: number } {
  const result = { count: 0, slowest: 0, largest: 0, errors: 0 }
  if (document === '') return { ...result, errors: 1 }
  const spec = new OpenApiSpec(JSON.parse(document) as object)
  const operations = [...listOperations(spec), ...listWebhooks(spec)]
  result.count = operations.length
  for (const block of [...operations.map(toBlock), ...Object.keys(getNamedSchemas(spec)).map(toSchemaBlock)]) {
    try {
      const { milliseconds, html } = render(block, () => spec)
      result.slowest = Math.max(result.slowest, milliseconds)
      result.largest = Math.max(result.largest, html.length)
    } catch (error) {
      result.errors++
      console.log(block, error)
    }
  }
  return result
}
