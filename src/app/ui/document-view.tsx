import type { ComponentChildren } from 'preact'
import type { JsonDocument } from '../../contract/document.ts'
import { appHref } from '../base-path.ts'
import { useQuery } from '../data/query.ts'
import { toEmoji } from '../screens/organization/space-rows.ts'

/** Properties of a block, inline element or text that are needed for short texts. */
interface Node {
  object: string
  type?: string
  key?: string
  data?: Readonly<Record<string, unknown>>
  nodes?: readonly Node[]
  fragments?: readonly Node[]
  leaves?: readonly { text: string; marks: readonly { type: string }[] }[]
}

interface Ref {
  kind: string
  url?: string
  user?: string
  page?: string
  space?: string
  anchor?: string
}

/** Shows a short document, such as a comment. Blocks that comments rarely contain are shown as their text. */
export function DocumentView({ document, spaceId }: { document: JsonDocument; spaceId: string }) {
  return (
    <div class="document-view" dir="auto">
      <Nodes nodes={document.nodes} spaceId={spaceId} />
    </div>
  )
}

function Nodes({ nodes, spaceId }: { nodes: readonly Node[] | undefined; spaceId: string }) {
  return (
    <>
      {nodes?.map((node, index) => (
        <NodeView key={node.key ?? index} node={node} spaceId={spaceId} />
      ))}
    </>
  )
}

function NodeView({ node, spaceId }: { node: Node; spaceId: string }) {
  const { object, type, data = {} } = node
  if (object === 'text') return <TextView node={node} />
  const children = (
    <>
      <Nodes nodes={node.nodes} spaceId={spaceId} />
      <Nodes nodes={node.fragments} spaceId={spaceId} />
    </>
  )
  switch (type) {
    case 'paragraph':
      return <p>{children}</p>
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return (
        <p>
          <strong>{children}</strong>
        </p>
      )
    case 'list-ordered':
      return <ol start={Number(data['start'] ?? 1)}>{children}</ol>
    case 'list-unordered':
    case 'list-tasks':
      return <ul>{children}</ul>
    case 'list-item':
      return (
        <li>
          {typeof data['checked'] === 'boolean' && <input type="checkbox" disabled checked={data['checked']} />}
          {children}
        </li>
      )
    case 'blockquote':
    case 'hint':
      return <blockquote>{children}</blockquote>
    case 'code':
      return (
        <pre>
          <code>{children}</code>
        </pre>
      )
    case 'code-line':
      return (
        <>
          {children}
          {'\n'}
        </>
      )
    case 'divider':
      return <hr />
    case 'emoji':
      return <>{toEmoji(String(data['code']))}</>
    case 'math':
    case 'inline-math':
      return <code>{String(data['formula'])}</code>
    case 'link':
      return (
        <LinkView target={data['ref'] as Ref} spaceId={spaceId}>
          {children}
        </LinkView>
      )
    case 'mention':
      return <MentionView target={data['ref'] as Ref} spaceId={spaceId} />
    default:
      return children
  }
}

function TextView({ node }: { node: Node }) {
  return (
    <>
      {node.leaves?.map(({ text, marks }, index) => {
        let shown: ComponentChildren = text
        for (const { type } of marks) {
          if (type === 'bold') shown = <strong>{shown}</strong>
          else if (type === 'italic') shown = <em>{shown}</em>
          else if (type === 'code') shown = <code>{shown}</code>
          else if (type === 'strikethrough') shown = <s>{shown}</s>
          else if (type === 'keyboard') shown = <kbd>{shown}</kbd>
        }
        return <span key={index}>{shown}</span>
      })}
    </>
  )
}

/** Returns the address of a reference; undefined if the app has no screen for it. */
function toAddress({ kind, url, page, space, anchor }: Ref, spaceId: string): string | undefined {
  // Other protocols could run scripts.
  if (kind === 'url') return /^(?:https?|mailto):/i.test(url ?? '') ? url : undefined
  if (kind === 'space') return appHref(`/spaces/${space}`)
  if (page === undefined) return undefined
  return appHref(`/spaces/${space ?? spaceId}/pages/${page}${anchor === undefined ? '' : `#${anchor}`}`)
}

function LinkView({ target, spaceId, children }: { target: Ref; spaceId: string; children: ComponentChildren }) {
  const address = toAddress(target, spaceId)
  return address === undefined ? <>{children}</> : <a href={address}>{children}</a>
}

function MentionView({ target, spaceId }: { target: Ref; spaceId: string }) {
  const { data: user } = useQuery(target.kind === 'user' ? 'GET /users/{userId}' : undefined, {
    params: { userId: target.user ?? '' },
  })
  if (target.kind === 'user') return <span class="mentioned-user">@{user?.displayName ?? '…'}</span>
  const address = toAddress(target, spaceId)
  return address === undefined ? null : <a href={address}>{target.url ?? target.anchor ?? '→'}</a>
}
