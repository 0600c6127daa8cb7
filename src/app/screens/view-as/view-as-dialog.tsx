import { useState } from 'preact/hooks'
import type { Space } from '../../../contract/space.ts'
import { useQuery } from '../../data/query.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextArea } from '../../ui/fields.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Loading } from '../../ui/states.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { ClaimFields } from './claim-fields.tsx'
import { listDeclaredClaims } from './declared-claims.ts'
import { viewAsTexts as texts } from './view-as-texts.ts'
import { type VisitorClaims, maxClaimsLength, parseClaims } from './visitor-claims.ts'

interface ViewAsDialogProps {
  space: Space
  claims: VisitorClaims
  onApply: (claims: VisitorClaims) => void
  onClose: () => void
}

/** Chooses the claims of a visitor: those that a site with this space declares, or any as JSON. */
export function ViewAsDialog({ space, claims: initial, onApply, onClose }: ViewAsDialogProps) {
  const [text, setText] = useState(() => JSON.stringify(initial, null, 2))
  const [format, setFormat] = useState<'form' | 'json'>('form')
  const { sites, site, setSite, declared, isLoading } = useDeclaredClaims(space)
  const claims = parseClaims(text)
  const hasForm = declared.length > 0
  return (
    <Dialog
      title={texts.viewAs}
      onClose={onClose}
      onSubmit={() => claims && onApply(claims)}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" kind="primary" disabled={!claims}>
            {texts.apply}
          </Button>
        </>
      }
    >
      <div class="view-as-form">
        <p class="quiet">{texts.hint}</p>
        {sites.length > 1 && (
          <SelectField
            label={texts.site}
            value={site ?? ''}
            options={sites.map(({ id, title }) => ({ value: id, title }))}
            onChange={setSite}
          />
        )}
        {hasForm && (
          <Segmented
            label={texts.format}
            isLabelHidden
            value={format}
            options={(['form', 'json'] as const).map((value) => ({ value, title: texts[value] }))}
            onChange={setFormat}
          />
        )}
        {isLoading ? (
          <Loading lines={3} />
        ) : hasForm && format === 'form' ? (
          <ClaimFields
            declared={declared}
            claims={claims ?? {}}
            onChange={(changed) => setText(JSON.stringify(changed, null, 2))}
          />
        ) : (
          <TextArea
            label={texts.claims}
            hint={texts.claimsHint}
            error={claims ? undefined : texts.invalid}
            rows={6}
            spellcheck={false}
            maxLength={maxClaimsLength}
            value={text}
            onInput={setText}
          />
        )}
      </div>
    </Dialog>
  )
}

/** Maximum number of sites whose claims are offered. */
const maxSites = 50

/** Reads the sites with this space whose content depends on claims, and the claims that the chosen one declares. */
function useDeclaredClaims({ id: spaceId, organization: organizationId }: Space) {
  const [chosen, setSite] = useState<string>()
  const { data, isLoading } = useQuery('GET /orgs/{organizationId}/sites', {
    params: { organizationId },
    query: { space: spaceId, limit: maxSites },
  })
  const sites = (data?.items ?? []).filter(
    ({ adaptiveContent, permissions }) => adaptiveContent.enabled && permissions.viewAdaptiveSchema,
  )
  const site = chosen ?? sites[0]?.id
  const hasSchema = sites.some(
    ({ id, adaptiveContent }) => id === site && adaptiveContent.schemaUpdatedAt !== undefined,
  )
  const schema = useQuery(hasSchema ? 'GET /orgs/{organizationId}/sites/{siteId}/adaptive-schema' : undefined, {
    params: { organizationId, siteId: site ?? '' },
  })
  return {
    sites,
    site,
    setSite,
    declared: schema.data ? listDeclaredClaims(schema.data.jsonSchema) : [],
    isLoading: (isLoading && !data) || (schema.isLoading && !schema.data),
  }
}
