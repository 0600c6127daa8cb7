import { createYielder } from '../../kernel/event-loop.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { JsonStream } from '../../kernel/json-stream.ts'
import type { ScimContext } from '../../scim/route.ts'
import { type AttributeSelection, isSelected, selectAttributes } from '../../scim/select-attributes.ts'
import { type ScimGroupRow, findMembersOfGroups, findNextMembers } from './group-store.ts'
import { presentGroup, presentMember } from './present-group.ts'

/** Maximum number of members in a reply that is built at once. */
const maxLoadedMembers = 5000
const batchSize = 1000

/**
 * Returns a reply with groups. A list ends before the group with which it would have too many members; the members of a
 * single large group are read while the reply is sent.
 */
export async function printGroups(
  context: ScimContext,
  rows: readonly ScimGroupRow[],
  selection: AttributeSelection,
  present: (groups: object[]) => object,
): Promise<object | JsonStream> {
  const { db, organization, baseUrl } = context
  if (!isSelected(selection, 'members'))
    return present(rows.map((row) => selectAttributes(presentGroup(row, baseUrl), selection)))
  const [first] = rows
  if (first && first.member_count > maxLoadedMembers) return streamGroup(context, first, selection, present)
  const page = takeWhileSmall(rows)
  const ids = page.map((row) => row.id)
  const members = groupBy(await findMembersOfGroups(db, organization.id, ids), (member) => member.team_id)
  return present(page.map((row) => selectAttributes(presentGroup(row, baseUrl, members.get(row.id) ?? []), selection)))
}

function takeWhileSmall(rows: readonly ScimGroupRow[]): ScimGroupRow[] {
  let memberCount = 0
  return rows.filter((row) => (memberCount += row.member_count) <= maxLoadedMembers)
}

const emptyMembers = '"members":[]'

/** Prints a reply with one group, whose members are inserted at the end of the group. */
function streamGroup(
  { db, organization, baseUrl }: ScimContext,
  row: ScimGroupRow,
  selection: AttributeSelection,
  present: (groups: object[]) => object,
): JsonStream {
  const text = JSON.stringify(present([selectAttributes(presentGroup(row, baseUrl, []), selection)]))
  const offset = text.lastIndexOf(emptyMembers) + emptyMembers.length - 1
  return new JsonStream(row.id, async function* () {
    yield text.slice(0, offset)
    const yieldIfDue = createYielder()
    for (let after = ''; ;) {
      const batch = await findNextMembers(db, organization.id, row.id, after, batchSize)
      const last = batch.at(-1)
      if (!last) break
      const members = batch.map((member) => presentMember(member, baseUrl))
      const printed = JSON.stringify(Object.values(selectAttributes({ members }, selection))[0])
      yield `${after === '' ? '' : ','}${printed.slice(1, -1)}`
      after = last.user_id
      await yieldIfDue()
    }
    yield text.slice(offset)
  })
}
