import { expect, test } from 'vitest'
import { homeForTest } from '../support/home.ts'
import { runOctavo, startServerProcess } from '../support/process.ts'

const [one, other] = ['a'.repeat(40), 'b'.repeat(40)]

test('the server and doctor report a secret key that differs from the previous one', async () => {
  const env = await homeForTest()
  const start = async (key: string) => {
    const server = await startServerProcess({ ...env, OCTAVO_SECRET_KEY: key })
    server.kill('SIGTERM')
    return (await server.ended).stdout.includes('OCTAVO_SECRET_KEY differs')
  }
  const doctor = (key: string) => runOctavo(['doctor'], { ...env, OCTAVO_SECRET_KEY: key })
  expect(await start(one)).toBe(false)
  expect(await start(one)).toBe(false)
  expect((await doctor(one)).stdout).toMatch(/^✓ Secret key +OCTAVO_SECRET_KEY is set, same as on the server$/m)
  const differing = await doctor(other)
  expect(differing.exitCode).toBe(1)
  expect(differing.stdout).toMatch(/^✗ Secret key +OCTAVO_SECRET_KEY differs/m)
  expect(differing.stdout).not.toContain(other)

  // After a deliberate change, the server warns only once.
  expect(await start(other)).toBe(true)
  expect(await start(other)).toBe(false)
})
