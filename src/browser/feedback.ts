import { all, one, remember, remembered } from './dom.ts'
import { tell } from './visit.ts'

/** Starts the feedback form: a rating is sent immediately, a comment when it is submitted. */
export function startFeedback(): void {
  const form = one<HTMLFormElement>('[data-feedback]')
  const pageId = one('[data-page]')?.dataset['page']
  if (!form || pageId === undefined) return
  const [more, thanks, comment] = [one('.feedback-more', form), one('.thanks', form), one('textarea', form)]
  if (!more || !thanks || !(comment instanceof HTMLTextAreaElement)) return
  const choices = all<HTMLButtonElement>('[role="group"] button', form)
  const key = `feedback ${pageId}`
  const show = (rating: string | null) =>
    choices.forEach((choice) => choice.setAttribute('aria-pressed', String(choice.value === rating)))
  let rating = remembered(key)
  show(rating)
  for (const choice of choices) {
    choice.addEventListener('click', () => {
      if (rating !== choice.value) tell({ type: 'page_post_feedback', feedback: { rating: choice.value } })
      rating = choice.value
      remember(key, rating)
      show(rating)
      more.hidden = false
      thanks.hidden = true
    })
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const said = comment.value.trim()
    if (said !== '' && rating !== null) {
      tell({ type: 'page_post_feedback_comment', feedback: { rating, comment: said.slice(0, 512) } })
    }
    comment.value = ''
    more.hidden = true
    thanks.hidden = false
    thanks.tabIndex = -1
    thanks.focus()
  })
}
