import { useSignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Site } from '../../../../contract/site.ts'
import { invalidate } from '../../../data/query.ts'
import { countText, defineTexts, fillText } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, TextArea } from '../../../ui/fields.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { uiTexts } from '../../../ui/ui-texts.ts'
import { useAction } from '../../../ui/use-action.ts'
import { type ImportProblem, type ImportProblemReason, type ImportRow, parseImport } from './import-rows.ts'
import { sendRows } from './send-rows.ts'

const texts = defineTexts('redirectImportDialog', {
  title: 'Import redirects',
  text: 'Redirects',
  hint: 'One per line: the old address, a comma, and the target. For example: /old/page,/guide/install',
  file: 'Or choose a CSV file',
  permanent: 'Permanent',
  check: 'Check',
  back: 'Back',
  ready: { one: '{count} redirect can be imported.', other: '{count} redirects can be imported.' },
  none: 'No redirect can be imported.',
  problems: {
    one: '{count} line has a problem and is left out.',
    other: '{count} lines have problems and are left out.',
  },
  line: 'Line {line}',
  'no-target': 'Write two values: the old address and the target',
  'bad-target': 'The target is neither a path nor an address',
  'bad-source': 'The old address is not a path of the site',
  duplicate: 'Repeats line {line}',
  loop: 'Leads back to itself: {path}',
  more: { one: 'and {count} more', other: 'and {count} more' },
  import: { one: 'Import {count} redirect', other: 'Import {count} redirects' },
  imported: { one: '{count} redirect imported', other: '{count} redirects imported' },
})

interface ImportDialogProps {
  organizationId: string
  site: Site
  onClose: () => void
}

interface Checked {
  rows: readonly ImportRow[]
  problems: readonly ImportProblem[]
}

/** Maximum number of problems that are listed. */
const maxListed = 100

/** Imports many redirects after checking them: nothing is stored before the result of the check was shown. */
export function ImportDialog({ organizationId, site, onClose }: ImportDialogProps) {
  const [text, setText] = useState('')
  const [permanent, setPermanent] = useState(true)
  const checked = useSignal<Checked | undefined>(undefined)
  const params = { organizationId, siteId: site.id }
  const [check, isChecking] = useAction(async () => {
    const parsed = parseImport(text, site, permanent)
    const refused = await sendRows(params, parsed.rows, 'check')
    const refusedLines = new Set(refused.map(({ line }) => line))
    checked.value = {
      rows: parsed.rows.filter(({ line }) => !refusedLines.has(line)),
      problems: [...parsed.problems, ...refused].toSorted((a, b) => a.line - b.line),
    }
  })
  const [importAll, isImporting] = useAction(async () => {
    const rows = checked.value?.rows ?? []
    // If a request fails, the redirects of earlier requests are already stored.
    const refused = await sendRows(params, rows, 'store').finally(() =>
      invalidate(`/orgs/${organizationId}/sites/${site.id}/redirects`),
    )
    showToast(countText(texts.imported, rows.length - refused.length))
    if (refused.length > 0) checked.value = { rows: [], problems: refused }
    else onClose()
  })
  const result = checked.value
  return (
    <Dialog
      title={texts.title}
      isWide
      onClose={onClose}
      onSubmit={() => void (result ? importAll() : check())}
      actions={
        result ? (
          <>
            <Button onClick={() => (checked.value = undefined)}>{texts.back}</Button>
            <Button type="submit" kind="primary" isBusy={isImporting} disabled={result.rows.length === 0}>
              {countText(texts.import, result.rows.length)}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>{uiTexts.cancel}</Button>
            <Button type="submit" kind="primary" isBusy={isChecking} disabled={text.trim() === ''}>
              {texts.check}
            </Button>
          </>
        )
      }
    >
      {result ? (
        <CheckResult result={result} />
      ) : (
        <>
          <div class="code-area">
            <TextArea
              label={texts.text}
              hint={texts.hint}
              rows={12}
              spellcheck={false}
              value={text}
              onInput={setText}
            />
          </div>
          <FileInput onRead={setText} />
          <Checkbox label={texts.permanent} checked={permanent} onChange={setPermanent} />
        </>
      )}
    </Dialog>
  )
}

function FileInput({ onRead }: { onRead: (text: string) => void }) {
  return (
    <label class="file-input">
      {texts.file}
      <input
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange={(event) => void event.currentTarget.files?.[0]?.text().then(onRead)}
      />
    </label>
  )
}

function CheckResult({ result: { rows, problems } }: { result: Checked }) {
  return (
    <div role="status">
      <p>{rows.length === 0 ? texts.none : countText(texts.ready, rows.length)}</p>
      {problems.length > 0 && (
        <>
          <p class="ui-field-error">{countText(texts.problems, problems.length)}</p>
          <ul class="refused-list">
            {problems.slice(0, maxListed).map(({ line, from, reason }) => (
              <li key={line}>
                <strong>{fillText(texts.line, { line })}</strong> <code>{from}</code> {describeReason(reason)}
              </li>
            ))}
          </ul>
          {problems.length > maxListed && <p class="quiet">{countText(texts.more, problems.length - maxListed)}</p>}
        </>
      )}
    </div>
  )
}

function describeReason(reason: ImportProblemReason): string {
  switch (reason.kind) {
    case 'refused':
      return reason.message
    case 'duplicate':
      return fillText(texts.duplicate, { line: reason.firstLine })
    case 'loop':
      return fillText(texts.loop, { path: reason.path.join(' → ') })
    default:
      return texts[reason.kind]
  }
}
