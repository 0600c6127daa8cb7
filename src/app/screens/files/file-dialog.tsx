import { useRef, useState } from 'preact/hooks'
import type { RevisionFile } from '../../../contract/revision.ts'
import { toFileMarkdown } from '../../data/upload.ts'
import { fillText, language } from '../../texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RemoveDialog, UsesSection, useFileUses } from '../links/uses.tsx'
import { NameDialog } from '../space/rename-dialog.tsx'
import type { ContentTarget } from '../space/send-changes.ts'
import { removeFile, renameFile, replaceFile } from './file-actions.ts'
import { fileTexts as texts } from './file-texts.ts'

export function FileThumbnail({ file }: { file: RevisionFile }) {
  return (
    <span class="file-thumbnail">
      {file.contentType.startsWith('image/') ? (
        <img src={file.downloadURL} alt="" loading="lazy" />
      ) : (
        <Icon name="file" size={28} />
      )}
    </span>
  )
}

interface FileDialogProps {
  target: ContentTarget
  file: RevisionFile
  canEdit: boolean
  onClose: () => void
}

/** Shows a file with its uses and actions. */
export function FileDialog({ target, file, canEdit, onClose }: FileDialogProps) {
  const [step, setStep] = useState<'rename' | 'remove' | undefined>()
  const uses = useFileUses(target, file.id)
  if (step === 'rename')
    return (
      <NameDialog
        title={texts.rename}
        label={texts.name}
        value={file.name}
        onSave={(name) => renameFile(target, file, name)}
        onClose={onClose}
      />
    )
  if (step === 'remove')
    return (
      <RemoveDialog
        title={fillText(texts.removeTitle, { name: file.name })}
        target={target}
        uses={uses}
        onRemove={() => removeFile(target, file)}
        onClose={onClose}
      />
    )
  return (
    <Dialog title={file.name} onClose={onClose}>
      <FileThumbnail file={file} />
      <p class="quiet">{describeFile(file)}</p>
      <div class="toolbar">
        <Button icon="markdown" onClick={() => void copyText(toFileMarkdown(file))}>
          {texts.copy}
        </Button>
        <LinkButton href={file.downloadURL} icon="download" download={file.name}>
          {texts.download}
        </LinkButton>
        {canEdit && (
          <>
            <Button icon="edit" onClick={() => setStep('rename')}>
              {texts.rename}
            </Button>
            <ReplaceButton target={target} file={file} onDone={onClose} />
            <Button icon="trash" onClick={() => setStep('remove')}>
              {texts.remove}
            </Button>
          </>
        )}
      </div>
      <UsesSection target={target} uses={uses} />
    </Dialog>
  )
}

interface ReplaceButtonProps {
  target: ContentTarget
  file: RevisionFile
  onDone: () => void
}

function ReplaceButton({ target, file, onDone }: ReplaceButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const [replace, isReplacing] = useAction(async (content: File) => {
    await replaceFile(target, file, content)
    onDone()
  })
  return (
    <>
      <Button icon="refresh" isBusy={isReplacing} onClick={() => input.current?.click()}>
        {texts.replace}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={texts.replace}
        onChange={(event) => {
          const [content] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (content) void replace(content)
        }}
      />
    </>
  )
}

function describeFile({ contentType, size, dimensions }: RevisionFile): string {
  const facts = [contentType, formatSize(size), dimensions && `${dimensions.width} × ${dimensions.height}`]
  return facts.filter(Boolean).join(' · ')
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function formatSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const format = { style: 'unit', unit: units[power], maximumFractionDigits: 1, unitDisplay: 'short' } as const
  return new Intl.NumberFormat(language.value, format).format(bytes / 1000 ** power)
}
