import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { countText, fillText, formatNumber, language } from '../../../texts.ts'
import { insightsTexts as texts } from './insights-texts.ts'

export interface DayCounts {
  /** Start of the day in UTC. */
  day: string
  views: number
  visitors: number
}

const height = 220
const margin = { top: 12, right: 12, bottom: 24, left: 40 }
/** Number of lines of the grid above the axis. */
const gridLines = 4

/** Returns the day in the language of the user. */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(language.value, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day))

const describeDay = ({ day, views, visitors }: DayCounts): string =>
  fillText(texts.dayValues, {
    day: formatDay(day),
    views: countText(texts.viewCount, views),
    visitors: countText(texts.visitorCount, visitors),
  })

/** Returns the smallest of 1, 2 and 5 times a power of ten that is at least the value divided by the number of grid lines. */
function chooseStep(max: number): number {
  const wanted = Math.max(1, max / gridLines)
  const power = 10 ** Math.floor(Math.log10(wanted))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= wanted) ?? wanted
}

/** Shows views and visitors of each day. The arrow keys move along the days, and a table contains the same values. */
export function Chart({ days }: { days: readonly DayCounts[] }) {
  const root = useRef<HTMLDivElement>(null)
  const width = useSignal(640)
  const active = useSignal<number | undefined>(undefined)
  useEffect(() => {
    const element = root.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => entry && (width.value = Math.max(240, entry.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const step = chooseStep(Math.max(...days.map(({ views }) => views), 1))
  const top = step * gridLines
  const inner = { width: width.value - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const x = (index: number) => margin.left + (days.length < 2 ? 0.5 : index / (days.length - 1)) * inner.width
  const y = (value: number) => margin.top + (1 - value / top) * inner.height
  const toLine = (name: 'views' | 'visitors') =>
    days
      .map((counts, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(counts[name]).toFixed(1)}`)
      .join('')
  const move = (index: number) => (active.value = Math.max(0, Math.min(days.length - 1, index)))
  const shown = active.value === undefined ? undefined : days[active.value]
  return (
    <div ref={root} class="chart">
      <svg
        width="100%"
        height={height}
        viewBox={`0 0 ${width.value} ${height}`}
        role="slider"
        tabIndex={0}
        aria-label={texts.chart}
        aria-valuemin={0}
        aria-valuemax={days.length - 1}
        aria-valuenow={active.value ?? days.length - 1}
        aria-valuetext={describeDay(shown ?? (days.at(-1) as DayCounts))}
        onKeyDown={(event) => {
          const at = active.value ?? days.length - 1
          const target = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: days.length - 1 }[event.key]
          if (target === undefined) return
          event.preventDefault()
          move(target)
        }}
        onPointerMove={(event) => {
          const { left } = event.currentTarget.getBoundingClientRect()
          move(Math.round(((event.clientX - left - margin.left) / inner.width) * (days.length - 1)))
        }}
        onPointerLeave={() => (active.value = undefined)}
        onBlur={() => (active.value = undefined)}
      >
        {Array.from({ length: gridLines + 1 }, (_, line) => line * step).map((value) => (
          <g key={value} class="chart-grid">
            <line x1={margin.left} x2={width.value - margin.right} y1={y(value)} y2={y(value)} />
            <text x={margin.left - 8} y={y(value) + 4} text-anchor="end">
              {formatNumber(value)}
            </text>
          </g>
        ))}
        {listLabels(days.length, inner.width).map((index) => (
          <text key={index} class="chart-label" x={x(index)} y={height - 6} text-anchor={anchorOf(index, days.length)}>
            {formatDay(days[index]?.day ?? '')}
          </text>
        ))}
        <path
          class="chart-area"
          d={`${toLine('views')}L${x(days.length - 1).toFixed(1)} ${y(0)}L${x(0).toFixed(1)} ${y(0)}Z`}
        />
        <path class="chart-line" d={toLine('views')} />
        <path class="chart-line chart-line-second" d={toLine('visitors')} />
        {active.value !== undefined && shown && (
          <g class="chart-mark">
            <line x1={x(active.value)} x2={x(active.value)} y1={margin.top} y2={y(0)} />
            <circle cx={x(active.value)} cy={y(shown.views)} r="4" />
          </g>
        )}
      </svg>
      <p class="chart-legend">
        {shown ? (
          describeDay(shown)
        ) : (
          <>
            <span class="chart-key">{texts.views}</span>
            <span class="chart-key chart-key-second">{texts.visitors}</span>
          </>
        )}
      </p>
    </div>
  )
}

/** Width of a label of the axis with the space around it, in pixels. */
const labelWidth = 80

/** Returns the days that have a label on the axis. */
function listLabels(count: number, width: number): number[] {
  const labels = Math.max(2, Math.min(count, Math.floor(width / labelWidth)))
  return [...new Set(Array.from({ length: labels }, (_, index) => Math.round((index / (labels - 1)) * (count - 1))))]
}

const anchorOf = (index: number, count: number): 'start' | 'middle' | 'end' =>
  index === 0 ? 'start' : index === count - 1 ? 'end' : 'middle'
