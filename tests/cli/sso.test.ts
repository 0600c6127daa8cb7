import { expect, test } from 'vitest'
import { migratedHomeForTest, runTransaction } from '../support/home.ts'
import { IdentityProvider } from '../support/identity-provider.ts'
import { runCommand } from '../support/command.ts'

test('`sso off` removes the requirement, and `doctor` reports certificates that expire', async () => {
  const env = await migratedHomeForTest()
  await runCommand(['user', 'create', '--email', 'ada@example.com'], env)
  const { stdout } = await runCommand(['org', 'create', '--title', 'Acme', '--admin', 'ada@example.com'], env)
  const id = stdout.trim()
  const at = '2026-01-01T00:00:00.000Z'
  const { entityID, ssoURL, certificate } = new IdentityProvider('okta').settings
  await runTransaction(env, async (db) => {
    await db.updateTable('organizations').set({ sso: 1 }).where('id', '=', id).execute()
    await db.updateTable('members').set({ sso: 1 }).where('organization_id', '=', id).execute()
    await db
      .insertInto('saml_providers')
      .values({
        organization_id: id,
        id: 'p1',
        label: 'Okta',
        sso_url: ssoURL,
        entity_id: entityID,
        certificate,
        certificate_expires_at: at,
        logout_url: null,
        default_team_id: null,
        default_role: 'read',
        sign_requests: 0,
        allow_idp_initiated: 0,
        created_at: at,
        updated_at: at,
      })
      .execute()
  })
  const doctor = await runCommand(['doctor'], env)
  expect(doctor.exitCode).toBe(1)
  expect(doctor.stdout).toMatch(
    new RegExp(`^✗ SSO +the certificate of Okta \\(organization ${id}\\) expires on 2026-01-01`, 'm'),
  )

  expect((await runCommand(['sso', 'off', '--organization', 'unknown'], env)).exitCode).toBe(1)
  expect(await runCommand(['sso', 'off'], env)).toMatchObject({
    exitCode: 0,
    stdout: `Acme (${id}) does not require SSO any more.\n`,
  })
  const flags = await runTransaction(env, (db) =>
    db
      .selectFrom('organizations')
      .innerJoin('members', 'members.organization_id', 'organizations.id')
      .select(['organizations.sso', 'members.sso as member_sso'])
      .execute(),
  )
  expect(flags).toEqual([{ sso: 0, member_sso: 0 }])
})
