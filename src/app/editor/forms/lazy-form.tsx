import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FormProps } from './form-props.ts'

/** Shows a form. Its module is loaded when the first form is opened. */
export function LazyForm(props: FormProps) {
  const [Form, setForm] = useState<ComponentType<FormProps>>()
  useEffect(() => {
    void import('./editor-form.tsx').then(({ EditorFormDialog }) => setForm(() => EditorFormDialog))
  }, [])
  return Form ? <Form {...props} /> : null
}
