import { signal } from '@preact/signals'
import { type IconName, iconSources } from './icons.ts'

/** Shapes of the icons by their names; more are added when they are loaded. */
const sources = signal<Readonly<Partial<Record<IconName, string>>>>(iconSources)
let loading: Promise<void> | undefined

/** Loads the icons that are not part of the first script. */
export const loadMoreIcons = (): Promise<void> =>
  (loading ??= import('./more-icons.ts').then(
    ({ moreIconSources }) => void (sources.value = { ...iconSources, ...moreIconSources }),
    // Without the icon, the text beside it is still shown; the next icon tries again.
    () => void (loading = undefined),
  ))

/** Icons that point in the reading direction. */
const directional = /^(?:arrow-(?:left|right|back-up)|chevron-right)$/

/** Shows an icon beside a text; screen readers ignore it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  const source = sources.value[name]
  if (source === undefined) void loadMoreIcons()
  return (
    <svg
      class={directional.test(name) ? 'icon icon-directional' : 'icon'}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      // The sources are files of a package, not input.
      dangerouslySetInnerHTML={{ __html: source ?? '' }}
    />
  )
}
