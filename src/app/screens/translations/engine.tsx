import { useSignal } from '@preact/signals'
import type { TranslationEngineSettings } from '../../../contract/translation.ts'
import { request } from '../../api.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { useOrganizationList } from '../../session.ts'
import { countText, defineTexts, fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, FactList } from '../../ui/facts.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { EmptyState, ErrorState, ForbiddenState, Loading } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { translationTexts } from './translation-texts.ts'
import { TranslationsFrame } from './translations-frame.tsx'

const texts = defineTexts('translationEngine', {
  title: 'Engine',
  server: 'This server translates with {kind}. You can use another engine for this organization.',
  organization: 'This organization translates with its own engine.',
  usage: 'Sent in {month}',
  kind: 'Engine',
  openai: 'Language model (OpenAI or compatible)',
  deepl: 'DeepL',
  libretranslate: 'LibreTranslate',
  url: 'Address of its API',
  model: 'Model',
  key: 'Key',
  keyHint: 'Stored encrypted and never shown.',
  keptKey: 'A key is stored. It is kept if you leave this empty and do not change the engine or its host.',
  save: 'Save',
  saved: 'Saved',
  remove: 'Remove this engine',
  removed: 'The engine was removed.',
  tokens: { one: '{count} token', other: '{count} tokens' },
})

const addresses = {
  openai: 'https://api.openai.com/v1',
  deepl: 'https://api.deepl.com',
  libretranslate: 'http://localhost:5000',
} as const
type Kind = keyof typeof addresses

/** The translation engine of an organization, for its administrators. */
export default function EngineScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const organizations = useOrganizationList()
  const organization = organizations.data?.items.find(({ id }) => id === organizationId)
  const isForbidden = organization?.permissions.admin === false
  const engine = useQuery(organization && !isForbidden ? 'GET /orgs/{organizationId}/translation-engine' : undefined, {
    params: { organizationId },
  })
  const { data } = engine
  // The organization is read first, because only its administrators may read the rest.
  const { error, reload } = organizations.error ? organizations : engine
  return (
    <TranslationsFrame organizationId={organizationId} title={texts.title}>
      {isForbidden && <ForbiddenState isWholeScreen={false} />}
      {!data && !isForbidden && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {data && (
        <>
          {data.origin === 'none' && (
            <EmptyState icon="language" title={translationTexts.noEngine}>
              {translationTexts.noEngineHint}
            </EmptyState>
          )}
          {data.origin === 'server' && <p>{fillText(texts.server, { kind: data.model ?? data.kind ?? '' })}</p>}
          {data.origin === 'organization' && <p>{texts.organization}</p>}
          <Usage engine={data} />
          <EngineForm key={data.origin + data.kind} organizationId={organizationId} engine={data} />
        </>
      )}
    </TranslationsFrame>
  )
}

function Usage({ engine: { usage } }: { engine: TranslationEngineSettings }) {
  const { month, characters, tokens } = usage
  const sent = [
    countText(translationTexts.characters, characters),
    ...(tokens > 0 ? [countText(texts.tokens, tokens)] : []),
  ]
  return (
    <FactList>
      <Fact name={fillText(texts.usage, { month })}>{sent.join(' · ')}</Fact>
    </FactList>
  )
}

function EngineForm({ organizationId, engine }: { organizationId: string; engine: TranslationEngineSettings }) {
  const isOwn = engine.origin === 'organization'
  const kind = useSignal<Kind>(isOwn ? (engine.kind as Kind) : 'openai')
  const url = useSignal(engine.url ?? '')
  const model = useSignal(isOwn ? (engine.model ?? '') : '')
  const key = useSignal('')
  const params = { organizationId }
  const [save, isSaving] = useAction(async () => {
    await request('PUT /orgs/{organizationId}/translation-engine', {
      params,
      body: {
        kind: kind.value,
        url: url.value,
        ...(kind.value === 'openai' && model.value !== '' && { model: model.value }),
        ...(key.value !== '' && { key: key.value }),
      },
    })
    key.value = ''
    invalidate(`/orgs/${organizationId}/translation-engine`)
    showToast(texts.saved)
  })
  const [remove, isRemoving] = useAction(async () => {
    await request('DELETE /orgs/{organizationId}/translation-engine', { params })
    invalidate(`/orgs/${organizationId}/translation-engine`)
    showToast(texts.removed)
  })
  return (
    <Form class="section" onSubmit={() => void save()}>
      <SelectField
        label={texts.kind}
        value={kind.value}
        options={(Object.keys(addresses) as Kind[]).map((value) => ({ value, title: texts[value] }))}
        onChange={(value) => (kind.value = value)}
      />
      <TextField
        label={texts.url}
        type="url"
        required
        placeholder={addresses[kind.value]}
        value={url.value}
        onInput={(value) => (url.value = value)}
      />
      {kind.value === 'openai' && (
        <TextField label={texts.model} required value={model.value} onInput={(value) => (model.value = value)} />
      )}
      <TextField
        label={texts.key}
        hint={isOwn && engine.hasKey ? texts.keptKey : texts.keyHint}
        type="password"
        autocomplete="off"
        value={key.value}
        onInput={(value) => (key.value = value)}
      />
      <div class="toolbar form-end">
        <Button type="submit" kind="primary" isBusy={isSaving}>
          {texts.save}
        </Button>
        {isOwn && (
          <Button isBusy={isRemoving} onClick={() => void remove()}>
            {texts.remove}
          </Button>
        )}
      </div>
    </Form>
  )
}
