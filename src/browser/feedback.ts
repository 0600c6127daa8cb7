import { findElements, findElement, writeStorage, readStorage } from './dom.ts'
import { sendEvents } from './visit.ts'

/** Starts the feedback form: a rating is sent immediately, a comment when it is submitted. */
export function startFeedback(): void {
  const form = findElement<HTMLFormElement>('[data-feedback]')
  const pageId = findElement('[data-page]')?.dataset['page']
  if (!form || pageId === undefined) return
  const [more, thanks, comment] = [
    findElement('.feedback-more', form),
    findElement('.thanks', form),
    findElement('textarea', form),
  ]
  if (!more || !thanks || !(comment instanceof HTMLTextAreaElement)) return
  const choices = findElements<HTMLButtonElement>('[role="group"] button', form)
  const key = `feedback ${pageId}`
  const show = (rating: string | null) =>
    choices.forEach((choice) => choice.setAttribute('aria-pressed', String(choice.value === rating)))
  let rating = readStorage(key)
  show(rating)
  for (const choice of choices) {
    choice.addEventListener('click', () => {
      if (rating !== choice.value) sendEvents({ type: 'page_post_feedback', feedback: { rating: choice.value } })
      rating = choice.value
      writeStorage(key, rating)
      show(rating)
      more.hidden = false
      thanks.hidden = true
    })
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const text = comment.value.trim()
    if (text !== '' && rating !== null) {
      sendEvents({ type: 'page_post_feedback_comment', feedback: { rating, comment: text.slice(0, 512) } })
    }
    comment.value = ''
    more.hidden = true
    thanks.hidden = false
    thanks.tabIndex = -1
    thanks.focus()
  })
}
