import warningIcon from '@tabler/icons/outline/alert-triangle.svg'
import arrowLeftIcon from '@tabler/icons/outline/arrow-left.svg'
import arrowRightIcon from '@tabler/icons/outline/arrow-right.svg'
import bellIcon from '@tabler/icons/outline/bell.svg'
import brandGitIcon from '@tabler/icons/outline/brand-git.svg'
import checkIcon from '@tabler/icons/outline/check.svg'
import chevronDownIcon from '@tabler/icons/outline/chevron-down.svg'
import chevronRightIcon from '@tabler/icons/outline/chevron-right.svg'
import chevronUpIcon from '@tabler/icons/outline/chevron-up.svg'
import circleCheckIcon from '@tabler/icons/outline/circle-check.svg'
import circleExclamationIcon from '@tabler/icons/outline/alert-circle.svg'
import circleDashedIcon from '@tabler/icons/outline/circle-dashed.svg'
import circleXIcon from '@tabler/icons/outline/circle-x.svg'
import cloudOffIcon from '@tabler/icons/outline/cloud-off.svg'
import dotsIcon from '@tabler/icons/outline/dots.svg'
import editIcon from '@tabler/icons/outline/edit.svg'
import eyeIcon from '@tabler/icons/outline/eye.svg'
import fileTextIcon from '@tabler/icons/outline/file-text.svg'
import fileIcon from '@tabler/icons/outline/file.svg'
import filesIcon from '@tabler/icons/outline/files.svg'
import folderPlusIcon from '@tabler/icons/outline/folder-plus.svg'
import folderIcon from '@tabler/icons/outline/folder.svg'
import gitMergeIcon from '@tabler/icons/outline/git-merge.svg'
import gitPullRequestIcon from '@tabler/icons/outline/git-pull-request.svg'
import historyIcon from '@tabler/icons/outline/history.svg'
import homeIcon from '@tabler/icons/outline/home.svg'
import infoIcon from '@tabler/icons/outline/info-circle.svg'
import linkIcon from '@tabler/icons/outline/link.svg'
import loaderIcon from '@tabler/icons/outline/loader-2.svg'
import lockIcon from '@tabler/icons/outline/lock.svg'
import menuIcon from '@tabler/icons/outline/menu-2.svg'
import messagePlusIcon from '@tabler/icons/outline/message-plus.svg'
import messageIcon from '@tabler/icons/outline/message.svg'
import plusIcon from '@tabler/icons/outline/plus.svg'
import refreshIcon from '@tabler/icons/outline/refresh.svg'
import replaceIcon from '@tabler/icons/outline/replace.svg'
import searchIcon from '@tabler/icons/outline/search.svg'
import gearIcon from '@tabler/icons/outline/settings.svg'
import stackIcon from '@tabler/icons/outline/stack-2.svg'
import trashIcon from '@tabler/icons/outline/trash.svg'
import userIcon from '@tabler/icons/outline/user.svg'
import usersIcon from '@tabler/icons/outline/users.svg'
import variableIcon from '@tabler/icons/outline/variable.svg'
import worldIcon from '@tabler/icons/outline/world.svg'
import xIcon from '@tabler/icons/outline/x.svg'
import type { moreIconSources } from './more-icons.ts'

/** Shapes of the icons that most screens show immediately, by their names. */
export const iconSources = {
  'arrow-left': arrowLeftIcon,
  'arrow-right': arrowRightIcon,
  bell: bellIcon,
  'brand-git': brandGitIcon,
  check: checkIcon,
  'chevron-down': chevronDownIcon,
  'chevron-right': chevronRightIcon,
  'chevron-up': chevronUpIcon,
  'circle-check': circleCheckIcon,
  'circle-dashed': circleDashedIcon,
  'circle-exclamation': circleExclamationIcon,
  'circle-x': circleXIcon,
  'cloud-off': cloudOffIcon,
  dots: dotsIcon,
  edit: editIcon,
  eye: eyeIcon,
  file: fileIcon,
  'file-text': fileTextIcon,
  files: filesIcon,
  folder: folderIcon,
  'folder-plus': folderPlusIcon,
  gear: gearIcon,
  'git-merge': gitMergeIcon,
  'git-pull-request': gitPullRequestIcon,
  history: historyIcon,
  home: homeIcon,
  info: infoIcon,
  link: linkIcon,
  loader: loaderIcon,
  lock: lockIcon,
  menu: menuIcon,
  message: messageIcon,
  'message-plus': messagePlusIcon,
  plus: plusIcon,
  refresh: refreshIcon,
  replace: replaceIcon,
  search: searchIcon,
  stack: stackIcon,
  trash: trashIcon,
  user: userIcon,
  users: usersIcon,
  variable: variableIcon,
  warning: warningIcon,
  world: worldIcon,
  x: xIcon,
} as const

/** Name of an icon that is always loaded. */
export type FirstIconName = keyof typeof iconSources

export type IconName = FirstIconName | keyof typeof moreIconSources
