import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { countText, defineTexts, fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { VisualEditorModel } from '../use-visual-editor.ts'
import { maxMatches } from './find-matches.ts'
import { addFind, clearQuery, getFind, goToMatch, replaceAllMatches, replaceMatch, setQuery } from './find-plugin.ts'

const texts = defineTexts('find', {
  find: 'Find in the page',
  replaceBy: 'Replace with',
  next: 'Next',
  previous: 'Previous',
  matchCase: 'Match case',
  wholeWords: 'Whole words',
  replace: 'Replace',
  replaceAll: 'Replace all',
  close: 'Close the search',
  none: 'Not found',
  count: '{current} of {total}',
  many: '{current} of more than {total}',
  replaced: { one: '{count} place replaced', other: '{count} places replaced' },
})

interface FindBarProps {
  editor: VisualEditorModel
  isOpen: Signal<boolean>
}

/** Finds and replaces text in the page. */
export function FindBar({ editor, isOpen }: FindBarProps) {
  const { getView, changes } = editor
  const input = useRef<HTMLInputElement>(null)
  const [text, replacement] = [useSignal(''), useSignal('')]
  const [isCaseSensitive, isWholeWord] = [useSignal(false), useSignal(false)]
  const view = getView()
  useEffect(() => {
    if (!isOpen.value || !view) return
    const { from, to } = view.state.selection
    const selected = view.state.doc.textBetween(from, to, '\n')
    if (selected !== '' && !selected.includes('\n')) text.value = selected
    input.current?.focus()
    input.current?.select()
  }, [isOpen.value])
  useEffect(() => {
    if (!view || !isOpen.value) return
    const query = { text: text.value, isCaseSensitive: isCaseSensitive.value, isWholeWord: isWholeWord.value }
    addFind(view)
    setQuery(view, query)
  }, [isOpen.value, text.value, isCaseSensitive.value, isWholeWord.value])
  if (!isOpen.value || !view) return null
  // The matches change with the page.
  void changes.value
  const { matches, current } = getFind(view.state)
  const close = () => {
    isOpen.value = false
    clearQuery(view)
    view.focus()
  }
  // A button that becomes disabled because there are no more matches loses the focus.
  const keepFocus = () => getFind(view.state).matches.length === 0 && input.current?.focus()
  const replace = () => {
    replaceMatch(view, replacement.value)
    keepFocus()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    close()
  }
  const isNone = matches.length === 0
  return (
    <div class="find-bar" role="search" aria-label={texts.find} onKeyDown={handleKey}>
      <div class="find-row">
        <input
          ref={input}
          class="find-field"
          type="text"
          aria-label={texts.find}
          placeholder={texts.find}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return
            event.preventDefault()
            goToMatch(view, event.shiftKey ? -1 : 1)
          }}
        />
        <span class="find-count" role="status">
          {text.value !== '' && describeCount(matches.length, current)}
        </span>
        <Button
          kind="quiet"
          icon="chevron-up"
          label={texts.previous}
          disabled={isNone}
          onClick={() => goToMatch(view, -1)}
        />
        <Button
          kind="quiet"
          icon="chevron-down"
          label={texts.next}
          disabled={isNone}
          onClick={() => goToMatch(view, 1)}
        />
        <Button kind="quiet" icon="x" label={texts.close} onClick={close} />
      </div>
      <div class="find-row">
        <input
          class="find-field"
          type="text"
          aria-label={texts.replaceBy}
          placeholder={texts.replaceBy}
          value={replacement.value}
          onInput={(event) => (replacement.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return
            event.preventDefault()
            replaceMatch(view, replacement.value)
          }}
        />
        <Button kind="quiet" disabled={isNone} onClick={replace}>
          {texts.replace}
        </Button>
        <Button
          kind="quiet"
          disabled={isNone}
          onClick={() => {
            showToast(countText(texts.replaced, replaceAllMatches(view, replacement.value)))
            keepFocus()
          }}
        >
          {texts.replaceAll}
        </Button>
      </div>
      <div class="find-row find-options">
        {([isCaseSensitive, isWholeWord] as const).map((option) => (
          <label key={option === isCaseSensitive}>
            <input
              type="checkbox"
              checked={option.value}
              onChange={(event) => (option.value = event.currentTarget.checked)}
            />
            {option === isCaseSensitive ? texts.matchCase : texts.wholeWords}
          </label>
        ))}
      </div>
    </div>
  )
}

function describeCount(total: number, current: number): string {
  if (total === 0) return texts.none
  return fillText(total === maxMatches ? texts.many : texts.count, { current: current + 1, total })
}
