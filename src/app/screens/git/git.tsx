import type { Space } from '../../../contract/space.ts'
import { useQuery } from '../../data/query.ts'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { usePolling } from '../new-space/use-polling.ts'
import { SpaceFrame } from '../space/space-frame.tsx'
import { ConnectForm } from './connect-form.tsx'
import { ConnectionHead } from './connection-head.tsx'
import { ConnectionStatus } from './connection-status.tsx'
import { LatestOperation } from './latest-operation.tsx'
import { OperationList } from './operation-list.tsx'
import { AutomaticSync } from './automatic-sync.tsx'
import { gitTexts as texts } from './git-texts.ts'

/** The Git connection of a space: its repository, whether both sides are the same, and all imports and exports. */
export default function GitScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const spaceId = params['spaceId'] ?? ''
  return (
    <SpaceFrame spaceId={spaceId} crumbs={[{ title: texts.title }]}>
      {(space) => {
        if (space.gitSync) return <Connection space={space} />
        return (
          <>
            <h1 class="screen-title">{texts.title}</h1>
            {space.permissions.installIntegration ? (
              <ConnectForm spaceId={spaceId} />
            ) : (
              <EmptyState icon="brand-git" title={texts.title}>
                {texts.notConnected}
              </EmptyState>
            )}
          </>
        )
      }}
    </SpaceFrame>
  )
}

function Connection({ space }: { space: Space }) {
  const params = { spaceId: space.id }
  const { data: state, error, reload } = useQuery('GET /spaces/{spaceId}/git/info', { params })
  const isRunning = state?.operation?.state === 'running'
  usePolling(isRunning, reload)
  if (!state) return error ? <ErrorState isWholeScreen error={error} onRetry={() => void reload()} /> : <Loading />
  return (
    <>
      <ConnectionHead space={space} state={state} isRunning={isRunning} />
      <LatestOperation space={space} state={state} />
      <ConnectionStatus space={space} state={state} />
      <AutomaticSync space={space} state={state} />
      <OperationList space={space} />
    </>
  )
}
