import { expect, test } from 'vitest'
import { changeRequestContent } from '../../src/contract/change-request-content.ts'
import { changeRequests } from '../../src/contract/change-requests.ts'
import { revisions, spaceContent } from '../../src/contract/content.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { validateRequest } from '../../src/http/validate.ts'

const send = (operation: Operation, { query = {}, body }: { query?: Record<string, string[]>; body?: unknown }) =>
  validateRequest(operation, { params: {}, query, body })

/** Returns the validation problems of a list of changes. */
function problems(...changes: unknown[]): string[] {
  try {
    send(changeRequestContent.updateChangeRequestContent, { body: { changes } })
    return []
  } catch (error) {
    return ((error as AppError).details ?? []).map(({ path, message }) => `${path}: ${message}`)
  }
}

const zeros = (bytes: number) => Buffer.alloc(bytes).toString('base64')
const statuses = (operation: Operation, ...status: string[]) =>
  send(operation, { query: status.length > 0 ? { status } : {} }).query
const files = (...list: object[]) => problems({ operation: 'insert_files', files: list })

const remove = { operation: 'delete_page', page: 'p1' }

test('reports a wrong change with its index in the list', () => {
  expect(problems(remove, remove, remove, { operation: 'delete_page' })).toEqual([
    expect.stringMatching(/^body\.changes\.3\.page: /),
  ])
  expect(problems(remove, { operation: 'paint_page', page: 'p1' })).toEqual([
    'body.changes.1.operation: must be a supported operation',
  ])
  expect(problems(remove, 'delete')).toEqual([expect.stringMatching(/^body\.changes\.1: /)])
  expect(problems({ operation: 'insert_link', title: 'Home', target: { kind: 'page' } })).toEqual([
    expect.stringMatching(/^body\.changes\.0\.target\.page: /),
  ])
  expect(problems({ operation: 'set_variables', variables: { size: 'x'.repeat(257) } })).toEqual([
    expect.stringMatching(/^body\.changes\.0\.variables\.size: /),
  ])
})

test('a list contains 1 to 50 changes', () => {
  expect(problems(...Array.from({ length: 50 }, () => remove))).toEqual([])
  expect(problems(...Array.from({ length: 51 }, () => remove))).toEqual([expect.stringMatching(/^body\.changes: /)])
  expect(problems()).toEqual([expect.stringMatching(/^body\.changes: /)])
})

test('a text is either Markdown or a document, not both', () => {
  const document = { object: 'document', data: {}, nodes: [{ object: 'block', type: 'paragraph', nodes: [] }] }
  const insert = (text: unknown) => problems({ operation: 'insert_page', document: text })
  expect([insert({ markdown: '# Hi' }), insert({ document }), insert({})]).toEqual([[], [], []])
  expect(insert({ markdown: '# Hi', document })).toEqual([
    'body.changes.0.document.document: cannot be set together with `markdown`',
  ])
  expect(insert({ document: { ...document, nodes: [{ object: 'text' }] } })).toEqual([
    expect.stringMatching(/^body\.changes\.0\.document\.document\.nodes\.0\.object: /),
    expect.stringMatching(/^body\.changes\.0\.document\.document\.nodes\.0\.type: /),
  ])
  expect(problems({ operation: 'insert_page' })).toEqual([expect.stringMatching(/^body\.changes\.0\.document: /)])
})

test('passes the content of blocks on unchanged', () => {
  const node = { object: 'block', type: 'hint', data: { style: 'info' }, nodes: [{ object: 'text', leaves: [] }] }
  const document = { object: 'document', data: { schemaVersion: 2, more: true }, nodes: [node] }
  const { body } = send(spaceContent.updateSpaceContent, {
    body: { changes: [{ operation: 'update_page', page: 'p1', document: { document } }] },
  })
  expect(body).toEqual({ changes: [{ operation: 'update_page', page: 'p1', document: { document } }] })
})

test('a file has exactly one source', () => {
  expect(
    files(
      { name: 'a.png', url: 'https://example.com/a.png' },
      { name: 'b.png', base64: zeros(1024 * 1024), contentType: 'image/png' },
      { name: 'c.png', upload: 'key' },
    ),
  ).toEqual([])
  const one = 'must have exactly one of `url`, `base64` and `upload`'
  expect(files({ name: 'a.png', upload: 'key' }, { name: 'b.png' })).toEqual([`body.changes.0.files.1: ${one}`])
  expect(files({ name: 'a.png', upload: 'key', url: 'https://example.com/a.png' })).toEqual([
    `body.changes.0.files.0: ${one}`,
  ])
  expect(files({ name: 'b.png', base64: 'AAAA' })).toEqual([
    'body.changes.0.files.0.contentType: is required with `base64`',
  ])
  expect(files({ name: 'b.png', base64: zeros(1024 * 1024 + 3), contentType: 'image/png' })).toEqual([
    'body.changes.0.files.0.base64: must decode to at most 1 MB',
  ])
  expect(files({ name: 'b.png', base64: '***', contentType: 'image/png' })).toEqual([
    'body.changes.0.files.0.base64: must be a Base64 string',
  ])
  expect(files({ name: 'a', url: 'file:///etc/passwd' })).toEqual([
    'body.changes.0.files.0.url: must be an http(s) URL',
  ])
})

test('accepts null and empty strings in an update and leaves absent fields unset', () => {
  const change = {
    operation: 'update_page',
    page: 'p1',
    emoji: '',
    condition: '',
    linkTitle: null,
    cover: null,
    tags: null,
    variables: null,
    metaLinks: null,
    layout: null,
    into: null,
  }
  const { body } = send(changeRequestContent.updateChangeRequestContent, { body: { changes: [change] } })
  expect(body).toEqual({ changes: [change] })
})

test('allows groups only at the top level', () => {
  const group = { operation: 'insert_group', title: 'Guides', at: 0 }
  expect(problems(group, { ...group, into: null })).toEqual([])
  const message = 'must be null: groups can only be at the top level'
  expect(problems(group, { ...group, into: 'p1' })).toEqual([`body.changes.1.into: ${message}`])
  expect(problems({ operation: 'update_group', page: 'g1', into: 'p1' })).toEqual([`body.changes.0.into: ${message}`])
})

test('page queries accept booleans, and "deterministic-only" for evaluated', () => {
  expect(send(spaceContent.getPageById, {}).query).toEqual({
    'format.markdown.refs': 'relative',
    evaluated: false,
    dereferenced: false,
    metadata: true,
    computed: true,
  })
  const query = {
    evaluated: ['deterministic-only'],
    dereferenced: ['true'],
    metadata: ['false'],
    format: ['markdown'],
    'format.markdown.refs': ['stable'],
  }
  expect(send(revisions.getPageInRevisionById, { query }).query).toEqual({
    'format.markdown.refs': 'stable',
    format: 'markdown',
    evaluated: 'deterministic-only',
    dereferenced: true,
    metadata: false,
    computed: true,
  })
  expect(() => send(revisions.getPageInRevisionById, { query: { evaluated: ['yes'] } })).toThrow(
    'query.evaluated: must be true, false or deterministic-only',
  )
})

test('listing change requests accepts several statuses for an organization and one for a space', () => {
  expect(statuses(changeRequests.listChangeRequestsForOrganization)).toMatchObject({ status: ['open'] })
  expect(statuses(changeRequests.listChangeRequestsForOrganization, 'draft')).toMatchObject({ status: ['draft'] })
  expect(statuses(changeRequests.listChangeRequestsForOrganization, 'draft', 'merged')).toMatchObject({
    status: ['draft', 'merged'],
  })
  expect(() => statuses(changeRequests.listChangeRequestsForOrganization, 'open', 'lost')).toThrow('query.status.1')
  expect(statuses(changeRequests.listChangeRequestsForSpace)).toMatchObject({ status: 'open' })
  expect(() => statuses(changeRequests.listChangeRequestsForSpace, 'draft', 'open')).toThrow('query.status')
})

test('the schema of a page tree keeps every field at every depth', () => {
  const layout = {
    width: 'default',
    cover: false,
    coverSize: 'hero',
    coverMask: 'none',
    ...Object.fromEntries(
      [
        'title',
        'description',
        'tableOfContents',
        'outline',
        'pagination',
        'metadata',
        'tags',
        'actions',
        'anchors',
      ].map((part) => [part, true]),
    ),
  }
  const page = (id: string, pages: unknown[]) => ({
    id,
    title: id,
    kind: 'sheet',
    type: 'document',
    slug: id,
    path: id,
    urls: { app: 'https://example.com' },
    layout,
    tags: [{ tag: { kind: 'tag', tag: 'new' }, primary: true }],
    pages,
  })
  const link = { id: 'l', title: 'Link', kind: 'link', type: 'link', target: { kind: 'page', page: 'a' } }
  const group = { id: 'g', title: 'G', kind: 'group', type: 'group', slug: 'g', path: 'g', pages: [page('a', [link])] }
  const tree = { pages: [page('b', [page('c', [link])]), group] }
  const { reply } = spaceContent.listPages
  expect(reply?.parse(tree)).toEqual(tree)
  expect(reply?.safeParse({ pages: [page('b', [group])] }).success).toBe(false)
})

test('the reply to a content update is a change request, alone or with the results of the changes', () => {
  const user = { object: 'user', id: 'u', displayName: 'Ada', urls: { location: 'https://example.com' } }
  const time = '2026-01-01T00:00:00.000Z'
  const changeRequest = {
    object: 'change-request',
    id: 'c',
    number: 1,
    status: 'draft',
    subject: '',
    createdBy: user,
    createdAt: time,
    updatedAt: time,
    space: 's',
    revision: 'r2',
    revisionInitial: 'r1',
    comments: 0,
    outdated: false,
    urls: { app: 'https://example.com', location: 'https://example.com' },
    permissions: { view: true, comment: true, edit: true, review: false, merge: false },
  }
  const page = { object: 'page', id: 'p', urls: { location: 'https://example.com' } }
  const changes = [
    { object: 'created_page', ref: 'new', page },
    { object: 'deleted_page', page: 'q' },
  ]
  const { reply } = changeRequestContent.updateChangeRequestContent
  expect(reply?.parse(changeRequest)).toEqual(changeRequest)
  expect(reply?.parse({ changeRequest, changes })).toEqual({ changeRequest, changes })
  expect(reply?.safeParse({ changes }).success).toBe(false)
})
