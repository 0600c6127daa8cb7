import type { Comment } from '../../../contract/comment.ts'

/** Comments about one block; without a block, about the page or change request as a whole. */
export interface CommentGroup {
  block: string | undefined
  comments: Comment[]
}

/** Groups comments by their blocks in the order of the content; those about deleted blocks are last. */
export function groupByBlock(comments: readonly Comment[], root: ParentNode | undefined): CommentGroup[] {
  const positions = new Map<string, number>()
  for (const { dataset } of root?.querySelectorAll<HTMLElement>('[data-block]') ?? []) {
    const key = dataset['block'] as string
    if (!positions.has(key)) positions.set(key, positions.size)
  }
  const groups = new Map<string, CommentGroup>()
  for (const comment of comments) {
    const block = comment.target.node?.id
    const group = groups.get(block ?? '') ?? { block, comments: [] }
    group.comments.push(comment)
    groups.set(block ?? '', group)
  }
  const positionOf = ({ block }: CommentGroup) => (block === undefined ? -1 : (positions.get(block) ?? positions.size))
  return [...groups.values()].sort((one, other) => positionOf(one) - positionOf(other))
}
