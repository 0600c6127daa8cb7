import { request } from '../../../api.ts'
import type { ImportProblem, ImportRow } from './import-rows.ts'

/** Maximum number of changes in a request. */
const maxChanges = 500

/** Checks or stores redirects in several requests; returns those that the server refuses. */
export async function sendRows(
  params: { organizationId: string; siteId: string },
  rows: readonly ImportRow[],
  purpose: 'check' | 'store',
): Promise<ImportProblem[]> {
  const refused: ImportProblem[] = []
  for (let at = 0; at < rows.length; at += maxChanges) {
    const portion = rows.slice(at, at + maxChanges)
    const body = { redirects: portion.map(({ change }) => change) }
    const { results } =
      purpose === 'check'
        ? await request('POST /orgs/{organizationId}/sites/{siteId}/redirects/check', { params, body })
        : await request('PUT /orgs/{organizationId}/sites/{siteId}/redirects', { params, body })
    for (const [index, result] of results.entries()) {
      const row = portion[index]
      if (row && result.status === 'error')
        refused.push({
          line: row.line,
          from: row.change.source,
          reason: { kind: 'refused', message: toSentence(result.error) },
        })
    }
  }
  return refused
}

/** Removes the position in the request from an error, because the line is shown instead. */
function toSentence(error: string): string {
  const text = error.replace(/^body\.redirects\.\S+: /, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
