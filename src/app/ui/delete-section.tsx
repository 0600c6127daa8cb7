import { Button } from './button.tsx'
import { type Question, confirmAction } from './confirm.ts'
import { useAction } from './use-action.ts'

interface DeleteSectionProps {
  title: string
  hint: string
  /** Title of the button, and of the one that confirms it. */
  action: string
  /** Question that asks for confirmation. */
  question: Pick<Question, 'title' | 'text' | 'typed'>
  onDelete: () => Promise<void>
}

/** Last section of the settings of an item, which deletes the item. */
export function DeleteSection({ title, hint, action, question, onDelete }: DeleteSectionProps) {
  const [remove, isRemoving] = useAction(async () => {
    if (await confirmAction({ ...question, action, isDangerous: true })) await onDelete()
  })
  return (
    <section class="section">
      <h2>{title}</h2>
      <p class="quiet">{hint}</p>
      <Button kind="danger" icon="trash" isBusy={isRemoving} onClick={() => void remove()}>
        {action}
      </Button>
    </section>
  )
}
