import { useSignal } from '@preact/signals'
import type { Translation } from '../../../contract/translation.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { useOrganization } from '../../session.ts'
import { countText, fillText } from '../../texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ItemList } from '../../ui/item-list.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { usePolling } from '../new-space/use-polling.ts'
import { CreateDialog } from './create-dialog.tsx'
import { nameOfLanguage } from './languages.ts'
import { TranslationBadge } from './status-badge.tsx'
import { translationTexts as texts } from './translation-texts.ts'
import { TranslationsFrame } from './translations-frame.tsx'
import { useSpaces } from '../organization/use-spaces.ts'

/** Lists the translations of an organization with their state. */
export default function TranslationsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const isAdding = useSignal(false)
  const permissions = useOrganization(organizationId)?.permissions
  const list = useList('GET /orgs/{organizationId}/translations', { params: { organizationId }, query: { limit: 100 } })
  const { items, reload } = list
  const spaces = useSpaces(organizationId)
  usePolling(items?.some(({ status }) => status === 'running') === true, reload)
  const add = permissions?.createContent === true && (
    <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>
      {texts.add}
    </Button>
  )
  return (
    <TranslationsFrame organizationId={organizationId} title={texts.title} action={items && items.length > 0 && add}>
      {permissions?.admin === true && <EngineNotice organizationId={organizationId} />}
      <ItemList
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="language" title={texts.empty} actions={add}>
            {texts.emptyHint}
          </EmptyState>
        }
        renderItem={(translation) => (
          <TranslationRow
            organizationId={organizationId}
            translation={translation}
            source={spaces.get(translation.source.space)?.title ?? texts.unknownSpace}
          />
        )}
      />
      {isAdding.value && (
        <CreateDialog
          organizationId={organizationId}
          spaces={[...spaces.values()]}
          onClose={() => (isAdding.value = false)}
        />
      )}
    </TranslationsFrame>
  )
}

/** Explains to administrators that no engine is configured, and how to set one. */
function EngineNotice({ organizationId }: { organizationId: string }) {
  const { data } = useQuery('GET /orgs/{organizationId}/translation-engine', { params: { organizationId } })
  if (data?.origin !== 'none') return null
  return (
    <div class="notice" role="note">
      <Icon name="warning" />
      <div>
        <strong>{texts.noEngine}</strong>
        <p>{texts.noEngineHint}</p>
        <LinkButton href={appHref(`/orgs/${organizationId}/translations/engine`)}>{texts.setEngine}</LinkButton>
      </div>
    </div>
  )
}

interface TranslationRowProps {
  organizationId: string
  translation: Translation
  /** Title of the source. */
  source: string
}

function TranslationRow({ organizationId, translation, source }: TranslationRowProps) {
  const { id, language, openFindings, updatedAt } = translation
  return (
    <a class="row" href={appHref(`/orgs/${organizationId}/translations/${id}`)}>
      <Icon name="language" />
      <span class="row-title">{fillText(texts.to, { source, language: nameOfLanguage(language) })}</span>
      <span class="row-facts">
        {openFindings > 0 && <span>{countText(texts.findingCount, openFindings)}</span>}
        <TranslationBadge translation={translation} />
        <Time at={updatedAt} />
      </span>
    </a>
  )
}
