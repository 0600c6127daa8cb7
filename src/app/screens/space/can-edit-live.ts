import type { Space } from '../../../contract/space.ts'

/** Whether the user may edit the live content of a space. */
export const canEditLive = ({ editMode, permissions }: Space): boolean => editMode === 'live' && permissions.edit
