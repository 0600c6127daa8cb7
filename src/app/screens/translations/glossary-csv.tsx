import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { countText, fillText, formatNumber } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { downloadText } from '../../ui/download.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { changeGlossary, exportGlossaryCsv, readGlossaryCsv } from './glossary-actions.ts'
import { glossaryTexts as texts } from './glossary-texts.ts'

interface GlossaryCsvProps {
  organizationId: string
  canEdit: boolean
  isEmpty: boolean
}

/** Imports and exports the glossary as comma-separated values. */
export function GlossaryCsv({ organizationId, canEdit, isEmpty }: GlossaryCsvProps) {
  const input = useRef<HTMLInputElement>(null)
  const progress = useSignal('')
  const [importFile, isImporting] = useAction(async (file: File) => {
    try {
      const operations = readGlossaryCsv(await file.text())
      const total = operations.length
      await changeGlossary(organizationId, operations, (done) => {
        progress.value = fillText(texts.importing, { done: formatNumber(done), total: formatNumber(total) })
      })
      showToast(countText(texts.imported, total))
    } finally {
      progress.value = ''
    }
  })
  const [exportAll, isExporting] = useAction(async () =>
    downloadText('glossary.csv', 'text/csv', await exportGlossaryCsv(organizationId)),
  )
  return (
    <>
      <span class="quiet" role="status">
        {progress.value}
      </span>
      {canEdit && (
        <>
          <Button icon="upload" isBusy={isImporting} onClick={() => input.current?.click()}>
            {texts.import}
          </Button>
          <input
            ref={input}
            type="file"
            accept=".csv,text/csv"
            hidden
            aria-label={texts.import}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              event.currentTarget.value = ''
              if (file) void importFile(file)
            }}
          />
        </>
      )}
      {!isEmpty && (
        <Button icon="download" isBusy={isExporting} onClick={() => void exportAll()}>
          {texts.export}
        </Button>
      )}
    </>
  )
}
