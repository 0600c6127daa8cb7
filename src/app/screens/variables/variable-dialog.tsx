import { useState } from 'preact/hooks'
import type { Variable } from '../../../contract/content-items.ts'
import { fillText } from '../../texts.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useAction } from '../../ui/use-action.ts'
import { UsesList, useVariableUses } from '../links/uses.tsx'
import { type ContentTarget, sendAndShow } from '../space/send-changes.ts'
import { variableTexts as texts } from './variable-texts.ts'
import { type VariableType, isVariableName, parseValue, typeOfValue } from './variable-values.ts'

interface VariableDialogProps {
  target: ContentTarget
  /** The edited variable; a new one without it. */
  variable?: Variable | undefined
  /** Names of all variables. */
  names: readonly string[]
  onClose: () => void
}

const types = ['text', 'number', 'boolean'] as const satisfies readonly VariableType[]

/** Adds a variable, or changes its name and value. */
export function VariableDialog({ target, variable, names, onClose }: VariableDialogProps) {
  const [name, setName] = useState(variable?.name ?? '')
  const [type, setType] = useState<VariableType>(variable ? typeOfValue(variable.value) : 'text')
  const [text, setText] = useState(variable ? String(variable.value) : '')
  const isRenamed = variable !== undefined && name !== variable.name
  const isTaken = name !== variable?.name && names.includes(name)
  const value = parseValue(type === 'boolean' && text !== 'true' ? 'false' : text, type)
  const isValid = isVariableName(name) && !isTaken && value !== undefined
  const [save, isSaving] = useAction(async () => {
    if (value === undefined) return
    const variables = { ...(isRenamed && { [variable.name]: null }), [name]: value }
    await sendAndShow(target, [{ operation: 'set_variables', variables }], '/variables')
    onClose()
  })
  const nameError = name === '' || isVariableName(name) ? undefined : texts.nameError
  return (
    <FormDialog
      title={variable ? texts.edit : texts.create}
      onClose={onClose}
      onSubmit={() => isValid && void save()}
      action={variable ? texts.save : texts.add}
      isBusy={isSaving}
      isIncomplete={!isValid}
    >
      <TextField
        label={texts.name}
        hint={fillText(texts.nameHint, { name: name || 'name' })}
        error={isTaken ? texts.nameTaken : nameError}
        value={name}
        maxLength={100}
        autoFocus={!variable}
        spellcheck={false}
        onInput={setName}
      />
      {isRenamed && variable.uses > 0 && <RenameWarning target={target} name={variable.name} />}
      <SelectField
        label={texts.type}
        value={type}
        options={types.map((one) => ({ value: one, title: texts[one] }))}
        onChange={setType}
      />
      {type === 'boolean' ? (
        <SelectField
          label={texts.value}
          value={text === 'true' ? 'true' : 'false'}
          options={[
            { value: 'true', title: texts.yes },
            { value: 'false', title: texts.no },
          ]}
          onChange={setText}
        />
      ) : (
        <TextField
          label={texts.value}
          value={text}
          maxLength={256}
          autoFocus={variable !== undefined}
          error={value === undefined && text !== '' ? texts.valueError : undefined}
          onInput={setText}
        />
      )}
    </FormDialog>
  )
}

function RenameWarning({ target, name }: { target: ContentTarget; name: string }) {
  const uses = useVariableUses(target, name)
  return (
    <div role="note">
      <p>{texts.renameWarning}</p>
      <UsesList target={target} uses={uses} />
    </div>
  )
}
