import type { ComponentChildren } from 'preact'
import { formatNumber } from '../../../texts.ts'
import { insightsTexts as texts } from './insights-texts.ts'

export interface CountRow {
  key: string
  title: ComponentChildren
  values: readonly number[]
}

interface CountTableProps {
  title: string
  hint?: string
  /** Titles of the columns. */
  columns: readonly string[]
  rows: readonly CountRow[]
}

/** Table of titles with counts; the bar behind a title shows the share of its first count. */
export function CountTable({ title, hint, columns, rows }: CountTableProps) {
  const max = Math.max(...rows.map(({ values: [value = 0] }) => value), 1)
  return (
    <section class="count-table">
      <h2>{title}</h2>
      {hint !== undefined && <p class="quiet">{hint}</p>}
      {rows.length === 0 ? (
        <p class="quiet">{texts.nothing}</p>
      ) : (
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, title: name, values }) => (
              <tr key={key}>
                <th scope="row" style={{ '--share': `${Math.round(((values[0] ?? 0) / max) * 100)}%` }}>
                  {name}
                </th>
                {values.map((value, index) => (
                  <td key={index}>{formatNumber(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
