import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Serves a page with ProseMirror, its basic commands and as many paragraphs. */
export async function startPlainEditor(blockCount: number): Promise<{ url: string; stop: () => void }> {
  // Imports are resolved from the folder of the module.
  const id = join(process.cwd(), 'plain-editor.js')
  const source = { name: 'plain-editor', resolveId: toOwn(id, id), load: toOwn(id, writeEditor(blockCount)) }
  const bundle = await rolldown({ input: id, plugins: [source] })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const html = `<!doctype html><title>Plain</title><style>.ProseMirror { white-space: break-spaces; max-width: 46rem }</style>
    <body><script type="module" src="editor.js"></script>`
  const server = createServer(({ url }, reply) => {
    const isScript = url === '/editor.js'
    reply
      .setHeader('content-type', `${isScript ? 'text/javascript' : 'text/html'}; charset=utf-8`)
      .end(isScript ? output[0].code : html)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop: () => void server.close() }
}

const toOwn = (id: string, value: string) => (name: string) => (name === id ? value : undefined)

const writeEditor = (blockCount: number): string => `
import { Schema } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { history } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { baseKeymap } from 'prosemirror-commands'
const schema = new Schema({ nodes: {
  doc: { content: 'paragraph+' },
  paragraph: { content: 'text*', toDOM: () => ['p', 0] },
  text: {},
} })
const paragraphs = Array.from({ length: ${blockCount} }, (_, index) =>
  schema.node('paragraph', null, [schema.text('Paragraph ' + index + ' has some words and a link in a sentence.')]))
const state = EditorState.create({ doc: schema.node('doc', null, paragraphs), plugins: [history(), keymap(baseKeymap)] })
new EditorView(document.body, { state })`
