import { useSignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { AdaptiveJSONSchema } from '../../../../contract/adaptive-schema.ts'
import type { ErrorDetail } from '../../../../contract/errors.ts'
import { ApiError } from '../../../api.ts'
import { fillText } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { adaptiveTexts as texts } from './adaptive-texts.ts'
import { ClaimList } from './claim-list.tsx'
import { parseJsonObject } from './parse-json.ts'
import { toFormSchema, toJsonSchema } from './schema-claims.ts'

interface SchemaEditorProps {
  schema: AdaptiveJSONSchema
  onSave: (schema: Record<string, unknown>) => Promise<void>
}

const printJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** Edits the claims of visitors with a form, or as JSON. */
export function SchemaEditor({ schema, onSave }: SchemaEditorProps) {
  const [isJson, setJson] = useState(false)
  const [form, setForm] = useState(() => toFormSchema(schema))
  const [text, setText] = useState(() => printJson(schema))
  const problem = useSignal<string | undefined>(undefined)
  const refused = useSignal<readonly ErrorDetail[]>([])
  /** Returns the schema of the JSON text; undefined if it is not JSON. */
  const parseText = (): Record<string, unknown> | undefined => {
    const parsed = parseJsonObject(text)
    problem.value = 'problem' in parsed ? parsed.problem : undefined
    return 'value' in parsed ? parsed.value : undefined
  }
  const switchMode = (toJson: boolean) => {
    refused.value = []
    if (toJson) setText(printJson(toJsonSchema(form)))
    else {
      const parsed = parseText()
      if (!parsed) return
      setForm(toFormSchema({ ...schema, properties: {}, ...parsed }))
    }
    setJson(toJson)
  }
  const [save, isSaving] = useAction(async () => {
    const value = isJson ? parseText() : toJsonSchema(form)
    if (!value) return
    refused.value = []
    try {
      await onSave(value)
      showToast(texts.saved)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error
      refused.value = error.details.length > 0 ? error.details : [{ path: '', message: error.message }]
    }
  })
  return (
    <Form onSubmit={() => void save()}>
      <div class="segments schema-modes" role="group" aria-label={texts.schema}>
        <button type="button" aria-pressed={!isJson} onClick={() => isJson && switchMode(false)}>
          {texts.form}
        </button>
        <button type="button" aria-pressed={isJson} onClick={() => !isJson && switchMode(true)}>
          {texts.json}
        </button>
      </div>
      {isJson ? (
        <div class="code-area">
          <TextArea
            label={texts.json}
            error={problem.value}
            rows={16}
            spellcheck={false}
            value={text}
            onInput={setText}
          />
        </div>
      ) : (
        <ClaimList form={form} onChange={setForm} />
      )}
      {refused.value.length > 0 && (
        <div class="ui-field-error" role="alert">
          <p>{texts.problems}</p>
          <ul class="refused-list">
            {refused.value.map(({ path, message }) => (
              <li key={path + message}>{fillText(texts.problem, { path: toReadablePath(path), message })}</li>
            ))}
          </ul>
        </div>
      )}
      <p class="form-actions">
        <Button type="submit" isBusy={isSaving}>
          {texts.save}
        </Button>
      </p>
    </Form>
  )
}

/** Returns the path of a claim without the parts that all paths share: `plan.enum` instead of `body.jsonSchema.properties.plan.enum`. */
const toReadablePath = (path: string): string =>
  path
    .replace(/^body\.jsonSchema\.?/, '')
    .replace(/(^|\.)properties(\.|$)/g, '$1')
    .replace(/\.$/, '') || texts.whole
