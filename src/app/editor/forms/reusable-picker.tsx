import type { Block, ReusableContent } from '../../../content/document/nodes.ts'
import { appHref } from '../../base-path.ts'
import { useContentQuery, useContentList } from '../../data/content-place.ts'
import { countText } from '../../texts.ts'
import { toolTexts } from '../../screens/edit/edit-texts.ts'
import { toEditorPath } from '../../screens/edit/editor-path.ts'
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

/** Selects a reusable content, shows how often it is used, and links to its editor. */
export function ReusablePicker({ place, number, block, onChange }: ReusablePickerProps) {
  const { items } = useContentList('GET /spaces/{spaceId}/content/reusable-contents', place, {
    query: { metadata: false },
  })
  const { ref } = block.data
  const chosen = ref.kind === 'reusable-content' ? ref.reusableContent : ''
  const isKnown = items?.some(({ id }) => id === chosen) === true
  const uses = useContentQuery(
    isKnown ? 'GET /spaces/{spaceId}/content/reusable-contents/{reusableContentId}/backlinks' : undefined,
    place,
    { params: { reusableContentId: chosen }, query: { limit: 100 } },
  ).data
  return (
    <>
      <ChoiceList
        label={toolTexts.pick}
        entries={items?.map(({ id, title }) => ({ id, title }))}
        chosen={chosen}
        nothing={texts.noReusable}
        onChoose={(id) => onChange(withContent(block, id))}
      />
      {isKnown && (
        <p class="toolbar">
          <LinkButton href={appHref(toEditorPath({ ...place, kind: 'reusable-content', pageId: chosen }, number))}>
            {texts.editReusable}
          </LinkButton>
          {uses && <span class="quiet">{countText(texts.reusableUses, uses.items.length)}</span>}
        </p>
      )}
    </>
  )
}
