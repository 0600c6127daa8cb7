import { pageActions, platforms } from '../../../../contract/customization-choices.ts'
import type { SiteCustomization } from '../../../../contract/customization.ts'
import { languages } from '../../../../contract/languages.ts'
import { Checkbox, SelectField, TextField } from '../../../ui/fields.tsx'
import { nameOfLanguage } from '../../translations/languages.ts'
import type { ListFieldProps } from './link-fields.tsx'
import { ListEditor } from './list-editor.tsx'
import { customizeTexts as texts, valueTexts } from './setting-texts.ts'

type Account = SiteCustomization['socialAccounts'][number]
type Action = SiteCustomization['pageActions']['items'][number]
type LocalizedText = Readonly<Record<string, string>>

/** Actions that have an effect. */
const offeredActions = pageActions.filter((action) => action !== 'assistant')

const toTitle = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

export function SocialAccounts({ items, onChange }: ListFieldProps<Account>) {
  return (
    <ListEditor
      items={items}
      maxItems={10}
      addLabel={texts.addAccount}
      nameOf={({ platform, handle }) => `${toTitle(platform)} ${handle}`}
      create={(): Account => ({ platform: 'github', handle: 'name', display: { footer: true, header: false } })}
      onChange={onChange}
      render={(account, change) => (
        <>
          <SelectField
            label={texts.platform}
            value={account.platform}
            options={platforms.map((value) => ({ value, title: toTitle(value) }))}
            onChange={(platform) => change({ ...account, platform })}
          />
          <TextField
            label={texts.handle}
            maxLength={128}
            value={account.handle}
            onInput={(handle) => change({ ...account, handle })}
          />
          <Checkbox
            label={texts.inFooter}
            checked={account.display.footer}
            onChange={(footer) => change({ ...account, display: { ...account.display, footer } })}
          />
          <Checkbox
            label={texts.inHeader}
            checked={account.display.header}
            onChange={(header) => change({ ...account, display: { ...account.display, header } })}
          />
        </>
      )}
    />
  )
}

export function PageActions({ items, onChange }: ListFieldProps<Action>) {
  return (
    <>
      {offeredActions.map((action) => (
        <Checkbox
          key={action}
          label={valueTexts[`pageActions.${action}`]}
          checked={items.includes(action)}
          onChange={(isOn) => onChange(isOn ? [...items, action] : items.filter((one) => one !== action))}
        />
      ))}
    </>
  )
}

/** Edits a text in other languages. */
export function LocalizedTexts({
  values,
  onChange,
}: {
  values: LocalizedText
  onChange: (values: LocalizedText | undefined) => void
}) {
  const entries = Object.entries(values)
  const free = languages.find((one) => !(one in values))
  return (
    <ListEditor
      items={entries}
      maxItems={languages.length}
      addLabel={texts.addLanguage}
      nameOf={([code]) => nameOfLanguage(code)}
      create={() => [free ?? 'en', ''] as [string, string]}
      onChange={(changed) => onChange(changed.length === 0 ? undefined : Object.fromEntries(changed))}
      render={([code, text], change) => (
        <>
          <SelectField
            label={texts.language}
            value={code}
            options={languages
              .filter((one) => one === code || !(one in values))
              .map((value) => ({ value: value as string, title: nameOfLanguage(value) }))}
            onChange={(value) => change([value, text])}
          />
          <TextField label={texts.text} maxLength={128} value={text} onInput={(value) => change([code, value])} />
        </>
      )}
    />
  )
}
