import type { ComponentChildren } from 'preact'

/** A list of names with their values. */
export const FactList = ({ children }: { children: ComponentChildren }) => <dl class="fact-list">{children}</dl>

/** One name with its value. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
