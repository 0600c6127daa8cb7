import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/kernel/log.ts'
import { startServer } from '../../src/server.ts'
import { importRepository } from '../../src/content/repository/import.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createRevision, moveHead } from '../../src/resources/revisions/revisions.ts'
import { MemoryFolder } from '../support/folder.ts'
import { makeHome } from '../support/server.ts'

test('perf', async () => {
  const home = await makeHome()
  const server = await startServer(readConfig({ PORT: '0', OCTAVO_RATE_LIMIT: '0', ...home.env }), { log: createLog({ level: 'error', format: 'json', write: () => {} }) })
  const { spaceId, token } = server.firstStart!
  const url = server.address
  const contents: Record<string, string> = {}
  const summary: string[] = ['# Table']
  for (let a = 0; a < 20; a++) {
    contents[`s${a}/README.md`] = `# S${a}`
    summary.push(`* [S${a}](s${a}/README.md)`)
    for (let b = 0; b < 20; b++) {
      contents[`s${a}/t${b}/README.md`] = `# T${b}`
      summary.push(`  * [T${b}](s${a}/t${b}/README.md)`)
      for (let c = 0; c < 25; c++) {
        contents[`s${a}/t${b}/p${c}.md`] = `# P${c}\n\nSee [x](../t0/p1.md) and [y](../t1/p1.md) [z](../t2/p1.md)\n`
        summary.push(`    * [P${c}](s${a}/t${b}/p${c}.md)`)
      }
    }
  }
  contents['SUMMARY.md'] = summary.join('\n')
  const ids = process.env['SHUFFLE'] ? () => Math.random().toString(36).slice(2).padEnd(12, '0').slice(0, 12) + newId().slice(-12) : newId
  const { database, openObjects } = server.app
  await database.transaction(async (db) => {
    const space = await db.selectFrom('spaces').selectAll().where('id', '=', spaceId).executeTakeFirstOrThrow()
    const objects = openObjects(db, space.organization_id)
    const content = await importRepository(objects, new MemoryFolder(contents), { newId: ids, now: '2026-01-01T00:00:00.000Z' })
    await objects.flush()
    const id = newId()
    await createRevision(db, { id, space, rootHash: content.root, listed: content, type: 'edits', parents: [space.revision_id], createdBy: null, createdAt: '2026-01-01T00:00:00.000Z' })
    await moveHead(db, space, id, '2026-01-01T00:00:00.000Z')
  })
  const get = async (path: string) => {
    const start = performance.now()
    const reply = await fetch(`${url}/v1/spaces/${spaceId}/content${path}`, { headers: { authorization: `Bearer ${token}`, connection: 'close', 'accept-encoding': 'identity' } })
    const text = await reply.text()
    return [Math.round(performance.now() - start), text.length, reply.status, text]
  }
  for (let round = 0; round < 4; round++) {
    console.log('false', (await get('/pages?metadata=false')).slice(0, 3), 'true', (await get('/pages')).slice(0, 3))
  }
  const tree = JSON.parse((await get('/pages'))[3] as string)
  const page = tree.pages[7].pages[3].pages[4].id
  for (let round = 0; round < 3; round++) {
    const s = performance.now()
    for (let n = 0; n < 100; n++) await get(`/page/${page}?metadata=false`)
    const m = performance.now()
    for (let n = 0; n < 100; n++) await get(`/page/${page}`)
    console.log('page', ((m - s) / 100).toFixed(2), ((performance.now() - m) / 100).toFixed(2))
  }
  await server.stop()
  await home.remove()
  expect(1).toBe(1)
}, 300_000)
