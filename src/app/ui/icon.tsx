import { type IconName, iconSources } from './icons.ts'

/** Shows an icon beside a text; it has no name of its own for screen readers. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
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
      dangerouslySetInnerHTML={{ __html: iconSources[name] }}
    />
  )
}
