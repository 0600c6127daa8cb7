import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { folderForTest } from '../support/disk.ts'
import { homeForTest } from '../support/home.ts'
import { bootstrapToken, runOctavo, startServerProcess } from '../support/process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** Copies the files that the Dockerfile copies, and links the production dependencies. */
function imageForTest(): string {
  const image = folderForTest()
  const copies = textOf('Dockerfile').matchAll(/^COPY --from=build (.+) (\S+)$/gm)
  for (const [, sources = '', target = ''] of copies) {
    for (const source of sources.split(' ').map((path) => path.replace('/octavo/', ''))) {
      if (source === 'node_modules') continue
      const to = target.endsWith('/') ? join(image, target, source.split('/').at(-1) as string) : join(image, target)
      mkdirSync(dirname(to), { recursive: true })
      cpSync(join(root, source), to, { recursive: true })
    }
  }
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, { dev?: boolean }> }
  for (const [path, { dev = false }] of Object.entries(packages)) {
    if (dev || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(image, path)), { recursive: true })
    symlinkSync(join(root, path), join(image, path))
  }
  return image
}

test('the files of the image suffice to publish and serve, and hints use the configured command', async () => {
  const image = imageForTest()
  expect(existsSync(join(image, 'src'))).toBe(false)
  const entry = join(image, 'scripts/octavo.js')
  const env = await homeForTest()
  const version = await runOctavo(['--version'], env, { entry })
  expect(version).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^octavo \d/) })
  const folder = folderForTest({ 'README.md': '# Handbook\n\nHello.\n' })
  const published = await runOctavo(['publish', folder], { ...env, OCTAVO_BOOTSTRAP_TOKEN: bootstrapToken }, { entry })
  expect(published).toMatchObject({ exitCode: 0 })
  expect(published.stdout).toContain('Start it with: octavo serve\n')
  const server = await startServerProcess({ ...env, OCTAVO_COMMAND: 'docker compose exec octavo octavo' }, { entry })
  expect(server.stdout).toContain('Create a token: docker compose exec octavo octavo token create --user <email>\n')
  const [manual, handbook] = Array.from(server.stdout.matchAll(/^ {2}Site +(\S+)$/gm), ([, address = '']) => address)
  expect(await (await fetch(manual ?? '')).text()).toContain('class="page-title"')
  expect(await (await fetch(handbook ?? '')).text()).toContain('Hello.')
})

interface Service {
  image?: string
  init?: boolean
  volumes?: string[]
  environment: Record<string, string>
  healthcheck?: { test: string[]; start_period: string }
}

test('the Compose file uses named volumes, requires secrets, and waits for a healthy database', () => {
  const { services, volumes } = parse(textOf('compose.yaml')) as {
    services: Record<'octavo' | 'postgres', Service>
    volumes: Record<string, unknown>
  }
  const mounted = Object.values(services).flatMap((service) => service.volumes ?? [])
  expect(mounted.map((mount) => mount.split(':')[0])).toEqual(Object.keys(volumes))
  expect(services.octavo).toMatchObject({ init: true, depends_on: { postgres: { condition: 'service_healthy' } } })
  expect(services.octavo.environment['OCTAVO_SECRET_KEY']).toMatch(/^\$\{OCTAVO_SECRET_KEY:\?/)
  expect(services.postgres.environment['POSTGRES_PASSWORD']).toMatch(/^\$\{POSTGRES_PASSWORD:\?/)
  expect(services.postgres.healthcheck).toMatchObject({
    test: ['CMD', 'pg_isready', '-h', '127.0.0.1', '-U', 'octavo', '-d', 'octavo'],
    start_period: expect.any(String),
  })
  for (const { image } of Object.values(services)) expect(image ?? 'built:here').toMatch(/:(?!latest)/)
  expect(textOf('.dockerignore').split('\n')).toContain('.env')
  expect(textOf('.gitignore').split('\n')).toContain('.env')
})
