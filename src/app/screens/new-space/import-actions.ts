import type { ImportRun } from '../../../contract/imports.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'

export async function cancelImport(organizationId: string, { id }: ImportRun): Promise<void> {
  await request('POST /org/{organizationId}/imports/{importRunId}/cancel', {
    params: { organizationId, importRunId: id },
  })
  invalidate(`/org/${organizationId}/imports`)
}

/** Whether an import has ended without a result and can be started again; the content of a template is copied by the server. */
export const canRetry = ({ status, source }: ImportRun): boolean =>
  (status === 'failed' || status === 'cancelled') && !('template' in source)

/** Starts the same import again and shows its progress. */
export async function retryImport(organizationId: string, { source, target }: ImportRun): Promise<void> {
  if ('template' in source) return
  const { id } = await request('POST /org/{organizationId}/imports', {
    params: { organizationId },
    body: { source, target },
  })
  invalidate(`/org/${organizationId}/imports`)
  navigate(`/orgs/${organizationId}/imports/${id}`)
}
