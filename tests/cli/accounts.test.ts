import { expect, test } from 'vitest'
import { days } from '../../src/kernel/time.ts'
import { runCommand } from '../support/command.ts'
import { homeForTest, runTransaction } from '../support/home.ts'
import { runOctavo, startServerProcess } from '../support/process.ts'
import { FormBrowser, goodPassword } from '../support/sign-in.ts'

test('creates users, organizations and tokens without a running server, and the server uses them once started', async () => {
  const env = await homeForTest()
  const user = await runOctavo(['user', 'create', '--email', 'Ada@Example.com', '--name', 'Ada'], env)
  expect(user).toMatchObject({ exitCode: 0, stderr: '' })
  const organization = await runCommand(['org', 'create', '--title', 'help', '--admin', 'ada@example.com'], env)
  expect(organization).toMatchObject({ exitCode: 0, stderr: '' })
  const token = await runCommand(['token', 'create', '--user', user.stdout.trim(), '--label', 'Laptop'], env)
  expect(token.stdout).toMatch(/^oct_[\w-]{40}\n$/)

  const [users, organizations, tokens] = await Promise.all(
    ['user', 'org', 'token'].map((noun) => runCommand([noun, 'list'], env)),
  )
  expect(users?.stdout).toMatch(new RegExp(`^${user.stdout.trim()} +ada@example\\.com +Ada `, 'm'))
  expect(organizations?.stdout).toMatch(new RegExp(`^${organization.stdout.trim()} +help +1 `, 'm'))
  expect(tokens?.stdout).toMatch(/ada@example\.com +Laptop +all +\S+ +never +never$/m)
  expect(tokens?.stdout).not.toContain(token.stdout.trim())

  const server = await startServerProcess(env)
  const ada = server.api(token.stdout.trim())
  expect(await ada.getAuthenticatedUser()).toMatchObject({ id: user.stdout.trim(), displayName: 'Ada' })
  expect((await ada.listOrganizationsForAuthenticatedUser()).items).toMatchObject([
    { id: organization.stdout.trim(), title: 'help' },
  ])
})

test('a running server accepts a token created by the CLI and rejects it right after it is revoked', async () => {
  const env = await homeForTest()
  const server = await startServerProcess(env)
  const { id } = await server.api().getAuthenticatedUser()
  const [created, taken, unknown] = await Promise.all([
    runCommand(
      ['token', 'create', '--user', 'admin@octavo.local', '--scopes', 'user:read', '--expires-in-days', '7'],
      env,
    ),
    runCommand(['user', 'create', '--email', 'ADMIN@octavo.local'], env),
    runCommand(['token', 'create', '--user', 'nobody@example.com'], env),
  ])
  expect(taken).toMatchObject({ exitCode: 1, stdout: '' })
  expect(taken.stderr).toMatch(/^octavo user create: A user with the email address \S+ already exists\n$/)
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '' })
  expect(unknown.stderr).toBe('octavo token create: No user nobody@example.com was found\n')

  const limited = server.api(created.stdout.trim())
  expect(await limited.getAuthenticatedUser()).toMatchObject({ id })
  await expect(limited.listOrganizationsForAuthenticatedUser()).rejects.toMatchObject({ status: 403 })

  const { stdout } = await runCommand(['token', 'list', '--user', id], env)
  const [, tokenId = '', expires = ''] = /^(\w+) .* user:read .* (\S+)$/m.exec(stdout) ?? []
  expect(Date.parse(expires) - Date.now()).toBeGreaterThan(days(6.9))
  expect(await runCommand(['token', 'revoke', tokenId], env)).toMatchObject({
    exitCode: 0,
    stdout: `Revoked ${tokenId}.\n`,
  })
  await expect(limited.getAuthenticatedUser()).rejects.toMatchObject({ status: 401 })
  expect(await runCommand(['token', 'revoke', tokenId], env)).toMatchObject({
    exitCode: 1,
    stderr: 'octavo token revoke: No token was found\n',
  })
})

test('audit lists the changes by commands and by users, filtered and as files', async () => {
  const env = await homeForTest()
  const server = await startServerProcess(env)
  const { items } = await server.api().listOrganizationsForAuthenticatedUser()
  const params = { organizationId: items[0]?.id ?? '' }
  await server.api().createOrganizationTeam({ params, body: { title: 'Crew \u001b[31m' } })
  await runCommand(['token', 'create', '--user', 'admin@octavo.local'], env)

  const [all, teams, tokens, lines, wrong, unknown] = await Promise.all([
    runCommand(['audit', '--limit', '2'], env),
    runCommand(['audit', '--organization', params.organizationId, '--action', 'team.create'], env),
    runCommand(['audit', '--actor', 'system', '--format', 'csv', '--action', 'token.create'], env),
    runCommand(['audit', '--format', 'jsonl', '--action', 'team.create'], env),
    runCommand(['audit', '--from', 'yesterday'], env),
    runCommand(['audit', '--organization', 'none'], env),
  ])
  expect(all.stdout.trimEnd().split('\n')).toHaveLength(3)
  expect(all.stdout).toMatch(
    / token\.create +system +token \w+ +-\n.* team\.create +admin@octavo\.local +team Crew \ufffd/,
  )
  expect(teams.stdout.trimEnd().split('\n')).toHaveLength(2)
  // The first start and the command created a token each.
  expect(tokens.stdout.trimEnd().split('\r\n')).toHaveLength(3)
  expect(JSON.parse(lines.stdout)).toMatchObject({
    action: 'team.create',
    payload: { client: { address: '127.0.0.1' } },
  })
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--from: ') })
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('does not exist') })
})

test('concurrent commands on an empty data folder all succeed', async () => {
  const env = await homeForTest()
  const emails = ['a', 'b', 'c', 'd'].map((name) => `${name}@example.com`)
  const made = await Promise.all(emails.map((email) => runOctavo(['user', 'create', '--email', email], env)))
  expect(made.map(({ stderr }) => stderr)).toEqual(emails.map(() => ''))
  const users = await runTransaction(env, (db) => db.selectFrom('users').select('email').orderBy('email').execute())
  expect(users.map(({ email }) => email)).toEqual(emails)
})

test('creates a sign-in link for a user, and ends the sessions of a user', async () => {
  const env = await homeForTest()
  const server = await startServerProcess(env)
  const setup = /Sign in +(\S+)/.exec(server.stdout)?.[1] ?? ''
  const browser = new FormBrowser(new URL(setup).origin)
  const path = new URL(setup).pathname
  expect((await browser.submit(await browser.open(path), path, { password: goodPassword })).url).toMatch(/\/app$/)

  const ended = await runCommand(['logout', '--user', 'admin@octavo.local'], env)
  expect(ended).toMatchObject({ exitCode: 0, stdout: 'Ended 1 sessions.\n' })
  expect((await browser.open('/account')).url).toContain('/login')

  const link = await runCommand(['login-link', '--user', 'admin@octavo.local'], env)
  expect(link).toMatchObject({ exitCode: 0, stderr: 'The link is valid once, for one hour.\n' })
  const recovery = new URL(link.stdout.trim()).pathname
  const account = await browser.submit(await browser.open(recovery), recovery, { password: 'another good password' })
  expect(account.url).toMatch(/\/app$/)
})
