import { useWholeList } from '../../data/list.ts'
import { address, navigate, setQuery } from '../../router.ts'
import { useOrganizationList } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorState, ForbiddenState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { ApiError } from '../../api.ts'
import { CollectionField } from './collection-field.tsx'
import { EmojiField } from './emoji-field.tsx'
import { newSpaceTexts as texts } from './new-space-texts.ts'
import { SourceChoice } from './source-choice.tsx'
import { SourceFields } from './source-fields.tsx'
import { sources } from './sources.ts'
import { maxTitleLength } from './start-space.ts'
import { useNewSpace } from './use-new-space.ts'

/** Creates a space with a name, a location, and a source of its first pages. */
export default function NewSpaceScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const { data, error, reload } = useOrganizationList()
  const organizations = data?.items
  const organization = organizations?.find(({ id }) => id === organizationId)
  return (
    <OrganizationFrame organizationId={organizationId} crumbs={[{ title: texts.title }]}>
      {!organizations &&
        (error ? <ErrorState isWholeScreen error={error} onRetry={() => void reload()} /> : <Loading />)}
      {organizations && !organization && <ErrorState isWholeScreen error={new ApiError(404, '')} />}
      {organization?.permissions.createContent === true && <NewSpaceForm organizationId={organizationId} />}
      {organization?.permissions.createContent === false && <NewSpaceInCollection organizationId={organizationId} />}
    </OrganizationFrame>
  )
}

/** The form for members who may create spaces only in some collections. */
function NewSpaceInCollection({ organizationId }: { organizationId: string }) {
  const { items, error, hasMore, reload } = useWholeList('GET /orgs/{organizationId}/collections', {
    params: { organizationId },
  })
  const first = items?.find(({ permissions }) => permissions.create)
  if (first) return <NewSpaceForm organizationId={organizationId} collection={first.id} />
  if (error) return <ErrorState isWholeScreen error={error} onRetry={() => void reload()} />
  return items && !hasMore ? <ForbiddenState /> : <Loading />
}

interface NewSpaceFormProps {
  organizationId: string
  /** Initially selected collection, if the space must be in one. */
  collection?: string
}

function NewSpaceForm({ organizationId, collection }: NewSpaceFormProps) {
  const { query } = address.value
  const source = sources.find((one) => one === query.get('from')) ?? 'template'
  const form = useNewSpace(organizationId, source, query.get('collection') ?? collection ?? '')
  const [create, isCreating] = useAction(async () => navigate((await form.create()).path))
  return (
    <>
      <h1 class="screen-title">{texts.title}</h1>
      <Form class="new-space" onSubmit={() => void create()}>
        <SourceChoice source={source} onChange={(chosen) => setQuery('from', chosen)} />
        <SourceFields organizationId={organizationId} source={source} form={form} />
        <div class="new-space-name">
          <TextField
            label={texts.name}
            maxLength={maxTitleLength}
            placeholder={form.suggestion || texts.namePlaceholder}
            value={form.title.value}
            onInput={(value) => (form.title.value = value)}
          />
          <EmojiField value={form.emoji.value} onChange={(emoji) => (form.emoji.value = emoji)} />
          <CollectionField
            organizationId={organizationId}
            isRequired={collection !== undefined}
            value={form.parent.value}
            onChange={(parent) => (form.parent.value = parent)}
          />
        </div>
        <div class="toolbar">
          <Button type="submit" kind="primary" isBusy={isCreating} disabled={!form.isComplete}>
            {source === 'git' || source === 'website' || source === 'files' ? texts.createAndImport : texts.create}
          </Button>
        </div>
      </Form>
    </>
  )
}
