import type { Signal } from '@preact/signals'
import type { Space } from '../../../contract/space.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { viewAsTexts as texts } from './view-as-texts.ts'
import { describeVisitor, parseClaims, readVisitorClaims, setVisitorClaims } from './visitor-claims.ts'

const ViewAsDialog = lazy(async () => (await import('./view-as-dialog.tsx')).ViewAsDialog)

interface ViewAsProps {
  space: Space
  /** Whether the form for the claims is open. */
  isOpen: Signal<boolean>
  isPageHidden: boolean
}

/** Shows the claims of the visitor as whom a page is shown, and the form that changes them. */
export function ViewAs({ space, isOpen, isPageHidden }: ViewAsProps) {
  const claims = parseClaims(readVisitorClaims() ?? '')
  return (
    <>
      {claims && (
        <div class="view-as" role="status">
          <Icon name="eye" />
          <span>
            {describeVisitor(claims)} {isPageHidden && <strong>{texts.pageHidden}</strong>}
          </span>
          <div class="toolbar">
            <Button kind="quiet" onClick={() => (isOpen.value = true)}>
              {texts.change}
            </Button>
            <Button kind="quiet" onClick={() => setVisitorClaims(undefined)}>
              {texts.showAll}
            </Button>
          </div>
        </div>
      )}
      {isOpen.value && (
        <ViewAsDialog
          space={space}
          claims={claims ?? {}}
          onClose={() => (isOpen.value = false)}
          onApply={(chosen) => {
            isOpen.value = false
            setVisitorClaims(chosen)
          }}
        />
      )}
    </>
  )
}
