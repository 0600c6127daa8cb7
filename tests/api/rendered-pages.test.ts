import { createCanvas } from '@napi-rs/canvas'
import { parseHTML } from 'linkedom'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RenderedPage } from '../../src/contract/rendered.ts'
import { editLive, emptySpace, insertPage, propose, readLive, updatePage, writePage } from '../support/content.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { documentWithEveryBlock } from '../support/every-block.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { petSpec } from '../support/openapi.ts'
import { publishSpaces } from '../support/published-sites.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer, waitUntil } from '../support/server.ts'

// Pages as HTML, for the web app.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const readPage = (spaceId: string, pageId: string, api = octavo.admin.api): Promise<RenderedPage> =>
  api.getRenderedPageById({ params: { spaceId, pageId }, query: {} })

/**
 * Returns the content of an element without what depends on where it is shown: URLs, keys of blocks, links to feeds, and content
 * with a condition, which visitors do not see.
 */
function comparableContent(html: string, selector: string): string {
  const { document } = parseHTML(html)
  const content = document.querySelector(selector)
  if (!content) throw new Error(`There is no ${selector}`)
  for (const element of content.querySelectorAll('.subscribe, .condition')) element.remove()
  // Browsers parse this element before they paint a published page.
  document.getElementById('~start')?.removeAttribute('id')
  for (const element of content.querySelectorAll('*'))
    for (const name of ['href', 'data-src', 'data-block', 'data-block-text']) element.removeAttribute(name)
  return content.innerHTML.replaceAll('<', '\n<')
}

test('shows every type of block as the published site does, with the keys of blocks', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Guide')
  const [page = ''] = await editLive(admin, spaceId, insertPage('# Home\n\n## One\n\nText.'))
  const drawing = await createCanvas(640, 360).encode('png')
  const [light, dark, text] = await addFiles(
    admin,
    spaceId,
    inlineFile('light.png', drawing, 'image/png'),
    inlineFile('dark.png', drawing, 'image/png'),
    inlineFile('notes.txt', 'Notes'),
  )
  const document = documentWithEveryBlock({
    page,
    light: light?.id ?? '',
    dark: dark?.id ?? '',
    document: text?.id ?? '',
    user: admin.id,
    reusableContent: 'absent',
  })
  const [everything = ''] = await editLive(admin, spaceId, {
    operation: 'insert_page',
    title: 'Everything',
    slug: 'everything',
    document: { document },
  })
  const site = await publishSpaces(octavo, [spaceId])
  const rendered = await waitUntil(async () => {
    const reply = await readPage(spaceId, everything)
    return reply.complete ? reply : undefined
  }, 'all code is highlighted')
  // A preview marks broken links, like the web app.
  await propose(admin, spaceId)
  const query = { target: `${site.base}~/changes/1/everything`, draft: 'true' as const }
  const preview = await admin.api.getSitePublishingPreviewById({ params: site.params, query })
  const published = comparableContent(await new CookieClient().text(preview.url), '.content')
  expect(published).toContain('What others show')
  expect(comparableContent(`<main>${rendered.html}</main>`, 'main')).toBe(published)
})

/** Returns the keys of the blocks of a page, as comments name them. */
async function keysOf(spaceId: string, pageId: string): Promise<string[]> {
  const page = await octavo.admin.api.getPageById({ params: { spaceId, pageId }, query: { format: 'document' } })
  if (page.type !== 'document') throw new Error(`The page is a ${page.type}`)
  return (page.document?.nodes ?? []).map((block) => (block as unknown as { key: string }).key)
}

const blockKeys = (html: string): string[] => Array.from(html.matchAll(/ data-block="([^"]*)"/g), ([, key = '']) => key)

test('links lead to the web app, and only to what the caller can see', async () => {
  const { admin } = octavo
  const [spaceId, secretId] = [await emptySpace(admin, 'Guide'), await emptySpace(admin, 'Secret')]
  await admin.api.updateSpaceById({ params: { spaceId: secretId }, body: { defaultLevel: null } })
  const [secret = ''] = await editLive(admin, secretId, insertPage('# Hidden title'))
  const [target = ''] = await editLive(admin, spaceId, insertPage('# Target\n\n## Part'))
  const text = `[page](/pages/${target}) [part](/pages/${target}#part) [own](#here)\n\n## Here`
  const [page = ''] = await editLive(admin, spaceId, insertPage(`# From\n\n${text}`))
  const app = `${octavo.url}/app/spaces/${spaceId}`
  const { html } = await readPage(spaceId, page)
  expect(html).toContain(`<a href="${app}/pages/${target}">page</a>`)
  expect(html).toContain(`<a href="${app}/pages/${target}#part">part</a> <a href="#here">own</a>`)
  const proposal = await propose(admin, spaceId)
  const proposed = await admin.api.getRenderedPageInChangeRequest({
    params: { ...proposal.params, pageId: page },
    query: {},
  })
  expect(proposed.html).toContain(`<a href="${app}/change-requests/1/pages/${target}">page</a>`)

  const ref = { kind: 'page', page: secret, space: secretId }
  const document = {
    object: 'document',
    data: {},
    nodes: [{ object: 'block', type: 'content-ref', isVoid: true, data: { ref } }],
  }
  await editLive(admin, spaceId, updatePage(page, { document: { document } }))
  expect((await readPage(spaceId, page)).html).toContain(`href="${octavo.url}/app/spaces/${secretId}/pages/${secret}"`)
  const reader = await octavo.member('read', 'Reader')
  const seen = (await readPage(spaceId, page, reader.api)).html
  expect(seen).toMatch(/class="broken-link"/)
  expect(seen).not.toMatch(new RegExp(`Hidden|${secret}`))
  const guest = await octavo.member(null, 'Guest')
  const stranger = await octavo.person('Stranger')
  for (const { api } of [guest, stranger]) expect(await refusal(readPage(secretId, secret, api))).toBe('404')
})

test('marks the differences from another revision', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Guide')
  const [page = '', gone = ''] = await editLive(
    admin,
    spaceId,
    insertPage('# Prices\n\nIt costs ten euros.\n\nThis goes away.\n\nThis stays.'),
    insertPage('# Gone\n\nOld text'),
  )
  const proposal = await propose(admin, spaceId)
  const [fresh = ''] = await proposal.edit(
    writePage(page, 'It costs twenty euros.\n\nThis stays.\n\nThis comes.'),
    insertPage('# Fresh\n\nAll new'),
    { operation: 'delete_page', page: gone },
  )
  const compare = (pageId: string, comparedWith = 'base') =>
    admin.api.getRenderedPageInChangeRequest({ params: { ...proposal.params, pageId }, query: { comparedWith } })
  const changed = await compare(page)
  expect(changed).toMatchObject({ isNew: false, isDeleted: false, changes: { added: 1, changed: 1, removed: 1 } })
  expect(changed.html).toContain('It costs <del>ten</del><ins>twenty</ins> euros.')
  expect(changed.html).toMatch(/<div class="change change-removed">.*?<p data-block="[^"]+">This goes away\.<\/p>/)
  expect(changed.html).toMatch(/<div class="change change-added">.*?<p data-block="[^"]+">This comes\.<\/p>/)
  const added = await compare(fresh)
  expect(added).toMatchObject({ isNew: true, isDeleted: false, changes: { added: 1, changed: 0, removed: 0 } })
  expect(added.html).toMatch(/^<div class="change change-added">/)
  const removed = await compare(gone)
  expect(removed).toMatchObject({ title: 'Gone', isNew: false, isDeleted: true, changes: { removed: 1 } })
  expect(removed.html).toMatch(/^<div class="change change-removed">.*Old text/)

  const { revision } = await admin.api.getSpaceById({ params: { spaceId }, query: {} })
  expect((await compare(page, revision)).html).toBe(changed.html)
  await proposal.merge()
  const query = { comparedWith: revision }
  const live = await admin.api.getRenderedPageById({ params: { spaceId, pageId: page }, query })
  expect(live).toMatchObject({ changes: { added: 1, changed: 1, removed: 1 } })
  const params = { spaceId, revisionId: revision, pageId: gone }
  const old = await admin.api.getRenderedPageInRevision({ params, query: {} })
  expect(old).not.toHaveProperty('changes')
  expect(old.html).toContain('Old text')
  expect(await refusal(compare('absent'))).toBe('404')
  expect(await refusal(compare(page, 'absent'))).toBe('404')
})

test('shows all conditional content, evaluates variables and inserts reusable contents', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Guide')
  const reply = await admin.api.updateSpaceContent({
    params: { spaceId },
    body: {
      changes: [
        { operation: 'set_variables', variables: { version: '1.2' } },
        { operation: 'insert_reusable_content', title: 'Shared', document: { markdown: 'One.\n\n* Two' } },
      ],
    },
  })
  const [reusableContentId = ''] = reply.changes.flatMap((change) =>
    change.object === 'created_reusable_content' ? [change.reusableContent] : [],
  )
  const [page = '', group = ''] = await editLive(
    admin,
    spaceId,
    insertPage(
      `# Page\n\nIt is <code class="expression">space.vars.version</code> for <code class="expression">visitor.claims.name</code>.\n\n{% if visitor.claims.plan == "pro" %}\nOnly for pros.\n{% endif %}\n\n{% if space.vars.version == "9" %}\nNever shown.\n{% endif %}\n\n{% include "/reusable-content/${reusableContentId}" %}`,
    ),
    { operation: 'insert_group', title: 'Group' },
  )
  const { html } = await readPage(spaceId, page)
  expect(html).toContain('It is 1.2 for <code class="expression">visitor.claims.name</code>.')
  expect(html).toContain('<code>visitor.claims.plan == &quot;pro&quot;</code>')
  expect(html).toMatch(/Only for pros\..*Never shown\./s)
  const keys = await keysOf(spaceId, page)
  const shared = keys.at(-1) ?? ''
  expect(html).toMatch(new RegExp(`<p data-block="${shared}">One.</p><ul data-block="${shared}">`))
  expect(keys.every((key) => blockKeys(html).includes(key))).toBe(true)
  const reused = await admin.api.getRenderedReusableContent({ params: { spaceId, reusableContentId } })
  expect(reused).toMatchObject({ id: reusableContentId, title: 'Shared', complete: true })
  expect(reused.html).toContain('One.</p>')
  const { params } = await propose(admin, spaceId)
  const proposed = await admin.api.getRenderedReusableContentInChangeRequest({
    params: { ...params, reusableContentId },
  })
  expect(proposed.html).toBe(reused.html)
  expect(await readPage(spaceId, group)).toMatchObject({ title: 'Group', html: '', outline: [] })
})

test('shows a page as a visitor with certain claims sees it, and refuses claims that are no object', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Guide')
  const markdown =
    '# Page\n\nHello <code class="expression">visitor.claims.name</code>.\n\n{% if visitor.claims.plan == "pro" %}\nOnly for pros.\n{% endif %}\n\n{% if visitor.claims.unsigned.beta %}\nOnly for testers.\n{% endif %}'
  const [parent = ''] = await editLive(admin, spaceId, insertPage('# Parent', { condition: 'visitor.claims.plan' }))
  const [pageId = ''] = await editLive(admin, spaceId, insertPage(markdown, { into: parent }))
  const readAs = (visitorClaims: string) =>
    admin.api.getRenderedPageById({ params: { spaceId, pageId }, query: { visitorClaims } })
  const pro = await readAs('{"plan":"pro","name":"Ann"}')
  expect(pro.isVisible).toBe(true)
  expect(pro.html).toMatch(/Hello Ann\..*Only for pros\./s)
  expect(pro.html).not.toMatch(/testers|condition/)
  const other = await readAs('{"unsigned":{"beta":true}}')
  expect(other.isVisible).toBe(false)
  expect(other.html).toContain('Only for testers.')
  expect(other.html).not.toContain('pros')
  const { params } = await propose(admin, spaceId)
  const proposed = await admin.api.getRenderedPageInChangeRequest({
    params: { ...params, pageId },
    query: { visitorClaims: '{"plan":"pro","name":"Ann"}' },
  })
  expect(proposed.html.replaceAll(/href="[^"]*"/g, '')).toBe(pro.html.replaceAll(/href="[^"]*"/g, ''))
  const nested = `${'{"a":'.repeat(11)}1${'}'.repeat(11)}`
  for (const claims of ['', 'plan=pro', '[]', 'null', '"pro"', nested])
    expect(await refusal(readAs(claims))).toBe('400 query.visitorClaims')
  const renderAs = (visitorClaims: string) =>
    admin.api.renderDocumentInSpace({
      params: { spaceId },
      body: { document: { markdown }, page: pageId, visitorClaims },
    })
  const unstored = await renderAs('{"plan":"pro","name":"Ann"}')
  expect(unstored).toMatchObject({ isVisible: true, html: expect.stringMatching(/Hello Ann\..*Only for pros\./s) })
  expect((await renderAs('{}')).isVisible).toBe(false)
  expect(await refusal(renderAs('[]'))).toBe('400 body.visitorClaims')
  expect((await readPage(spaceId, pageId)).isVisible).toBeUndefined()
})

test('renders text that is not stored, and keeps hostile text inert', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Guide')
  const [parent = ''] = await editLive(admin, spaceId, insertPage('# Parent', { slug: 'parent' }))
  const [child = ''] = await editLive(admin, spaceId, insertPage('# Child', { slug: 'child', into: parent }))
  const render = (markdown: string, page?: string) =>
    admin.api.renderDocumentInSpace({
      params: { spaceId },
      body: { document: { markdown }, ...(page !== undefined && { page }) },
    })
  const shown = await render('# Title\n\nTo [the parent](README.md).\n\n$$x^2$$', child)
  expect(shown).toMatchObject({ object: 'rendered-document', title: 'Title' })
  expect(shown.html).toContain(`href="${octavo.url}/app/spaces/${spaceId}/pages/${parent}">the parent</a>`)
  expect(shown.styles.join()).toContain('/~assets/katex.')
  const [style = ''] = shown.styles
  expect((await fetch(new URL(style, octavo.url))).status).toBe(200)

  const hostile = await render(
    '<script>alert(1)</script>\n\n[a](javascript:alert(1)) <img src="x" onerror="alert(1)">\n\n<svg onload="alert(1)"></svg>\n\n![b](javascript:alert(1))\n\n{% embed url="javascript:alert(1)" %}',
  )
  const { document } = parseHTML(`<main>${hostile.html}</main>`)
  expect(document.querySelectorAll('script, [onload], [onerror], iframe')).toHaveLength(0)
  for (const element of document.querySelectorAll('[href], [src]'))
    expect(element.getAttribute('href') ?? element.getAttribute('src')).not.toMatch(/^\s*javascript:/i)

  const stored = await readLive(admin, spaceId, child)
  const { params } = await propose(admin, spaceId)
  const body = { document: { markdown: 'Text' }, page: child }
  const inRequest = await admin.api.renderDocumentInChangeRequest({ params, body })
  expect(inRequest.html).toMatch(/^<p data-block="[^"]+">Text<\/p>$/)
  const link = { document: { markdown: '# Title\n\n## Part\n\n[Up](README.md)' }, page: child }
  const converted = await admin.api.renderDocumentInChangeRequest({
    params,
    body: { ...link, include: ['document', 'markdown'] },
  })
  expect(converted).toMatchObject({
    markdown: `# Title\n\n## Part\n\n[Up](/pages/${parent})\n`,
    document: { object: 'document', nodes: [{ type: 'heading-1' }, { type: 'paragraph' }] },
  })
  expect(await readLive(admin, spaceId, child)).toEqual(stored)
  expect(await refusal(render('Text', 'absent'))).toBe('404 body.page')
  expect(await refusal(render('a'.repeat(1024 * 1024 + 1)))).toBe('413 body.document')
})

test('an operation of a file is not complete until the file is processed', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Files')
  const spec = petSpec('Pets', { paths: { '/pets': { get: { summary: 'List all pets', responses: {} } } } })
  const [file] = await addFiles(admin, spaceId, inlineFile('pets.json', JSON.stringify(spec)))
  const block = { object: 'block', type: 'swagger', isVoid: true }
  const data = { ref: { kind: 'file', file: file?.id }, path: '/pets', method: 'get' }
  const document = { object: 'document', data: { schemaVersion: 1 }, nodes: [{ ...block, data }] }
  const render = () =>
    admin.api.renderDocumentInSpace({ params: { spaceId }, body: { document: { document } } as never })
  expect((await render()).complete).toBe(false)
  const { html } = await waitUntil(async () => {
    const reply = await render()
    return reply.complete && reply
  }, 'the file is processed')
  expect(html).toContain('List all pets')
})

test('an unchanged page is not sent again', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Guide')
  const [page = ''] = await editLive(admin, spaceId, insertPage('# Page\n\nText'))
  const path = `/v1/spaces/${spaceId}/content/page/${page}/html`
  const first = await octavo.fetch(path, { token: admin.token })
  const etag = first.headers.get('etag') ?? ''
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  const again = () => octavo.fetch(path, { token: admin.token, headers: { 'if-none-match': etag } })
  expect((await again()).status).toBe(304)
  await editLive(admin, spaceId, writePage(page, 'Other text'))
  expect((await again()).status).toBe(200)
})
