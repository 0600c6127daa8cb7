import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDocument } from '../../src/content/document/build.ts'
import { createCodeBlock } from '../../src/content/markdown/make-blocks.ts'
import { listOperations } from '../../src/openapi/model.ts'
import { createCodeSamples } from '../../src/openapi/samples/code-samples.ts'
import { OpenApiSpec } from '../../src/openapi/spec.ts'
import { renderDocument } from '../../src/render/document.ts'
import { markup, nothing } from '../../src/render/html.ts'
import { renderOperation } from '../../src/render/openapi/operation.ts'
import { createPlainContext } from '../../src/render/plain-context.ts'
import { renderPage } from '../../src/render/shell/page.ts'
import { assets, findAsset } from '../../src/site/assets.ts'
import { createServerShell, serverPagePolicy } from '../../src/site/own/server-shell.ts'
import { htmlReply } from '../../src/site/reply.ts'
import { TryItPage } from '../../src/site/try-it.ts'

/** Serves a page with the operations of a document, with the Content-Security-Policy of pages. */
export async function serveTryItPage(document: unknown): Promise<{ url: string; stop: () => Promise<void> }> {
  const spec = new OpenApiSpec(document)
  const site = await createServerShell({ plain: (path) => `http://localhost${path}` }, [])
  const context = createPlainContext(site.texts)
  const tryIt = new TryItPage('/~assets/')
  let count = 0
  const operations = listOperations(spec).map((operation, index) =>
    renderOperation(operation, {
      texts: site.texts.openApi,
      renderMarkdown: (text) => markup`<p>${text}</p>`,
      renderCode: (text, syntax) => renderDocument(createDocument([createCodeBlock(text, { syntax })]), context),
      schemaHref: () => undefined,
      samples: createCodeSamples,
      notes: () => [],
      newId: (prefix) => `${prefix}-${++count}`,
      idPrefix: `operation-${index}-`,
      headingLevel: 2,
      tryIt: tryIt.supportFor('pets'),
    }),
  )
  const html = renderPage(site, {
    head: {
      title: 'Pets',
      description: undefined,
      canonicalUrl: 'http://localhost/',
      isIndexed: false,
      extraElements: nothing,
    },
    id: 'pets',
    tracking: undefined,
    title: 'Pets',
    icon: undefined,
    description: undefined,
    cover: undefined,
    layout: {
      title: true,
      description: true,
      tableOfContents: false,
      outline: false,
      pagination: false,
      metadata: false,
      actions: false,
      cover: false,
      tags: false,
      isWide: true,
    },
    crumbs: [],
    sidebar: [],
    outline: [],
    content: markup`${operations}`,
    tags: [],
    previous: undefined,
    next: undefined,
    updated: undefined,
    edit: undefined,
    actions: [],
    hasFeedback: false,
    preview: undefined,
    needs: { styles: [`/~assets/${assets.openApiStyles.name}`], scripts: [] },
  })
  const page = htmlReply(html.text, { ...serverPagePolicy, connectOrigins: tryIt.origins })
  const server = createServer((request, response) => {
    const name = /^\/~assets\/(.+)$/.exec(request.url ?? '')?.[1]
    if (name === undefined) return void response.writeHead(page.status, page.headers).end(page.body)
    void findAsset(name).then((asset) =>
      response.writeHead(asset ? 200 : 404, { 'content-type': asset?.contentType ?? 'text/plain' }).end(asset?.bytes),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    stop() {
      server.closeAllConnections()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}
