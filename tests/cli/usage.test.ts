import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { homeForTest } from '../support/home.ts'
import { runOctavo } from '../support/process.ts'

test('--help lists all commands, and every command has its own help', async () => {
  const help = await runOctavo(['--help'], {})
  expect(help).toMatchObject({ exitCode: 0, stderr: '' })
  const names = [...help.stdout.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?)(?: <[^>]+>)* {2,}\S/gm)].map(
    ([, name = '']) => name,
  )
  expect(names).toEqual(
    expect.arrayContaining([
      'serve',
      'publish',
      'token create',
      'user create',
      'org create',
      'space create',
      'site list',
      'backup',
      'doctor',
    ]),
  )
  const helps = await Promise.all(names.map((name) => runCommand([...name.split(' '), '--help'], {})))
  helps.forEach((own, index) => {
    expect(own).toMatchObject({ exitCode: 0, stderr: '' })
    expect(own.stdout).toMatch(new RegExp(`^Usage: octavo ${names[index]}( |\\n)`))
  })
})

test('prints help without arguments and for `help <topic>`', async () => {
  const [bare, of] = await Promise.all([runCommand([], {}), runCommand(['help', 'token'], {})])
  expect(bare).toMatchObject({ exitCode: 0, stderr: '' })
  expect(bare.stdout).toMatch(/^Usage: octavo <command>/)
  expect(of.stdout).toContain('token revoke <token id>')
  expect(of.stdout).not.toContain('backup')
})

test('--version prints the version', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(await runOctavo(['--version'], {})).toMatchObject({ exitCode: 0, stdout: `octavo ${version}\n`, stderr: '' })
})

test('invalid usage exits with code 2, explains the mistake, and does not create the data folder', async () => {
  const env = await homeForTest()
  const folder = join(env['OCTAVO_DATA'] as string, 'data')
  const wrong: [words: string, told: RegExp][] = [
    ['frobnicate', /^octavo: unknown command `frobnicate`/],
    ['token frobnicate', /^octavo: unknown command `token frobnicate`[^]*token create/],
    ['backup', /^octavo backup: file is missing\n[^]*Usage: octavo backup <file>/],
    ['token create', /^octavo token create: --user is missing/],
    ['token create --user x --scopes everything', /^octavo token create: everything is not a scope/],
    ['user create --email nobody', /^octavo user create: nobody is not an email address/],
    ['user list --color', /^octavo user list: Unknown option '--color'/],
    ['improt docs', /^octavo: unknown command `improt docs`\. Did you mean `octavo import`\?\n$/],
    ['tokens lst', /Did you mean `octavo token list`\?\n$/],
    ['organization list', /Did you mean `octavo org list`\?\n$/],
    ['sites', /Did you mean `octavo site create\|list`\?\n$/],
    ['token create --usr x', /^octavo token create: Unknown option '--usr'\. Did you mean --user\?\n/],
  ]
  const outcomes = await Promise.all(wrong.map(([words]) => runCommand(words.split(' '), { OCTAVO_DATA: folder })))
  outcomes.forEach((outcome, index) => {
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' })
    expect(outcome.stderr).toMatch(wrong[index]?.[1] as RegExp)
  })
  expect(existsSync(folder)).toBe(false)
})
