import { useState } from 'preact/hooks'
import { TextField } from '../../../ui/fields.tsx'
import { SettingField, type SettingFieldProps } from './setting-field.tsx'
import { customizeTexts as texts, groupTexts, settingTexts } from './setting-texts.ts'
import { type Setting, type SettingGroup, settingGroups } from './settings.ts'

interface SettingsPanelProps extends Pick<SettingFieldProps, 'read' | 'change'> {
  /** Whether the settings of one space are edited instead of those of the site. */
  isSpace: boolean
}

/** Edits the settings in groups; a search field finds settings by their names. */
export function SettingsPanel({ isSpace, read, change }: SettingsPanelProps) {
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const isShown = (setting: Setting) => {
    if (isSpace ? setting.isSiteOnly : setting.isSpaceOnly) return false
    return setting.onlyWith === undefined || read(setting.onlyWith[0]) === setting.onlyWith[1]
  }
  const isFound = (group: SettingGroup, setting: Setting) =>
    [groupTexts[group.name], settingTexts[setting.label]].some((text) => text.toLowerCase().includes(wanted))
  const found = settingGroups
    .map((group) => ({
      ...group,
      settings: group.settings.filter((setting) => isShown(setting) && isFound(group, setting)),
    }))
    .filter(({ settings }) => settings.length > 0)
  return (
    <>
      <TextField label={texts.find} type="search" value={query} onInput={setQuery} />
      <div class="customize-groups">
        {found.length === 0 && <p class="quiet">{texts.nothingFound}</p>}
        {found.map(({ name, settings }, index) => (
          <details key={name} class="customize-group" open={wanted !== '' || index === 0}>
            <summary>{groupTexts[name]}</summary>
            <div class="customize-fields">
              {settings.map((setting) => (
                <SettingField key={setting.path} setting={setting} read={read} change={change} />
              ))}
            </div>
          </details>
        ))}
      </div>
    </>
  )
}
