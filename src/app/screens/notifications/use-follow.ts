import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { defineTexts } from '../../texts.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'

const texts = defineTexts('follow', {
  follow: 'Follow',
  unfollow: 'Unfollow',
  followPage: 'Follow this page',
  unfollowPage: 'Unfollow this page',
  followSpace: 'Follow this space',
  unfollowSpace: 'Unfollow this space',
  followed: 'You are notified of changes',
  unfollowed: 'You are notified only of mentions',
})

/** Target to follow in a space; without a page or change request, the space itself. */
interface FollowTarget {
  targetPage?: string
  changeRequest?: string
}

/** Returns menu entries for following, and a function to call when the menu opens. */
export function useFollowItems(
  spaceId: string,
  targets: readonly FollowTarget[],
): { items: (MenuItem | undefined)[]; onOpen: () => void } {
  const [isOpened, setOpened] = useState(false)
  const [first = {}, second] = targets
  const items = [
    useFollowItem(isOpened, spaceId, first),
    useFollowItem(isOpened && second !== undefined, spaceId, second ?? {}),
  ]
  return { items, onOpen: () => setOpened(true) }
}

function useFollowItem(isShown: boolean, spaceId: string, target: FollowTarget): MenuItem | undefined {
  const params = { spaceId }
  const { data } = useQuery(isShown ? 'GET /spaces/{spaceId}/follow' : undefined, { params, query: target })
  if (!isShown || !data) return undefined
  const following = !data.following
  const update = async () => {
    await request('PUT /spaces/{spaceId}/follow', { params, body: { ...target, following } })
    invalidate(`/spaces/${spaceId}/follow`)
    showToast(following ? texts.followed : texts.unfollowed)
  }
  return {
    title: titleOf(target, following),
    icon: following ? 'bell' : 'eye-off',
    onSelect: () => void update().catch(showError),
  }
}

function titleOf({ targetPage, changeRequest }: FollowTarget, following: boolean): string {
  if (changeRequest !== undefined) return following ? texts.follow : texts.unfollow
  if (targetPage !== undefined) return following ? texts.followPage : texts.unfollowPage
  return following ? texts.followSpace : texts.unfollowSpace
}
