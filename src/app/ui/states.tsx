import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { appHref } from '../base-path.ts'
import { isAccessChanged } from '../connection.ts'
import { ApiError } from '../api.ts'
import { ModuleLoadError } from '../load-module.ts'
import { fillText } from '../texts.ts'
import { Button, LinkButton } from './button.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'
import { uiTexts } from './ui-texts.ts'

/** Skeletons appear after this time in milliseconds, because most replies arrive earlier. */
const skeletonDelay = 200

/** Shows grey lines while data is loading. */
export function Loading({ lines = 4 }: { lines?: number | undefined }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), skeletonDelay)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class="skeleton" role="status" aria-busy="true">
      <span class="sr-only">{uiTexts.loading}</span>
      {isShown && Array.from({ length: lines }, (_, index) => <span key={index} class="skeleton-line" />)}
    </div>
  )
}

interface EmptyStateProps {
  icon: IconName
  title: string
  /** Next steps for the user. */
  children?: ComponentChildren
  actions?: ComponentChildren
  /** Whether it is the only content of the screen, so that its title is that of the screen. */
  isWholeScreen?: boolean | undefined
}

/** Shows that there are no items yet, and the next step. */
export function EmptyState({ icon, title, children, actions, isWholeScreen = false }: EmptyStateProps) {
  const Title = isWholeScreen ? 'h1' : 'h2'
  return (
    <div class="empty">
      <Icon name={icon} size={28} />
      <Title>{title}</Title>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div class="empty-actions">{actions}</div>}
    </div>
  )
}

/** Shown instead of a screen, or of its content, if the user may not see it; names those who can change this. */
export function ForbiddenState({
  children = uiTexts.forbiddenText,
  isWholeScreen = true,
}: Pick<EmptyStateProps, 'children' | 'isWholeScreen'>) {
  return (
    <EmptyState isWholeScreen={isWholeScreen} icon="lock" title={uiTexts.forbiddenTitle}>
      {children}
    </EmptyState>
  )
}

/** Shows that no screen has this address. */
export function NotFoundState({ isWholeScreen }: Pick<EmptyStateProps, 'isWholeScreen'>) {
  return (
    <EmptyState
      isWholeScreen={isWholeScreen}
      icon="help"
      title={uiTexts.notFoundTitle}
      actions={<LinkButton href={appHref('')}>{uiTexts.goHome}</LinkButton>}
    >
      {uiTexts.notFoundText}
    </EmptyState>
  )
}

/** Shows that an administrator removed the access of the user while the screen was open. */
function LostAccessState({ isWholeScreen }: Pick<EmptyStateProps, 'isWholeScreen'>) {
  return (
    <div role="alert">
      <EmptyState
        isWholeScreen={isWholeScreen}
        icon="lock"
        title={uiTexts.lostAccessTitle}
        actions={<LinkButton href={appHref('')}>{uiTexts.goHome}</LinkButton>}
      >
        {uiTexts.lostAccessText}
      </EmptyState>
    </div>
  )
}

interface ErrorStateProps extends Pick<EmptyStateProps, 'isWholeScreen'> {
  error: Error
  onRetry?: () => void
}

/** Shows why a request failed, with a button that sends it again. */
export function ErrorState({ error, onRetry, isWholeScreen }: ErrorStateProps) {
  const status = error instanceof ApiError ? error.status : undefined
  if (isAccessChanged.value && (status === 403 || status === 404))
    return <LostAccessState isWholeScreen={isWholeScreen} />
  if (status === 404) return <NotFoundState isWholeScreen={isWholeScreen} />
  const title = status === 403 ? uiTexts.forbiddenTitle : uiTexts.errorTitle
  return (
    <div role="alert">
      <EmptyState
        isWholeScreen={isWholeScreen}
        icon={status === 403 ? 'lock' : 'warning'}
        title={title}
        actions={onRetry && status !== 403 && <Button onClick={onRetry}>{uiTexts.retry}</Button>}
      >
        {describeError(error)}
      </EmptyState>
    </div>
  )
}

/** Describes why a request failed. */
export function describeError(error: unknown): string {
  if (error instanceof ModuleLoadError) return uiTexts.errorLoading
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.status === 0) return uiTexts.errorOffline
  if (error.status === 403) return uiTexts.forbiddenText
  if (error.status === 404) return uiTexts.notFoundText
  if (error.status === 429) return fillText(uiTexts.errorTooMany, { seconds: error.retryAfter ?? 60 })
  if (error.status >= 500) return uiTexts.errorServer
  const [detail] = error.details
  return detail === undefined ? error.message : `${error.message}: ${detail.message}`
}
