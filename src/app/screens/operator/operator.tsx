import type { Instance } from '../../../contract/operator.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { defineTexts, formatNumber } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Frame } from '../../ui/frame.tsx'
import { Fact, FactList } from '../../ui/facts.tsx'
import { ErrorState, ForbiddenState, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { formatBytes } from './format-bytes.ts'
import { Jobs } from './jobs.tsx'

const texts = defineTexts('operator', {
  title: 'Server',
  health: 'Health',
  database: 'Database',
  files: 'Files',
  ok: 'OK',
  version: 'Version',
  node: 'Node.js',
  started: 'Started',
  memory: 'Memory',
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  folder: 'In the data folder',
  s3: 'In an S3 bucket',
  storage: 'Storage',
  used: 'Used',
  limits: 'Limits',
  organizationStorage: 'Files of an organization',
  requestsPerMinute: 'Requests of a caller per minute',
  requestBody: 'Size of a request',
  connections: 'Connections',
  importPages: 'Pages of an import',
  noLimit: 'No limit',
  features: 'Configuration',
  mail: 'Mail',
  translation: 'Translation engine',
  pdf: 'PDF',
  secretKey: 'Secret key',
  on: 'Set up',
  off: 'Not set up',
  reload: 'Check again',
  forbidden:
    'Only operators of the server can see this page. The command "octavo user operator" makes a user an operator.',
})

/** Shows the operator of the server its health, storage, jobs and limits. */
export default function OperatorScreen() {
  const user = useQuery('GET /user')
  const isOperator = user.data?.operator === true
  const instance = useQuery(isOperator ? 'GET /operator/instance' : undefined)
  const { data, isLoading, reload } = instance
  // The user is read first, because only operators may read the rest.
  const failed = user.error ? user : instance
  return (
    <Frame crumbs={[{ title: texts.title }]}>
      <div class="screen-head">
        <h1 class="screen-title">{texts.title}</h1>
        {data && (
          <Button
            icon="refresh"
            isBusy={isLoading}
            onClick={() => {
              void reload()
              invalidate('/operator/jobs')
            }}
          >
            {texts.reload}
          </Button>
        )}
      </div>
      {user.data && !isOperator && <ForbiddenState isWholeScreen={false}>{texts.forbidden}</ForbiddenState>}
      {!data &&
        (isOperator || !user.data) &&
        (failed.error ? <ErrorState error={failed.error} onRetry={() => void failed.reload()} /> : <Loading />)}
      {data && (
        <>
          <Health instance={data} />
          <Jobs counts={data.jobs} />
          <Storage instance={data} />
          <Settings instance={data} />
        </>
      )}
    </Frame>
  )
}

function Health({ instance }: { instance: Instance }) {
  const { checks, database, files, version, node, startedAt, memory } = instance
  return (
    <section class="section">
      <h2>{texts.health}</h2>
      <FactList>
        <Fact name={texts.database}>
          <Check result={checks.database} /> {texts[database.engine]}
        </Fact>
        <Fact name={texts.files}>
          <Check result={checks.files} /> {texts[files]}
        </Fact>
        <Fact name={texts.version}>{version}</Fact>
        <Fact name={texts.node}>{node}</Fact>
        <Fact name={texts.memory}>{formatBytes(memory)}</Fact>
        <Fact name={texts.started}>
          <Time at={startedAt} />
        </Fact>
      </FactList>
    </section>
  )
}

function Check({ result }: { result: string }) {
  const isOk = result === 'ok'
  return (
    <Badge tone={isOk ? 'success' : 'danger'} icon={isOk ? 'circle-check' : 'warning'}>
      {isOk ? texts.ok : result}
    </Badge>
  )
}

function Storage({ instance }: { instance: Instance }) {
  const { used, limit, organizations } = instance.storage
  return (
    <section class="section">
      <h2>{texts.storage}</h2>
      <FactList>
        <Fact name={texts.used}>
          {limit === 0 ? formatBytes(used) : `${formatBytes(used)} / ${formatBytes(limit)}`}
        </Fact>
        {organizations.map(({ id, title, used: bytes }) => (
          <Fact key={id} name={title}>
            {formatBytes(bytes)}
          </Fact>
        ))}
      </FactList>
    </section>
  )
}

function Settings({ instance }: { instance: Instance }) {
  const { limits, features } = instance
  const orNone = (value: number, format: (value: number) => string) => (value === 0 ? texts.noLimit : format(value))
  return (
    <>
      <section class="section">
        <h2>{texts.limits}</h2>
        <FactList>
          <Fact name={texts.organizationStorage}>{orNone(limits.organizationStorage, formatBytes)}</Fact>
          <Fact name={texts.requestsPerMinute}>{orNone(limits.requestsPerMinute, formatNumber)}</Fact>
          <Fact name={texts.requestBody}>{formatBytes(limits.requestBody)}</Fact>
          <Fact name={texts.connections}>{formatNumber(limits.connections)}</Fact>
          <Fact name={texts.importPages}>{formatNumber(limits.importPages)}</Fact>
        </FactList>
      </section>
      <section class="section">
        <h2>{texts.features}</h2>
        <FactList>
          {(['mail', 'translation', 'pdf', 'secretKey'] as const).map((name) => (
            <Fact key={name} name={texts[name]}>
              {features[name] ? texts.on : texts.off}
            </Fact>
          ))}
        </FactList>
      </section>
    </>
  )
}
