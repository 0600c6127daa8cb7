import type { Block, OpenApiOperation } from '../../../content/document/nodes.ts'
import type { OpenAPISpecContent } from '../../../contract/openapi-spec.ts'
import { useWholeList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { SelectField } from '../../ui/fields.tsx'
import { ChoiceList } from './choice-list.tsx'
import type { FormProps } from './form-props.ts'
import { formTexts as texts } from './form-texts.ts'

interface OperationFieldsProps extends FormProps {
  block: OpenApiOperation
  onChange: (block: Block) => void
}

const withSpecification = (block: OpenApiOperation, spec: string): OpenApiOperation => ({
  ...block,
  data: { ...block.data, ref: { kind: 'openapi', spec }, path: '' },
})

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** Chooses a specification of the organization, and one of its operations. */
export function OperationFields({ organizationId, block, onChange }: OperationFieldsProps) {
  const { ref, path, method } = block.data
  const specs = useWholeList('GET /orgs/{organizationId}/openapi', { params: { organizationId } })
  const content = useQuery(
    ref.spec === '' ? undefined : 'GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest/content',
    { params: { organizationId, specSlug: ref.spec } },
  )
  const items = specs.items ?? []
  const isKnown = ref.spec === '' || items.some(({ slug }) => slug === ref.spec)
  const options = [
    ...(ref.spec === '' ? [{ value: '', title: '' }] : []),
    ...(isKnown ? [] : [{ value: ref.spec, title: ref.spec }]),
    ...items.map(({ slug }) => ({ value: slug, title: slug })),
  ]
  if (specs.items && items.length === 0) return <p class="quiet">{texts.noSpecification}</p>
  return (
    <>
      <SelectField
        label={texts.specification}
        value={ref.spec}
        options={options}
        onChange={(spec) => onChange(withSpecification(block, spec))}
      />
      {ref.spec !== '' && (
        <ChoiceList
          label={texts.findOperation}
          entries={content.error ? [] : content.data && listOperations(content.data)}
          chosen={`${method.toLowerCase()} ${path}`}
          nothing={texts.noOperation}
          onChoose={(id) => {
            const [chosen = 'get', ...rest] = id.split(' ')
            onChange({ ...block, data: { ...block.data, method: chosen, path: rest.join(' ') } })
          }}
        />
      )}
    </>
  )
}

/** Returns the operations of a document. */
function listOperations({ filesystem }: OpenAPISpecContent): { id: string; title: string; detail: string }[] {
  const entry = filesystem.find(({ isEntrypoint }) => isEntrypoint) ?? filesystem[0]
  const document = (entry?.specification ?? {}) as { paths?: Record<string, Record<string, unknown>> }
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as { summary?: string } | undefined
      if (!operation) return []
      return [{ id: `${method} ${path}`, title: `${method.toUpperCase()} ${path}`, detail: operation.summary ?? '' }]
    }),
  )
}
