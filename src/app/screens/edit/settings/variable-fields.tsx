import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { variableTexts } from '../../variables/variable-texts.ts'
import { type VariableType, isVariableName, parseValue } from '../../variables/variable-values.ts'
import type { VariableField } from './settings-fields.ts'
import { settingsTexts as texts } from './settings-texts.ts'

const types = ['text', 'number', 'boolean'] as const satisfies readonly VariableType[]

/** Whether all variables can be saved. */
export const areValidVariables = (fields: readonly VariableField[]): boolean =>
  fields.every(({ name, type, text }) => isVariableName(name) && parseValue(text, type) !== undefined) &&
  new Set(fields.map(({ name }) => name)).size === fields.length

interface VariableFieldsProps {
  fields: readonly VariableField[]
  onChange: (fields: readonly VariableField[]) => void
}

/** Edits the variables of a page. */
export function VariableFields({ fields, onChange }: VariableFieldsProps) {
  const set = (index: number, changed: Partial<VariableField>) =>
    onChange(fields.map((field, at) => (at === index ? { ...field, ...changed } : field)))
  return (
    <>
      <p class="ui-field-hint">{texts.variablesHint}</p>
      {fields.map(({ name, type, text }, index) => (
        <div key={index} class="variable-field">
          <TextField
            label={variableTexts.name}
            value={name}
            maxLength={100}
            spellcheck={false}
            error={name === '' || isVariableName(name) ? undefined : variableTexts.nameError}
            onInput={(value) => set(index, { name: value })}
          />
          <SelectField
            label={variableTexts.type}
            value={type}
            options={types.map((value) => ({ value, title: variableTexts[value] }))}
            onChange={(value) => set(index, { type: value })}
          />
          {type === 'boolean' ? (
            <SelectField
              label={variableTexts.value}
              value={text === 'true' ? 'true' : 'false'}
              options={[
                { value: 'true', title: variableTexts.yes },
                { value: 'false', title: variableTexts.no },
              ]}
              onChange={(value) => set(index, { text: value })}
            />
          ) : (
            <TextField
              label={variableTexts.value}
              value={text}
              maxLength={256}
              error={parseValue(text, type) === undefined && text !== '' ? variableTexts.valueError : undefined}
              onInput={(value) => set(index, { text: value })}
            />
          )}
          <Button
            kind="quiet"
            icon="x"
            label={texts.removeVariable}
            onClick={() => onChange(fields.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button icon="plus" onClick={() => onChange([...fields, { name: '', type: 'text', text: '' }])}>
        {variableTexts.create}
      </Button>
    </>
  )
}
