import type { ChangeRequest, Conflict } from '../../../../contract/change-request.ts'
import type { JsonDocument } from '../../../../contract/document.ts'
import { Words } from '../changes/words.tsx'
import { RenderedText } from '../rendered-text.tsx'
import { type DocumentNode, isBlock } from './block-text.ts'
import { type FindTitle, type SideName, describePart, describePartValue, describeSide } from './describe.ts'
import { texts } from './texts.ts'

interface ConflictSidesProps {
  changeRequest: ChangeRequest
  conflict: Conflict
  findTitle: FindTitle
}

/** Shows the base of a conflict, the version of the change request, and the version of the space. */
export function ConflictSides(props: ConflictSidesProps) {
  const { parts } = props.conflict
  if (parts && parts.length > 0) return <Parts parts={parts} />
  return (
    <div class="cr-sides">
      <Side {...props} side="base" title={texts.base} />
      <Side {...props} side="ours" title={texts.mine} />
      <Side {...props} side="theirs" title={texts.theirs} />
    </div>
  )
}

function Side({
  changeRequest,
  conflict,
  findTitle,
  side,
  title,
}: ConflictSidesProps & { side: SideName; title: string }) {
  const value = conflict[side]
  const words = side === 'base' ? undefined : conflict.words?.[side]
  return (
    <section class={`cr-side-card cr-side-${side}`}>
      <h4>{title}</h4>
      {words ? (
        <p class="content cr-words">
          <Words words={words} />
        </p>
      ) : isBlock(value) ? (
        <RenderedText changeRequest={changeRequest} body={{ document: toDocument(value) }} />
      ) : (
        <p>{describeSide(conflict, side, findTitle)}</p>
      )}
    </section>
  )
}

/** Returns a document that contains a block; a list item is wrapped in a list. */
function toDocument(block: DocumentNode): JsonDocument {
  const list = { object: 'block', type: 'list-unordered', data: {}, nodes: [block] }
  const node = block.type === 'list-item' ? list : block
  return { object: 'document', data: {}, nodes: [node] as unknown as JsonDocument['nodes'] }
}

function Parts({ parts }: { parts: NonNullable<Conflict['parts']> }) {
  return (
    <div class="cr-parts">
      <table class="cr-fields">
        <thead>
          <tr>
            <th scope="col">{texts.part}</th>
            <th scope="col">{texts.base}</th>
            <th scope="col">{texts.mine}</th>
            <th scope="col">{texts.theirs}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ part, base, ours, theirs }) => (
            <tr key={part}>
              <th scope="row">{describePart(part)}</th>
              <td>{describePartValue(base)}</td>
              <td>{describePartValue(ours)}</td>
              <td>{describePartValue(theirs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
