import { serverHref } from '../base-path.ts'
import { isOffline, isSignedOut } from '../connection.ts'
import { LinkButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { uiTexts } from './ui-texts.ts'

/** Shows above all screens that the server cannot be reached or that the session has ended. */
export function Banners() {
  if (isSignedOut.value) {
    const next = encodeURIComponent(location.pathname + location.search)
    return (
      <div class="banner" role="alert">
        <Icon name="lock" />
        <span>{uiTexts.signedOut}</span>
        <LinkButton href={serverHref(`/login?next=${next}`)}>{uiTexts.signIn}</LinkButton>
      </div>
    )
  }
  if (!isOffline.value) return null
  return (
    <div class="banner" role="alert">
      <Icon name="cloud-off" />
      <span>{uiTexts.offline}</span>
    </div>
  )
}
