import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { appHref } from '../../base-path.ts'
import { countText, defineTexts, fillText, formatNumber } from '../../texts.ts'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icons.ts'

export const progressTexts = defineTexts('importProgress', {
  title: 'Import',
  waiting: 'Waiting to start',
  running: 'Importing',
  readOf: '{done} of {total}',
  done: 'The import is complete',
  failed: 'The import failed',
  cancelled: 'The import was cancelled',
  cancelledHint: 'Nothing was imported. The space exists and is empty.',
  reload: 'You can close this page: the import continues, and this address shows its progress.',
  imported: { one: '{count} page was imported.', other: '{count} pages were imported.' },
  importedFiles: { one: '{count} file was imported.', other: '{count} files were imported.' },
  warnings: { one: '{count} note', other: '{count} notes' },
  warningsHint: 'This content could not be imported unchanged.',
  line: '{file}, line {line}',
  open: 'Open the space',
  retry: 'Try again',
  cancel: 'Cancel the import',
  remove: 'Delete the empty space',
  removed: 'The space was deleted.',
  change: 'Check the repository',
  timeout: 'The import took too long and was stopped. Try again, or import a smaller folder.',
  openChangeRequest: 'Open the change request',
  waitsForMerge: 'The imported content is in a change request, because the space was edited in the meantime.',
  pages: 'Pages',
})

interface ProgressHeadProps {
  icon: IconName
  title: string
  /** Number of processed parts, and of all known parts. */
  done?: number
  total?: number
  children?: ComponentChildren
}

/** Shows the state of an import, with a bar while it runs. */
export function ProgressHead({ icon, title, done, total = 0, children }: ProgressHeadProps) {
  const id = useId()
  return (
    <section class="progress-head" aria-live="polite">
      <h2 id={id}>
        <Icon name={icon} size={20} /> {title}
      </h2>
      {done !== undefined && (
        <>
          <progress aria-labelledby={id} max={Math.max(total, 1)} {...(total > 0 && { value: done })} />
          <p class="quiet">
            {total > 0 && fillText(progressTexts.readOf, { done: formatNumber(done), total: formatNumber(total) })}
          </p>
        </>
      )}
      {children}
    </section>
  )
}

interface Warning {
  file?: string | undefined
  url?: string | undefined
  line?: number | undefined
  message: string
  /** ID of the page that the file contains. */
  page?: string | undefined
}

/** Maximum number of shown warnings. */
const maxWarnings = 200

interface WarningsProps {
  warnings: readonly Warning[]
  count: number
  /** ID of the space; if it is set, warnings link to the pages of their files. */
  spaceId?: string
  isOpen?: boolean
}

/** Lists content that could not be imported unchanged. */
export function Warnings({ warnings, count, spaceId, isOpen = false }: WarningsProps) {
  if (count === 0) return null
  return (
    <details class="warnings" open={isOpen}>
      <summary>{countText(progressTexts.warnings, count)}</summary>
      <p class="quiet">{progressTexts.warningsHint}</p>
      <ul>
        {warnings.slice(0, maxWarnings).map(({ file, url, line, message, page }, index) => {
          const source = file ?? url ?? ''
          const place = line === undefined ? source : fillText(progressTexts.line, { file: source, line })
          return (
            <li key={index}>
              {spaceId !== undefined && page !== undefined ? (
                <a href={appHref(`/spaces/${spaceId}/pages/${page}`)}>{place}</a>
              ) : (
                <code>{place}</code>
              )}{' '}
              {message}
            </li>
          )
        })}
      </ul>
    </details>
  )
}
