/** The logo, the same as assets/logo.svg. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#b93a1e" />
      <path fill="#fff" fill-opacity=".65" d="M4.5 8l5.25 1.75v14.5L4.5 22.5zM22.25 9.75 27.5 8v14.5l-5.25 1.75z" />
      <path fill="#fff" d="M9.75 9.75l5.5 1.85V26l-5.5-1.75zM16.75 11.6l5.5-1.85v14.5L16.75 26z" />
    </svg>
  )
}
