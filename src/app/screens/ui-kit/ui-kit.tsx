import { useState } from 'preact/hooks'
import { ApiError } from '../../api.ts'
import type { List } from '../../data/list.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { CopyField } from '../../ui/copy.tsx'
import { DeleteSection } from '../../ui/delete-section.tsx'
import { Fact, FactList } from '../../ui/facts.tsx'
import { Checkbox, SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { FieldForm } from '../../ui/form.tsx'
import { Frame } from '../../ui/frame.tsx'
import { type IconChoice, IconField } from '../../ui/icon-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type IconName, iconSources } from '../../ui/icons.ts'
import { moreIconSources } from '../../ui/more-icons.ts'
import { ItemList } from '../../ui/item-list.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useFormAction } from '../../ui/use-form-action.ts'

const exampleList: List<string> = {
  items: ['First', 'Second'],
  count: 3,
  error: undefined,
  isLoading: false,
  hasMore: true,
  loadMore: () => Promise.resolve(),
  continueLoading: () => undefined,
  reload: () => Promise.resolve(),
}

/** All parts of the interface in all their states, for developers; the texts are not translated. */
export default function UiKitScreen() {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [isChecked, setChecked] = useState(true)
  const [icon, setIcon] = useState<IconChoice>({ emoji: '', icon: 'rocket' })
  const [choice, setChoice] = useState('light')
  const refused = useFormAction(() => Promise.reject(new ApiError(409, 'It is used by another site')))
  return (
    <Frame crumbs={[{ title: 'Parts of the interface' }]}>
      <h1 class="screen-title">Parts of the interface</h1>
      <Tabs
        label="Examples"
        tabs={[
          { title: 'Parts', path: '/_ui' },
          { title: 'Home', path: '/', count: 3 },
        ]}
      />
      <section class="section">
        <h2>Buttons and menus</h2>
        <p class="toolbar">
          <Button kind="primary">Merge</Button>
          <Button icon="edit">Edit</Button>
          <Button kind="quiet" icon="dots" label="More" />
          <Button kind="danger" icon="trash">
            Delete
          </Button>
          <Button isBusy>Saving</Button>
          <Button disabled>Disabled</Button>
          <LinkButton href="/app" icon="external-link">
            Link
          </LinkButton>
          <Menu
            items={[
              { title: 'Rename', icon: 'edit' },
              { title: 'Delete', icon: 'trash', isDangerous: true, startsGroup: true },
            ]}
          >
            Menu
          </Menu>
        </p>
      </section>
      <section class="section">
        <h2>Messages and dialogs</h2>
        <p class="toolbar">
          <Button onClick={() => setOpen(true)}>Open a dialog</Button>
          <Button
            onClick={() =>
              void confirmAction({ title: 'Delete the page?', text: 'It can be restored.', action: 'Delete' })
            }
          >
            Ask
          </Button>
          <Button onClick={() => showToast('Saved', { action: { title: 'Undo', onSelect: () => undefined } })}>
            Show a message
          </Button>
          <Button onClick={() => showToast('It did not work', { kind: 'error' })}>Show an error</Button>
        </p>
        {isOpen && (
          <FormDialog
            title="A dialog"
            action="Save"
            isIncomplete={text === ''}
            onSubmit={() => setOpen(false)}
            onClose={() => setOpen(false)}
          >
            <TextField label="Name" value={text} onInput={setText} />
          </FormDialog>
        )}
      </section>
      <section class="section">
        <h2>Fields</h2>
        <TextField label="Title" hint="Shown in the navigation" value={text} onInput={setText} />
        <TextField label="Path" error="It is used by another page" value={text} onInput={setText} />
        <FieldForm
          action={refused}
          button="Connect"
          isIncomplete={text === ''}
          label="Host name"
          value={text}
          onInput={setText}
        />
        <TextArea label="Description" value={text} onInput={setText} />
        <SelectField
          label="Role"
          value="read"
          options={[
            { value: 'read', title: 'Reader' },
            { value: 'edit', title: 'Editor' },
          ]}
          onChange={() => undefined}
        />
        <IconField label="Icon" value={icon} onChange={setIcon} />
        <CopyField label="Address" value="https://example.org" />
        <Segmented
          label="Choice"
          value={choice}
          options={[
            { value: 'light', title: 'Light' },
            { value: 'dark', title: 'Dark' },
          ]}
          onChange={setChoice}
        />
        <Checkbox label="Hidden" hint="Not in the navigation" checked={isChecked} onChange={setChecked} />
      </section>
      <section class="section">
        <h2>Status</h2>
        <p class="toolbar">
          <Badge>Draft</Badge>
          <Badge tone="accent" icon="git-pull-request">
            In review
          </Badge>
          <Badge tone="success">Merged</Badge>
          <Badge tone="warning">Outdated</Badge>
          <Badge tone="danger">Conflict</Badge>
          <Avatar person={{ displayName: 'Ada Lovelace' }} />
          <Avatar person={{ displayName: 'Grace Hopper' }} size={32} />
          <Time at="2026-01-01T00:00:00Z" />
        </p>
        <FactList>
          <Fact name="Version">1.2.3</Fact>
          <Fact name="Memory">120 MB</Fact>
        </FactList>
        <Loading />
        <EmptyState icon="edit" title="Nothing in progress" actions={<Button>Start</Button>}>
          Choose Edit on a page.
        </EmptyState>
        <ErrorState error={new ApiError(500, 'Internal error')} onRetry={() => undefined} />
      </section>
      <section class="section">
        <h2>Icons</h2>
        <ul class="icon-grid">
          {(Object.keys({ ...iconSources, ...moreIconSources }) as IconName[]).map((name) => (
            <li key={name}>
              <Icon name={name} size={20} />
              <small>{name}</small>
            </li>
          ))}
        </ul>
      </section>
      <section class="section">
        <h2>Lists</h2>
        <ItemList
          list={exampleList}
          keyOf={(title) => title}
          empty={<p class="quiet">Nothing yet</p>}
          renderItem={(title) => <div class="row">{title}</div>}
        />
      </section>
      <DeleteSection
        title="Delete this example"
        hint="Its name must be typed."
        action="Delete the example"
        question={{ title: 'Delete?', text: 'It cannot be undone.', typed: { label: 'Name', text: 'Example' } }}
        onDelete={() => Promise.resolve()}
      />
    </Frame>
  )
}
