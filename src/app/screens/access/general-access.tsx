import type { ContentAccess } from '../../../contract/access.ts'
import { appHref } from '../../base-path.ts'
import { countText, fillText } from '../../texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { allRoles, roleName } from '../organization/roles.tsx'
import { type AccessTarget, setDefaultLevel, useGeneralAccess } from './access-target.ts'
import { accessTexts as texts } from './access-texts.ts'

/** Shows the access of members and visitors to whom no role was given. */
export function GeneralAccess({ target }: { target: AccessTarget }) {
  const { data, error, reload } = useGeneralAccess(target)
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={2} />
  return (
    <section class="access-section">
      <h3>{texts.everyone}</h3>
      <ul class="access-list">
        <MembersRow target={target} members={data.members} />
        {data.sites.map((entry, index) => (
          <SiteRow key={entry.site?.id ?? index} target={target} entry={entry} />
        ))}
        {data.sites.length === 0 && target.kind !== 'collection' && (
          <li class="access-row">
            <Icon name="lock" size={24} />
            <span class="access-who">{texts.notPublished}</span>
          </li>
        )}
        {data.inviteLinks > 0 && (
          <li class="access-row">
            <Icon name="link" size={24} />
            <span class="access-who">{countText(texts.inviteLinks, data.inviteLinks)}</span>
          </li>
        )}
      </ul>
    </section>
  )
}

/** Value of the option that gives no access. */
const none = 'none'

function MembersRow({ target, members }: { target: AccessTarget; members: ContentAccess['members'] }) {
  const { level, source } = members
  const isOwn = source?.id === target.id
  const [change, isChanging] = useAction(async (value: string) =>
    setDefaultLevel(target, value === none ? null : (allRoles.find((role) => role === value) ?? 'inherit')),
  )
  return (
    <li class="access-row">
      <Icon name="home" size={24} />
      <span class="access-who">
        <strong>{texts.members}</strong>
        <small>
          {source && !isOwn
            ? fillText(texts.levelFrom, { title: source.title ?? texts.hiddenSource })
            : texts.membersHint}
        </small>
      </span>
      <select
        class="input access-level"
        aria-label={fillText(texts.roleOf, { name: texts.members })}
        disabled={isChanging}
        value={isOwn ? (level ?? none) : 'inherit'}
        onChange={(event) => void change(event.currentTarget.value)}
      >
        <option value="inherit">{describeInherited(isOwn ? undefined : level)}</option>
        {allRoles.map((role) => (
          <option key={role} value={role}>
            {roleName(role)}
          </option>
        ))}
        <option value={none}>{texts.levelNone}</option>
      </select>
    </li>
  )
}

/** Describes the level that the target inherits if none is set. */
function describeInherited(level: ContentAccess['members']['level'] | undefined): string {
  if (level === undefined) return texts.levelParent
  if (level === null) return texts.levelNone
  return level === 'inherit' ? texts.levelInherit : roleName(level)
}

function SiteRow({ target, entry }: { target: AccessTarget; entry: ContentAccess['sites'][number] }) {
  const { site, visibility } = entry
  const sentence = fillText(texts[visibility], { site: site?.title ?? texts.hiddenSite })
  return (
    <li class="access-row">
      <Icon name="world" size={24} />
      <span class="access-who">
        {site && target.kind !== 'site' ? (
          <a href={appHref(`/orgs/${target.organizationId}/sites/${site.id}`)}>{sentence}</a>
        ) : (
          sentence
        )}
      </span>
    </li>
  )
}
