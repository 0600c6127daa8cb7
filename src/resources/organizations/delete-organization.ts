import { z } from 'zod'
import { disableAllMembers } from '../../domain/members/member-store.ts'
import { recordAuditEvent } from '../../domain/audit/record-event.ts'
import { recordAccessEventForAll } from '../../domain/live/record-event.ts'
import {
  deleteOrganization,
  findOrganization,
  updateOrganization,
} from '../../domain/organizations/organization-store.ts'
import { deleteSite, findSiteKeys } from '../../domain/sites/site-store.ts'
import { deleteSpace, findSpaceKeys } from '../../domain/spaces/space-store.ts'
import { job } from '../../jobs/job.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import type { Db } from '../../schema/tables.ts'
import { type OrganizationTable, deleteRowsOfOrganization } from '../../storage/delete-rows.ts'
import { abandonBlobs } from '../../storage/organization-blobs.ts'
import { removeStorageUsage } from '../../storage/storage-usage.ts'
import * as store from './store.ts'

/** Number of spaces or sites that are read together; each is deleted in a separate transaction. */
const batchSize = 50

/** Tables of the ways in which people and identity providers can join an organization. */
const waysToJoin: readonly OrganizationTable[] = ['email_invites', 'link_invites', 'saml_providers', 'scim_tokens']

/** Tables with many rows of an organization, which are deleted in portions; foreign keys delete the rest. */
const largeTables: readonly OrganizationTable[] = [
  'objects',
  'uploads',
  'openapi_versions',
  'site_events',
  'site_feedback',
  'translation_memory',
  'glossary_entries',
  'audit_events',
  'live_events',
  'saml_identities',
  'scim_accounts',
  'members',
]

/** Ends the access of everyone to an organization at once, and deletes its content in the background. */
export async function startDeletion(context: OrganizationContext, title: string): Promise<void> {
  const { db, organization, enqueue, now } = context
  const { id } = organization
  if (title !== organization.title) throw invalid('query.title', 'must be the name of the organization')
  if (await store.hasPublishedSite(db, id))
    throw conflict('The organization has published sites. Unpublish or delete them first')
  await recordAccessEventForAll(context, id)
  await disableAllMembers(db, id)
  for (const table of waysToJoin) await deleteRowsOfOrganization(db, table, id)
  await store.replaceEmailDomains(db, id, [])
  await updateOrganization(db, id, { email_domains: '[]', hostname: null, invite_links: 0, updated_at: now() })
  // The log of the organization is deleted with it, so the operator of the server sees the event.
  const target = { type: 'organization' as const, id, title: organization.title }
  await recordAuditEvent(context, { action: 'organization.delete', organizationId: null, target })
  await enqueue(db, deleteOrganizationContent, { organizationId: id })
}

/** Deletes all data of an organization in portions. After an interruption, it continues with the remaining data. */
export const deleteOrganizationContent = job({
  name: 'organizations.delete',
  attempts: 20,
  key: ({ organizationId }) => organizationId,
  payload: z.object({ organizationId: z.string() }),
  async run({ db, transaction, now, log, signal }, { organizationId }) {
    if (!(await findOrganization(db, organizationId))) return
    /** Repeats a transaction until it has nothing more to delete. */
    const repeat = async (deletePortion: (db: Db) => Promise<boolean>): Promise<void> => {
      do signal.throwIfAborted()
      while (await transaction(deletePortion))
    }
    await deleteEach(() => findSpaceKeys(db, organizationId, batchSize), deleteSpace)
    await deleteEach(() => findSiteKeys(db, organizationId, batchSize), deleteSite)
    for (const table of [...waysToJoin, ...largeTables])
      await repeat((tx) => deleteRowsOfOrganization(tx, table, organizationId))
    await repeat((tx) => abandonBlobs(tx, organizationId, now()))
    await transaction(async (tx) => {
      await removeStorageUsage(tx, organizationId)
      await deleteOrganization(tx, organizationId)
    })
    log.info('An organization was deleted', { organization: organizationId })

    async function deleteEach<Key>(
      find: () => Promise<readonly Key[]>,
      deleteOne: (db: Db, key: Key) => Promise<void>,
    ): Promise<void> {
      for (let keys = await find(); keys.length > 0; keys = await find())
        for (const key of keys) {
          signal.throwIfAborted()
          await transaction((tx) => deleteOne(tx, key))
        }
    }
  },
})
