import { useSignal } from '@preact/signals'
import { navigate } from '../../router.ts'
import { TextField } from '../../ui/fields.tsx'
import { readNewSite, storeNewSite, titleLengths } from './new-site-draft.ts'
import { newSiteTexts as texts } from './new-site-texts.ts'
import { Wizard } from './wizard.tsx'

/** First step of creating a site: its name. */
export default function NewSiteScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const title = useSignal(readNewSite(organizationId).title)
  return (
    <Wizard
      organizationId={organizationId}
      step="name"
      title={texts.nameTitle}
      action={texts.next}
      isBusy={false}
      isComplete={title.value.trim().length >= titleLengths.min}
      onContinue={() => navigate(`/orgs/${organizationId}/new-site/content`)}
    >
      <TextField
        label={texts.nameLabel}
        hint={texts.nameHint}
        placeholder={texts.namePlaceholder}
        required
        maxLength={titleLengths.max}
        value={title.value}
        onInput={(value) => {
          title.value = value
          storeNewSite(organizationId, { title: value })
        }}
      />
    </Wizard>
  )
}
