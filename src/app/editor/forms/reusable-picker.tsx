import type { Block, ReusableContent } from '../../../content/document/nodes.ts'
import { appHref } from '../../base-path.ts'
import { useQuery } from '../../data/query.ts'
import { countText } from '../../texts.ts'
import { toolTexts } from '../../screens/edit/edit-texts.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ChoiceList } from './choice-list.tsx'
import type { FormProps } from './form-props.ts'
import { formTexts as texts } from './form-texts.ts'

interface ReusablePickerProps extends FormProps {
  block: ReusableContent
  onChange: (block: Block) => void
}

const withContent = (block: ReusableContent, reusableContent: string): ReusableContent => ({
  ...block,
  data: { ref: { kind: 'reusable-content', reusableContent } },
})

/** Chooses a reusable content, shows how often it is used, and leads to its editor. */
export function ReusablePicker({ place, number, block, onChange }: ReusablePickerProps) {
  const { spaceId, changeRequestId } = place
  const params = { spaceId, changeRequestId }
  const { data } = useQuery('GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents', {
    params,
    query: { limit: 1000, metadata: false },
  })
  const { ref } = block.data
  const chosen = ref.kind === 'reusable-content' ? ref.reusableContent : ''
  const isKnown = data?.items.some(({ id }) => id === chosen) === true
  const uses = useQuery(
    isKnown
      ? 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents/{reusableContentId}/backlinks'
      : undefined,
    { params: { ...params, reusableContentId: chosen }, query: { limit: 100 } },
  ).data
  return (
    <>
      <ChoiceList
        label={toolTexts.pick}
        entries={data?.items.map(({ id, title }) => ({ id, title }))}
        chosen={chosen}
        nothing={texts.noReusable}
        onChoose={(id) => onChange(withContent(block, id))}
      />
      {isKnown && (
        <p class="toolbar">
          <LinkButton href={appHref(`/spaces/${spaceId}/change-requests/${number}/reusable/${chosen}`)}>
            {texts.editReusable}
          </LinkButton>
          {uses && <span class="quiet">{countText(texts.reusableUses, uses.items.length)}</span>}
        </p>
      )}
    </>
  )
}
