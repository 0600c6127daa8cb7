import { useSignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Site } from '../../../../contract/site.ts'
import { defineTexts } from '../../../texts.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/copy.tsx'
import { TextArea } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { parseJsonObject } from './parse-json.ts'
import { canSign, signToken } from './sign-token.ts'

const texts = defineTexts('siteTestToken', {
  title: 'Try it as a visitor',
  hint: 'Signs a token for one hour in this browser, as your login page would.',
  claims: 'Claims of the visitor',
  claimsHint: 'A JSON object, for example { "plan": "pro" }.',
  make: 'Make a token',
  token: 'Token',
  link: 'Link that opens the site as this visitor',
  open: 'Open the site as this visitor',
  noSite: 'Publish the site to get a link that opens it.',
  insecure: 'The browser signs tokens only on pages that were opened over HTTPS.',
})

/** Lifetime of a token in seconds. */
const lifetime = 3600

/** Creates tokens with which the site can be opened as a visitor with certain claims. */
export function TestToken({ site, privateKey }: { site: Site; privateKey: string }) {
  const [text, setText] = useState('{\n  "plan": "pro"\n}')
  const token = useSignal<string | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const [make, isMaking] = useAction(async () => {
    const parsed = parseJsonObject(text)
    problem.value = 'problem' in parsed ? parsed.problem : undefined
    token.value = 'value' in parsed ? await signToken(parsed.value, privateKey, lifetime) : undefined
  })
  const { published } = site.urls
  return (
    <>
      <h3 class="section-title">{texts.title}</h3>
      <p class="quiet section-hint">{canSign() ? texts.hint : texts.insecure}</p>
      <Form onSubmit={() => void make()}>
        <TextArea
          label={texts.claims}
          hint={texts.claimsHint}
          error={problem.value}
          rows={5}
          spellcheck={false}
          value={text}
          onInput={(value) => {
            setText(value)
            token.value = undefined
          }}
        />
        <p class="form-actions">
          <Button type="submit" isBusy={isMaking} disabled={!canSign()}>
            {texts.make}
          </Button>
        </p>
      </Form>
      {token.value !== undefined && (
        <div class="test-token" role="status">
          <CopyField label={texts.token} value={token.value} />
          {published === undefined ? (
            <p class="quiet">{texts.noSite}</p>
          ) : (
            <>
              <CopyField label={texts.link} value={toVisitorUrl(published, token.value)} />
              <p class="form-actions">
                <LinkButton
                  icon="external-link"
                  href={toVisitorUrl(published, token.value)}
                  target="_blank"
                  rel="noopener noreferrer"
                >
                  {texts.open}
                </LinkButton>
              </p>
            </>
          )}
        </div>
      )}
    </>
  )
}

function toVisitorUrl(published: string, token: string): string {
  const url = new URL(published)
  url.searchParams.set('jwt_token', token)
  return url.href
}
