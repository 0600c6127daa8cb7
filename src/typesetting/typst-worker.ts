import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { generateDocument } from '../pdf/document.ts'
import type { PdfCode, PdfImage, PdfSource } from '../pdf/source.ts'
import { serveTasks } from '../threads/serve.ts'
import { findFontFolders } from './fonts.ts'
import { convertImage, pixelLimitFor } from './images.ts'

export interface TypesetTask {
  /** `PdfSource` as JSON. */
  source: string
  /** Maximum memory of the process in bytes. */
  maxMemory: number
}

/** Request of the process to its caller for the bytes of an image, or for highlighted code. */
export type TypesetQuestion = { progress: number } & (
  | { kind: 'image'; image: PdfImage }
  | { kind: 'code'; codes: readonly PdfCode[] }
)

/** Bytes of an image; null if it is missing, because a message between processes cannot be undefined. */
export type ImageReply = { bytes: Uint8Array; contentType: string } | null

/** Highlighted lines of each code as HTML; null for code that is not highlighted. */
export type CodeReply = readonly (readonly string[] | null)[]

export type TypesetAnswer = ImageReply | CodeReply

export interface TypesetResult {
  pdf: Uint8Array
  /** Number of sheets. */
  sheets: number
}

/** Number of code blocks that are highlighted at once, and their share of the progress before the compiler starts. */
const codesPerQuestion = 20
const codeShare = 0.5

/** Ends the process when it uses too much memory. It runs in a thread, because the compiler blocks the main thread. */
function limitMemory(maxMemory: number): void {
  const code = `setInterval(() => process.memoryUsage.rss() > ${Math.round(maxMemory)} && process.kill(process.pid, 'SIGKILL'), 50)`
  new Worker(code, { eval: true, env: {} }).unref()
}

type Compiler = typeof import('@myriaddreamin/typst-ts-node-compiler')

let loaded: Compiler | undefined

/** Folder that does not exist: the compiler can only read files that are added to it in memory. */
const workspace = join(tmpdir(), `octavo-typst-${randomUUID()}`)

async function loadCompiler(maxMemory: number): Promise<void> {
  limitMemory(maxMemory)
  const compilerModule = await import('@myriaddreamin/typst-ts-node-compiler')
  loaded = 'default' in compilerModule ? compilerModule.default : compilerModule
}

serveTasks<TypesetTask, TypesetResult, TypesetQuestion, TypesetAnswer>({
  load: ({ maxMemory }) => (loaded ? undefined : loadCompiler(maxMemory)),
  async run({ source }, ask) {
    const { NodeCompiler } = loaded as Compiler
    const document = generateDocument(JSON.parse(source) as PdfSource)
    const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: findFontFolders() }] })
    const { images, codes } = document
    const highlightedCode: (readonly string[] | null)[] = []
    for (let start = 0; start < codes.length; start += codesPerQuestion) {
      const question = { kind: 'code', codes: codes.slice(start, start + codesPerQuestion) } as const
      const reply = await ask({ ...question, progress: (start / codes.length) * codeShare })
      highlightedCode.push(...(reply as CodeReply))
    }
    const brokenImages: string[] = []
    for (const [index, { name, image }] of images.entries()) {
      const progress = codeShare + (index / images.length) * (1 - codeShare)
      const reply = (await ask({ kind: 'image', image, progress })) as ImageReply
      const bytes = reply && (await convertImage(reply.bytes, reply.contentType, pixelLimitFor(images.length)))
      if (bytes) compiler.mapShadow(join(workspace, name), Buffer.from(bytes))
      else brokenImages.push(name)
    }
    let { result, error } = compile(compiler, document.print({ brokenImages, highlightedCode }))
    if (!result && brokenImages.length < images.length) {
      // An image that cannot be decoded fails the whole PDF.
      const added = images.map(({ name }) => name).filter((name) => !brokenImages.includes(name))
      brokenImages.push(...added.filter((name) => !canDecode(compiler, name)))
      ;({ result, error } = compile(compiler, document.print({ brokenImages, highlightedCode })))
    }
    if (!result) throw new Error(error)
    const { numOfPages } = result
    return { pdf: compiler.pdf(result), sheets: numOfPages }
  },
})

type NodeCompiler = InstanceType<Compiler['NodeCompiler']>

/** Whether the compiler can decode an image that was added to it. */
const canDecode = (compiler: NodeCompiler, name: string): boolean =>
  compile(compiler, `#set page(width: auto, height: auto)\n#image("/${name}", width: 10pt)`).result !== undefined

function compile(compiler: NodeCompiler, mainFileContent: string) {
  const compiled = compiler.compile({ mainFileContent })
  const { result } = compiled
  if (result) return { result, error: undefined }
  const diagnostics = compiled.takeError()?.shortDiagnostics ?? []
  return { result: undefined, error: `The compiler failed: ${JSON.stringify(diagnostics).slice(0, 1000)}` }
}
