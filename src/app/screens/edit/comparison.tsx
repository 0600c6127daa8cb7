import { diffLines } from './line-diff.ts'
import { joinClasses } from '../../ui/classes.ts'

interface ComparisonProps {
  before: { label: string; text: string }
  after: { label: string; text: string }
}

/** Shows two texts side by side; lines that differ are marked. */
export function Comparison({ before, after }: ComparisonProps) {
  const [old, next] = [before.text.split('\n'), after.text.split('\n')]
  const isOld = new Set<number>()
  const isNew = new Set<number>()
  let shift = 0
  for (const { from, to, lines } of diffLines(old, next)) {
    for (let line = from; line < to; line++) isOld.add(line)
    for (let line = 0; line < lines.length; line++) isNew.add(from + shift + line)
    shift += lines.length - (to - from)
  }
  return (
    <div class="text-comparison">
      <Side label={before.label} lines={old} changed={isOld} />
      <Side label={after.label} lines={next} changed={isNew} />
    </div>
  )
}

function Side({ label, lines, changed }: { label: string; lines: readonly string[]; changed: ReadonlySet<number> }) {
  return (
    <section class="text-side" aria-label={label}>
      <h3>{label}</h3>
      {/* A long text can be scrolled with the keyboard. */}
      <pre tabIndex={0}>
        {lines.map((line, index) => (
          <span key={index} class={joinClasses('text-side-line', changed.has(index) && 'is-different')}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  )
}
