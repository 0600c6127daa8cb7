import type { Translation, TranslationFinding, TranslationFindingKind } from '../../../contract/translation.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { invalidate } from '../../data/query.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { translationTexts as texts } from './translation-texts.ts'

interface FindingsProps {
  organizationId: string
  translation: Translation
}

/** Texts that people should check after a run, with actions for each. */
export function Findings({ organizationId, translation }: FindingsProps) {
  const { id: translationId, result } = translation
  const { items, error, reload, ...more } = useList(
    result ? 'GET /orgs/{organizationId}/translations/{translationId}/findings' : undefined,
    { params: { organizationId, translationId }, query: { status: 'open', limit: 50 } },
  )
  // Users who cannot read the translated space get no texts of it.
  if (!result || error?.status === 404) return null
  return (
    <section class="section">
      <h2>{texts.findings}</h2>
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={2} />)}
      {items?.length === 0 && <p class="quiet">{texts.noFindings}</p>}
      <ul class="finding-list">
        {items?.map((finding) => (
          <li key={finding.id}>
            <Finding
              organizationId={organizationId}
              translation={translation}
              resultSpace={result.space}
              finding={finding}
            />
          </li>
        ))}
      </ul>
      <LoadMore list={more} />
    </section>
  )
}

const describeKind = (kind: TranslationFindingKind): string =>
  ({
    'source-changed': texts['source-changed'],
    'not-translated': texts['not-translated'],
    glossary: texts.glossaryKind,
    removed: texts.removedKind,
  })[kind]

interface FindingProps extends FindingsProps {
  finding: TranslationFinding
  /** ID of the translated space. */
  resultSpace: string
}

function Finding({ organizationId, translation, finding, resultSpace }: FindingProps) {
  const { kind, page, source, machine, current, message } = finding
  const [resolve, isResolving] = useAction(async (use: 'keep' | 'machine') => {
    await request('POST /orgs/{organizationId}/translations/{translationId}/findings/{findingId}/resolve', {
      params: { organizationId, translationId: translation.id, findingId: finding.id },
      body: { use },
    })
    invalidate(`/orgs/${organizationId}/translations`)
    showToast(texts.decided)
  })
  const shown = [
    { title: texts.sourceText, text: source },
    ...(kind === 'source-changed' ? [{ title: texts.machineText, text: machine }] : []),
    { title: texts.currentText, text: current },
  ]
  return (
    <article class="finding" aria-label={describeKind(kind)}>
      <header>
        <strong>{describeKind(kind)}</strong>
        <span class="quiet">{page?.title ?? texts.reusableContent}</span>
      </header>
      {message !== undefined && <p>{message}</p>}
      <dl class="finding-texts">
        {shown.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div class="toolbar">
        {translation.permissions.edit && (
          <Button isBusy={isResolving} onClick={() => void resolve('keep')}>
            {texts.keep}
          </Button>
        )}
        {translation.permissions.edit && kind === 'source-changed' && machine !== '' && (
          <Button isBusy={isResolving} onClick={() => void resolve('machine')}>
            {texts.useMachine}
          </Button>
        )}
        {page && kind !== 'removed' && (
          <LinkButton kind="quiet" href={appHref(`/spaces/${resultSpace}/pages/${page.id}`)}>
            {texts.editPage}
          </LinkButton>
        )}
      </div>
    </article>
  )
}
