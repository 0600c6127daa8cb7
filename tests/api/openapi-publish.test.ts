import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { root } from '../../src/root.ts'
import { folderForTest } from '../support/disk.ts'
import { petSpec, waitForSpec } from '../support/openapi.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { serveWebsite } from '../support/website-server.ts'

// Runs the unmodified command line of `@gitbook/cli`. Its file contains its dependencies except `miniflare` and `esbuild`, which only
// the commands for integrations use. `overrides` in package.json replace all of them by a small package.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

const command = fileURLToPath(new URL('node_modules/@gitbook/cli/cli.js', root))

/** Runs `gitbook openapi publish` in a folder; returns its output. */
function publish(
  fileOrUrl: string,
  { slug, folder = folderForTest({}), token = octavo.admin.token }: { slug: string; folder?: string; token?: string },
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const { admin, url } = octavo
  const options = ['--spec', slug, '--organization', admin.organizationId]
  const home = folderForTest({})
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: home,
    GITBOOK_ENDPOINT: url,
    GITBOOK_TOKEN: token,
  }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [command, 'openapi', 'publish', fileOrUrl, ...options],
      { cwd: folder, env },
      (error, stdout, stderr) => resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

const readDocument = async (specSlug: string) => {
  const params = { organizationId: octavo.admin.organizationId, specSlug }
  const { filesystem } = await octavo.admin.api.getLatestOpenApiSpecVersionContent({ params })
  return filesystem[0]?.specification
}

test('the command line publishes a file, and a new version of it', async () => {
  for (const title of ['One', 'Two']) {
    const folder = folderForTest({ 'openapi.yaml': stringify(petSpec(title)) })
    const { exitCode, stdout } = await publish('openapi.yaml', { slug: 'file', folder })
    const { urls } = await waitForSpec(octavo.admin, 'file')
    expect([exitCode, stdout]).toEqual([0, `OpenAPI specification "file" published to ${urls.app}\n`])
    expect(await readDocument('file')).toEqual(petSpec(title))
  }
})

test('the command line publishes a URL', async () => {
  const website = await serveWebsite({ '/openapi.json': JSON.stringify(petSpec('Fetched')) })
  const url = `${website.url}/openapi.json`
  expect(await publish(url, { slug: 'url' })).toMatchObject({ exitCode: 0 })
  expect(await waitForSpec(octavo.admin, 'url')).toMatchObject({ sourceURL: url })
  expect(await readDocument('url')).toEqual(petSpec('Fetched'))
})

test('the command line prints errors', async () => {
  const folder = folderForTest({ 'openapi.json': JSON.stringify(petSpec()) })
  const invalid = await publish('openapi.json', { slug: 'Not valid', folder })
  expect(invalid).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('lower-case letters') })
  const unauthorized = await publish('openapi.json', { slug: 'unauthorized', folder, token: 'none' })
  expect(unauthorized).toMatchObject({ exitCode: 1 })
  const params = { organizationId: octavo.admin.organizationId, specSlug: 'unauthorized' }
  await expect(octavo.admin.api.getOpenApiSpecBySlug({ params })).rejects.toMatchObject({ status: 404 })
})
