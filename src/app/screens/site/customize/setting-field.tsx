import type { ContentRef } from '../../../../contract/document.ts'
import { fillText } from '../../../texts.ts'
import { Checkbox, SelectField, TextField } from '../../../ui/fields.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { ColorField } from './color-field.tsx'
import { pageColors } from './contrast.ts'
import { ImageField } from './image-field.tsx'
import {
  type FooterGroup,
  FooterGroups,
  type HeaderLink,
  HeaderLinks,
  type PlainLink,
  TargetField,
} from './link-fields.tsx'
import { LocalizedTexts, PageActions, SocialAccounts } from './list-fields.tsx'
import { customizeTexts as texts, settingTexts, valueTexts } from './setting-texts.ts'
import type { Setting } from './settings.ts'

/** Maximum number of choices that are shown side by side; more are shown as a drop-down list. */
const maxSegments = 4

export interface SettingFieldProps {
  setting: Setting
  /** Returns the effective value at a path. */
  read: (path: string) => unknown
  /** Changes the value at a path; undefined removes it. */
  change: (path: string, value: unknown) => void
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Edits one setting. */
export function SettingField({ setting, read, change }: SettingFieldProps) {
  const { path } = setting
  const label = settingTexts[setting.label]
  const value = read(path)
  const set = (next: unknown) => change(path, next)
  switch (setting.kind) {
    case 'choice':
      return <ChoiceField setting={setting} label={label} value={toText(value)} onChange={set} />
    case 'font':
      return <FontField setting={setting} label={label} value={value} onChange={set} />
    case 'color':
      return (
        <ColorField
          label={label}
          light={read(`${path}.light`) as string | undefined}
          dark={read(`${path}.dark`) as string | undefined}
          backgrounds={findBackgrounds(setting.role, read)}
          isHeader={setting.role === 'header'}
          isOptional={setting.isOptional === true}
          onChange={(mode, color) => change(`${path}.${mode}`, color)}
        />
      )
    case 'switch':
      return <Checkbox label={label} checked={value === true} onChange={set} />
    case 'text':
      return (
        <TextField
          label={label}
          type={setting.type ?? 'text'}
          maxLength={setting.maxLength}
          value={toText(value)}
          onInput={(text) => set(text === '' && setting.isOptional ? undefined : text)}
        />
      )
    case 'image':
      return (
        <ImageField
          label={label}
          light={read(`${path}.light`) as string | undefined}
          dark={read(`${path}.dark`) as string | undefined}
          onChange={(mode, url) => change(`${path}.${mode}`, url)}
        />
      )
    case 'link':
      return <TargetField label={label} value={value as ContentRef | undefined} onChange={set} />
    default:
      return (
        <fieldset class="setting-group">
          <legend>{label}</legend>
          <ListSetting setting={setting} label={label} value={value} onChange={set} />
        </fieldset>
      )
  }
}

type Of<Kind extends Setting['kind']> = Extract<Setting, { kind: Kind }>
type Change = (value: unknown) => void

interface ValueFieldProps<Kind extends Setting['kind'], Value> {
  setting: Of<Kind>
  label: string
  value: Value
  onChange: Change
}

function ChoiceField({ setting, label, value, onChange }: ValueFieldProps<'choice', string>) {
  const { values, names } = setting
  const toTitle = names ?? ((one: string) => valueTexts[`${setting.label}.${one}` as keyof typeof valueTexts])
  const options = values.map((one) => ({ value: one, title: toTitle(one) }))
  return values.length <= maxSegments ? (
    <Segmented label={label} value={value} options={options} onChange={onChange} />
  ) : (
    <SelectField label={label} value={value} options={options} onChange={onChange} />
  )
}

/** Chooses a font. A custom font that was set with the API is kept until another one is chosen. */
function FontField({ setting, label, value, onChange }: ValueFieldProps<'font', unknown>) {
  const custom = typeof value === 'object' && value !== null ? (value as { fontFamily: string }) : undefined
  const options = [
    ...(setting.isOptional ? [{ value: '', title: texts.default }] : []),
    ...(custom ? [{ value: 'custom', title: fillText(texts.customFont, { name: custom.fontFamily }) }] : []),
    ...setting.values.map((name) => ({ value: name, title: name.replace(/([a-z])([A-Z])/g, '$1 $2') })),
  ]
  return (
    <SelectField
      label={label}
      value={custom ? 'custom' : toText(value)}
      options={options}
      onChange={(name) => onChange(name === '' ? undefined : name)}
    />
  )
}

function ListSetting({ setting, label, value, onChange }: ValueFieldProps<Setting['kind'], unknown>) {
  const list = Array.isArray(value) ? value : []
  switch (setting.kind) {
    case 'headerLinks':
      return <HeaderLinks items={list as HeaderLink[]} onChange={onChange} />
    case 'footerGroups':
      return <FooterGroups items={list as FooterGroup[]} onChange={onChange} />
    case 'social':
      return <SocialAccounts items={list} onChange={onChange} />
    case 'actions':
      return <PageActions items={list} onChange={onChange} />
    case 'localized':
      return <LocalizedTexts values={(value ?? {}) as Record<string, string>} onChange={onChange} />
    case 'favicon':
      return <FaviconField label={label} value={value ?? {}} onChange={onChange} />
    default:
      return <AnnouncementLink value={value as PlainLink | undefined} onChange={onChange} />
  }
}

interface FaviconValue {
  emoji?: string
  icon?: { light?: string; dark?: string }
}

function FaviconField({ label, value, onChange }: { label: string; value: FaviconValue; onChange: Change }) {
  const { emoji = '', icon } = value
  return (
    <>
      <TextField
        label={texts.emoji}
        maxLength={8}
        value={emoji}
        onInput={(text) => onChange(text.trim() === '' ? {} : { emoji: text.trim() })}
      />
      {emoji === '' && (
        <ImageField
          label={label}
          light={icon?.light}
          dark={icon?.dark}
          onChange={(mode, url) => {
            const next = { ...icon, [mode]: url }
            onChange((next.light ?? next.dark) ? { icon: next } : {})
          }}
        />
      )}
    </>
  )
}

function AnnouncementLink({ value, onChange }: { value: PlainLink | undefined; onChange: Change }) {
  const { title = '', to } = value ?? {}
  const set = (next: { title: string; to: ContentRef | undefined }) =>
    onChange(
      next.title === '' && next.to === undefined ? undefined : { ...next, to: next.to ?? { kind: 'url', url: '/' } },
    )
  return (
    <>
      <TextField label={texts.linkTitle} maxLength={64} value={title} onInput={(text) => set({ title: text, to })} />
      <TargetField label={texts.linkAddress} value={to} onChange={(target) => set({ title, to: target })} />
    </>
  )
}

/** Returns the background colors of texts in a color; undefined if the color is not used for texts. */
function findBackgrounds(role: 'text' | 'header' | undefined, read: SettingFieldProps['read']) {
  if (role === 'text') return pageColors
  if (role === undefined) return undefined
  const colorOf = (mode: 'light' | 'dark') =>
    (read(`header.backgroundColor.${mode}`) as string | undefined) ?? pageColors[mode]
  return { light: colorOf('light'), dark: colorOf('dark') }
}
