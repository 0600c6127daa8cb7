import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { generateDocument } from '../pdf/document.ts'
import type { PdfImage, PdfSource } from '../pdf/source.ts'
import { serveTasks } from '../threads/serve.ts'
import { findFontFolders } from './fonts.ts'
import { convertImage, pixelLimitFor } from './images.ts'

export interface TypesetTask {
  /** `PdfSource` as JSON. */
  source: string
  /** Maximum memory of the process in bytes. */
  maxMemory: number
}

/** Request of the process to its caller for the bytes of an image; `done` and `total` are the progress. */
export interface ImageRequest {
  image: PdfImage
  done: number
  total: number
}

export type ImageReply = { bytes: Uint8Array; contentType: string } | undefined

export interface TypesetResult {
  pdf: Uint8Array
  /** Number of sheets. */
  sheets: number
}

/** Ends the process when it uses too much memory. It runs in a thread, because the compiler blocks the main thread. */
function limitMemory(maxMemory: number): void {
  const code = `setInterval(() => process.memoryUsage.rss() > ${Math.round(maxMemory)} && process.kill(process.pid, 'SIGKILL'), 50)`
  new Worker(code, { eval: true, env: {} }).unref()
}

type Compiler = typeof import('@myriaddreamin/typst-ts-node-compiler')

let loaded: Compiler | undefined

/** Folder without files: the compiler can only read what is added to it in memory. */
const workspace = mkdtempSync(join(tmpdir(), 'octavo-typst-'))
process.on('exit', () => rmSync(workspace, { recursive: true, force: true }))

serveTasks<TypesetTask, TypesetResult, ImageRequest, ImageReply>({
  async load({ maxMemory }) {
    if (loaded) return
    limitMemory(maxMemory)
    const compilerModule = await import('@myriaddreamin/typst-ts-node-compiler')
    loaded = 'default' in compilerModule ? compilerModule.default : compilerModule
  },
  async run({ source }, ask) {
    const { NodeCompiler } = loaded as Compiler
    const document = generateDocument(JSON.parse(source) as PdfSource)
    const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: findFontFolders() }] })
    const broken: string[] = []
    const total = document.images.length
    for (const [done, { name, image }] of document.images.entries()) {
      const reply = await ask({ image, done, total })
      const bytes = reply && (await convertImage(reply.bytes, reply.contentType, pixelLimitFor(total)))
      if (bytes) compiler.mapShadow(join(workspace, name), Buffer.from(bytes))
      else broken.push(name)
    }
    let { result, error } = compile(compiler, document.print(broken))
    if (!result && broken.length < total) {
      // An image that cannot be decoded fails the whole PDF.
      const added = document.images.map(({ name }) => name).filter((name) => !broken.includes(name))
      broken.push(...added.filter((name) => !canDecode(compiler, name)))
      ;({ result, error } = compile(compiler, document.print(broken)))
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
