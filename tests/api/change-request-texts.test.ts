import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConflictScenario } from '../support/conflicts.ts'
import { readLive } from '../support/content.ts'
import { type Admin, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let admin: Admin
beforeAll(async () => {
  octavo = await startTestServer()
  admin = octavo.admin
})
afterAll(() => octavo.stop())

/** Creates a page that a change request and the live space change differently. */
async function bothChanged(base: string, ours: string, theirs: string): Promise<ConflictScenario> {
  const disputed = await ConflictScenario.create(admin, ['Page'])
  await disputed.editPublished(disputed.write('Page', base))
  await disputed.proposal.update()
  await disputed.editProposal(disputed.write('Page', ours))
  await disputed.editPublished(disputed.write('Page', theirs))
  return disputed
}

async function liveText({ spaceId, ids }: ConflictScenario): Promise<string> {
  const { markdown = '' } = await readLive(admin, spaceId, ids['Page'] ?? '')
  return markdown.replace(/^# .*\n+/, '').trim()
}

test('a merge combines changes to different sentences of a paragraph and returns the block', async () => {
  const disputed = await bothChanged(
    'Ten requests per second are allowed. More are refused.',
    'Twenty requests per second are allowed. More are refused.',
    'Ten requests per second are allowed. More are refused with 429.',
  )
  expect(await disputed.proposal.merge()).toMatchObject({
    result: 'merge',
    combined: [{ page: disputed.id('Page'), block: expect.any(String) }],
  })
  expect(await liveText(disputed)).toBe('Twenty requests per second are allowed. More are refused with 429.')
})

const code = (...lines: string[]) => ['```', ...lines, '```'].join('\n')

test.each([
  ['a sentence', 'Use the old key', 'Use the very old key', 'Never share any secrets'],
  ['a rate', '10 requests per second', '20 requests per second', '10 requests per minute'],
  ['a version', '1.2.3', '1.2.4', '1.3.3'],
  ['adjacent lines of code', code('a', 'b', 'c'), code('a1', 'b', 'c'), code('a', 'b1', 'c')],
])('conflicting changes to %s are never combined and require a resolution', async (_, base, ours, theirs) => {
  for (const [side, text] of [
    ['ours', ours],
    ['theirs', theirs],
    ['base', base],
  ] as const) {
    const disputed = await bothChanged(base, ours, theirs)
    expect((await disputed.proposal.merge()).result).toBe('conflicts')
    expect(await liveText(disputed)).toBe(theirs)
    await disputed.resolve('Page', side, 'block')
    expect((await disputed.proposal.merge()).result).toBe('merge')
    expect(await liveText(disputed)).toBe(text)
  }
})

test('resolving one sentence keeps the other changes of both sides and can be undone', async () => {
  const disputed = await bothChanged(
    'One is red. Two is blue. Three is green.',
    'One is pink. Two is blue. Three is lime.',
    'One is ruby. Two is navy. Three is green.',
  )
  await disputed.proposal.merge()
  const { id } = await disputed.resolve('Page', 'theirs', 'block')
  await disputed.reopen(id)
  await disputed.resolve('Page', 'ours', 'block')
  await disputed.reopen(id)
  await disputed.resolve('Page', 'theirs', 'block')
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(await liveText(disputed)).toBe('One is ruby. Two is navy. Three is lime.')
})

const table = (...rows: string[][]) => {
  const [header = [], ...body] = rows
  return [header, header.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
const compact = (markdown: string) => markdown.replace(/ +/g, ' ').replace(/-+/g, '---')

test.each([
  ['ours', 'Service'],
  ['theirs', 'Protocol'],
] as const)('resolving a column renamed on both sides with %s keeps the row added live', async (side, title) => {
  const disputed = await bothChanged(
    table(['Name', 'Port'], ['http', '80']),
    table(['Service', 'Port'], ['http', '80']),
    table(['Protocol', 'Port'], ['http', '80'], ['ssh', '22']),
  )
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  expect(await disputed.findConflict('Page', 'block')).toMatchObject({
    parts: [{ part: expect.stringMatching(/^columns\/.+\/title$/), base: 'Name', ours: 'Service', theirs: 'Protocol' }],
  })
  await disputed.editPublished(disputed.write('Page', table(['Scheme', 'Port'], ['http', '80'], ['ssh', '22'])))
  expect(await disputed.findConflict('Page', 'block')).toMatchObject({ parts: [{ ours: 'Service', theirs: 'Scheme' }] })
  await disputed.editPublished(disputed.write('Page', table(['Protocol', 'Port'], ['http', '80'], ['ssh', '22'])))
  await disputed.resolve('Page', side, 'block')
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(compact(await liveText(disputed))).toBe(compact(table([title, 'Port'], ['http', '80'], ['ssh', '22'])))
})

test('a paragraph moved differently on both sides is a place conflict', async () => {
  const texts = ['First text', 'Second text', 'Third text', 'Fourth text']
  const inOrder = (...order: number[]) => order.map((at) => texts[at]).join('\n\n')
  const disputed = await bothChanged(inOrder(0, 1, 2, 3), inOrder(3, 0, 1, 2), inOrder(0, 3, 1, 2))
  expect((await disputed.proposal.merge()).result).toBe('conflicts')
  const { id, block } = await disputed.findConflict('Page', 'place')
  expect(block).toBeTypeOf('string')
  await disputed.resolve('Page', 'theirs', 'place')
  await disputed.reopen(id)
  await disputed.resolve('Page', 'theirs', 'place')
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(await liveText(disputed)).toBe(inOrder(0, 3, 1, 2))
})

test('a heading with the same new level on both sides and a new text on one merges without a conflict', async () => {
  const disputed = await bothChanged('## Use the key', '### Use the key', '### Use the new key')
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(await liveText(disputed)).toBe('### Use the new key')
})

test('a merge splits sentences by the language of the space', async () => {
  const disputed = await bothChanged('设置端口。重启服务。', '设置新端口。重启服务。', '设置端口。重启所有服务。')
  await admin.api.updateSpaceById({ params: { spaceId: disputed.spaceId }, body: { language: 'zh' } })
  expect((await disputed.proposal.merge()).result).toBe('merge')
  expect(await liveText(disputed)).toBe('设置新端口。重启所有服务。')
})
