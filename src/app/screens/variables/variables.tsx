import { useState } from 'preact/hooks'
import type { Variable } from '../../../contract/content-items.ts'
import { useQuery } from '../../data/query.ts'
import { countText, fillText, formatNumber } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RemoveDialog, UsesDialog, useVariableUses } from '../links/uses.tsx'
import { ContentFrame } from '../space/content-frame.tsx'
import { type ContentTarget, offerUndo, sendAndShow } from '../space/send-changes.ts'
import { VariableDialog } from './variable-dialog.tsx'
import { variableTexts as texts } from './variable-texts.ts'
import { toVariableMarkdown } from './variable-values.ts'

/** The variables of a space or of a change request. */
export default function VariablesScreen({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <ContentFrame params={params} title={texts.title} actions={(target) => <CreateButton target={target} />}>
      {(target, canEdit) => <VariableRows target={target} canEdit={canEdit} />}
    </ContentFrame>
  )
}

function useVariables({ space, changeRequest }: ContentTarget) {
  const live = useQuery(changeRequest === undefined ? 'GET /spaces/{spaceId}/content/variables' : undefined, {
    params: { spaceId: space.id },
  })
  const proposed = useQuery(
    changeRequest === undefined
      ? undefined
      : 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/variables',
    { params: { spaceId: space.id, changeRequestId: changeRequest ?? '' } },
  )
  return changeRequest === undefined ? live : proposed
}

function CreateButton({ target }: { target: ContentTarget }) {
  const [isOpen, setOpen] = useState(false)
  const names = (useVariables(target).data?.variables ?? []).map(({ name }) => name)
  return (
    <>
      <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
        {texts.create}
      </Button>
      {isOpen && <VariableDialog target={target} names={names} onClose={() => setOpen(false)} />}
    </>
  )
}

function VariableRows({ target, canEdit }: { target: ContentTarget; canEdit: boolean }) {
  const { data, error, reload } = useVariables(target)
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  const { variables } = data
  if (variables.length === 0)
    return (
      <EmptyState icon="variable" title={texts.empty} actions={canEdit && <CreateButton target={target} />}>
        {texts.emptyHint}
      </EmptyState>
    )
  const names = variables.map(({ name }) => name)
  return (
    <ul class="rows">
      {variables.map((variable) => (
        <li key={variable.name} class="row variable-row">
          <code class="variable-name">{variable.name}</code>
          <span class="row-title">{describeValue(variable.value)}</span>
          <span class="row-facts">{variable.uses === 0 ? texts.unused : countText(texts.uses, variable.uses)}</span>
          <VariableMenu target={target} variable={variable} names={names} canEdit={canEdit} />
        </li>
      ))}
    </ul>
  )
}

function describeValue(value: Variable['value']): string {
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  return typeof value === 'number' ? formatNumber(value) : value
}

interface VariableMenuProps {
  target: ContentTarget
  variable: Variable
  names: readonly string[]
  canEdit: boolean
}

function VariableMenu({ target, variable, names, canEdit }: VariableMenuProps) {
  const { name } = variable
  const [dialog, setDialog] = useState<'edit' | 'uses' | 'remove' | undefined>()
  const [copy] = useAction(() => copyText(toVariableMarkdown(name)))
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu
        icon="dots"
        label={fillText(texts.actions, { title: name })}
        items={[
          canEdit && { title: texts.edit, icon: 'edit', onSelect: () => setDialog('edit') },
          { title: texts.copy, icon: 'markdown', onSelect: () => void copy() },
          { title: texts.whereUsed, icon: 'link', onSelect: () => setDialog('uses') },
          canEdit && {
            title: texts.remove,
            icon: 'trash',
            isDangerous: true,
            startsGroup: true,
            onSelect: () => setDialog('remove'),
          },
        ]}
      />
      {dialog === 'edit' && <VariableDialog target={target} variable={variable} names={names} onClose={close} />}
      {(dialog === 'uses' || dialog === 'remove') && (
        <VariableUses target={target} variable={variable} isRemoving={dialog === 'remove'} onClose={close} />
      )}
    </>
  )
}

interface VariableUsesProps {
  target: ContentTarget
  variable: Variable
  isRemoving: boolean
  onClose: () => void
}

function VariableUses({ target, variable: { name, value }, isRemoving, onClose }: VariableUsesProps) {
  const props = { target, uses: useVariableUses(target, name), onClose }
  if (!isRemoving) return <UsesDialog {...props} title={name} />
  const remove = async () => {
    const change = (next: Variable['value'] | null) =>
      ({ operation: 'set_variables', variables: { [name]: next } }) as const
    const { number } = await sendAndShow(target, [change(null)], '/variables')
    offerUndo(fillText(texts.removed, { title: name }), target, number, [change(value)])
  }
  return <RemoveDialog {...props} title={fillText(texts.removeTitle, { title: name })} onRemove={remove} />
}
