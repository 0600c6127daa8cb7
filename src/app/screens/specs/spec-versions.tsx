import { useSignal } from '@preact/signals'
import type { OpenAPISpec, OpenAPISpecVersion } from '../../../contract/openapi-spec.ts'
import { request } from '../../api.ts'
import { useList } from '../../data/list.ts'
import { language } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { downloadText } from '../../ui/download.ts'
import { ItemList } from '../../ui/item-list.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { type OperationChange, compareOperations } from './compare-operations.ts'
import { specTexts as texts } from './spec-texts.ts'

/** The versions of a specification, newest first, with the operations that changed in each. */
export function SpecVersions({ organizationId, spec }: { organizationId: string; spec: OpenAPISpec }) {
  const list = useList('GET /orgs/{organizationId}/openapi/{specSlug}/versions', {
    params: { organizationId, specSlug: spec.slug },
    query: { limit: 20 },
  })
  return (
    <section class="section">
      <h2>{texts.versions}</h2>
      <ItemList
        list={list}
        keyOf={({ id }) => id}
        loadingLines={2}
        empty={<p class="quiet">{texts.noVersions}</p>}
        renderItem={(version, index) => (
          <VersionRow
            params={{ organizationId, specSlug: spec.slug }}
            version={version}
            previous={list.items?.[index + 1]}
            isLatest={index === 0}
          />
        )}
      />
    </section>
  )
}

interface VersionRowProps {
  params: { organizationId: string; specSlug: string }
  version: OpenAPISpecVersion
  /** The version before it, with which it is compared. */
  previous: OpenAPISpecVersion | undefined
  isLatest: boolean
}

function VersionRow({ params, version, previous, isLatest }: VersionRowProps) {
  const changes = useSignal<readonly OperationChange[] | undefined>(undefined)
  const [compare, isComparing] = useAction(async () => {
    if (changes.value) return void (changes.value = undefined)
    const [after, before] = await Promise.all([version, previous].map((one) => readDocument(params, one?.id ?? '')))
    changes.value = compareOperations(before ?? {}, after ?? {})
  })
  const [download] = useAction(async () => {
    const text = JSON.stringify(await readDocument(params, version.id), undefined, 2)
    downloadText(`${params.specSlug}.json`, 'application/json', text)
  })
  return (
    <>
      <div class="row">
        <span class="row-title">{new Date(version.createdAt).toLocaleString(language.value)}</span>
        <span class="row-facts">
          {isLatest && <Badge tone="success">{texts.latest}</Badge>}
          <Time at={version.createdAt} />
          {previous && (
            <Button
              kind="quiet"
              isBusy={isComparing}
              aria-expanded={changes.value !== undefined}
              onClick={() => void compare()}
            >
              {texts.compare}
            </Button>
          )}
          <Button kind="quiet" icon="download" label={texts.downloadVersion} onClick={() => void download()} />
        </span>
      </div>
      {changes.value && <ChangeList changes={changes.value} />}
    </>
  )
}

const tones = { added: 'success', changed: 'accent', deleted: 'danger' } as const

function ChangeList({ changes }: { changes: readonly OperationChange[] }) {
  if (changes.length === 0) return <p class="spec-changes quiet">{texts.noChanges}</p>
  return (
    <ul class="spec-changes">
      {changes.map(({ kind, name }) => (
        <li key={name}>
          <Badge tone={tones[kind]}>{texts[kind]}</Badge> <code>{name}</code>
        </li>
      ))}
    </ul>
  )
}

/** Reads the document of a version. */
async function readDocument(
  params: VersionRowProps['params'],
  versionId: string,
): Promise<Record<string, unknown> | undefined> {
  const { filesystem } = await request('GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content', {
    params: { ...params, versionId },
  })
  return filesystem[0]?.specification
}
