import type { GitStatus, GitSyncState } from '../../../contract/git-sync.ts'
import type { Space } from '../../../contract/space.ts'
import { useQuery } from '../../data/query.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Fact, FactList } from '../../ui/facts.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { branchOf, shortCommit } from './git-actions.ts'
import { gitTexts as texts } from './git-texts.ts'

const looks = {
  'in-sync': { tone: 'success', icon: 'circle-check' },
  ahead: { tone: 'accent', icon: 'upload' },
  behind: { tone: 'accent', icon: 'download' },
  diverged: { tone: 'warning', icon: 'git-compare' },
  pending: { tone: 'neutral', icon: 'circle-dashed' },
  unknown: { tone: 'danger', icon: 'circle-x' },
} as const

/** Shows the repository, the last commit on both sides, and whether they differ. */
export function ConnectionStatus({ space, state }: { space: Space; state: GitSyncState }) {
  const { repository, repoName, url, projectDirectory, hasCredentials, commit, operation } = state
  const canSync = space.permissions.triggerGitSync && operation?.state !== 'running'
  const status = useQuery(canSync ? 'GET /spaces/{spaceId}/git/status' : undefined, {
    params: { spaceId: space.id },
  })
  return (
    <>
      {canSync && <StatusLine status={status} />}
      <FactList>
        <Fact name={texts.repository}>
          {url === undefined ? (
            repository
          ) : (
            <a href={url} target="_blank" rel="noopener">
              {repoName ?? repository}
            </a>
          )}
        </Fact>
        <Fact name={texts.branch}>{branchOf(state)}</Fact>
        <Fact name={texts.folder}>{projectDirectory || texts.rootFolder}</Fact>
        <Fact name={texts.credentials}>{hasCredentials ? texts.hasCredentials : texts.noCredentials}</Fact>
        <Fact name={texts.lastCommit}>
          <Commit commit={status.data?.commit ?? commit} />
        </Fact>
        {status.data && (
          <Fact name={texts.branchCommit}>
            <Commit commit={status.data.branchCommit} />
          </Fact>
        )}
      </FactList>
    </>
  )
}

interface StatusLineProps {
  status: { data: GitStatus | undefined; error: Error | undefined; isLoading: boolean; reload: () => Promise<void> }
}

function StatusLine({ status: { data, error, isLoading, reload } }: StatusLineProps) {
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={1} />
  const { state } = data
  return (
    <div class="git-status">
      <Badge {...looks[state]}>{texts[state]}</Badge>
      <span role="status">{data.error ?? texts[`${state}Hint`]}</span>
      <Button kind="quiet" icon="refresh" label={texts.check} isBusy={isLoading} onClick={() => void reload()} />
    </div>
  )
}

function Commit({ commit }: { commit: string | undefined }) {
  return commit === undefined ? <>{texts.none}</> : <code title={commit}>{shortCommit(commit)}</code>
}
