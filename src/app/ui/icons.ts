import appsIcon from '@tabler/icons/outline/apps.svg'
import archiveIcon from '@tabler/icons/outline/archive.svg'
import arrowBackUpIcon from '@tabler/icons/outline/arrow-back-up.svg'
import arrowLeftIcon from '@tabler/icons/outline/arrow-left.svg'
import arrowRightIcon from '@tabler/icons/outline/arrow-right.svg'
import atIcon from '@tabler/icons/outline/at.svg'
import bellIcon from '@tabler/icons/outline/bell.svg'
import bookIcon from '@tabler/icons/outline/book.svg'
import blockquoteIcon from '@tabler/icons/outline/blockquote.svg'
import boldIcon from '@tabler/icons/outline/bold.svg'
import boltIcon from '@tabler/icons/outline/bolt.svg'
import brandGitIcon from '@tabler/icons/outline/brand-git.svg'
import chevronDownIcon from '@tabler/icons/outline/chevron-down.svg'
import chevronRightIcon from '@tabler/icons/outline/chevron-right.svg'
import chevronUpIcon from '@tabler/icons/outline/chevron-up.svg'
import checkIcon from '@tabler/icons/outline/check.svg'
import circleCheckIcon from '@tabler/icons/outline/circle-check.svg'
import circleXIcon from '@tabler/icons/outline/circle-x.svg'
import clockIcon from '@tabler/icons/outline/clock.svg'
import cloudOffIcon from '@tabler/icons/outline/cloud-off.svg'
import codeIcon from '@tabler/icons/outline/code.svg'
import columnsIcon from '@tabler/icons/outline/columns.svg'
import copyIcon from '@tabler/icons/outline/copy.svg'
import dotsIcon from '@tabler/icons/outline/dots.svg'
import deviceDesktopIcon from '@tabler/icons/outline/device-desktop.svg'
import deviceMobileIcon from '@tabler/icons/outline/device-mobile.svg'
import editIcon from '@tabler/icons/outline/edit.svg'
import eyeIcon from '@tabler/icons/outline/eye.svg'
import externalLinkIcon from '@tabler/icons/outline/external-link.svg'
import eyeOffIcon from '@tabler/icons/outline/eye-off.svg'
import fileIcon from '@tabler/icons/outline/file.svg'
import fileTextIcon from '@tabler/icons/outline/file-text.svg'
import filesIcon from '@tabler/icons/outline/files.svg'
import filterIcon from '@tabler/icons/outline/filter.svg'
import folderIcon from '@tabler/icons/outline/folder.svg'
import folderPlusIcon from '@tabler/icons/outline/folder-plus.svg'
import gearIcon from '@tabler/icons/outline/settings.svg'
import gitBranchIcon from '@tabler/icons/outline/git-branch.svg'
import gitCompareIcon from '@tabler/icons/outline/git-compare.svg'
import gitMergeIcon from '@tabler/icons/outline/git-merge.svg'
import gitPullRequestIcon from '@tabler/icons/outline/git-pull-request.svg'
import helpIcon from '@tabler/icons/outline/help.svg'
import gripVerticalIcon from '@tabler/icons/outline/grip-vertical.svg'
import headingIcon from '@tabler/icons/outline/heading.svg'
import historyIcon from '@tabler/icons/outline/history.svg'
import homeIcon from '@tabler/icons/outline/home.svg'
import infoIcon from '@tabler/icons/outline/info-circle.svg'
import keyIcon from '@tabler/icons/outline/key.svg'
import keyboardIcon from '@tabler/icons/outline/keyboard.svg'
import languageIcon from '@tabler/icons/outline/language.svg'
import linkIcon from '@tabler/icons/outline/link.svg'
import listIcon from '@tabler/icons/outline/list.svg'
import listTreeIcon from '@tabler/icons/outline/list-tree.svg'
import loaderIcon from '@tabler/icons/outline/loader-2.svg'
import lockIcon from '@tabler/icons/outline/lock.svg'
import logoutIcon from '@tabler/icons/outline/logout.svg'
import markdownIcon from '@tabler/icons/outline/markdown.svg'
import menuIcon from '@tabler/icons/outline/menu-2.svg'
import messageIcon from '@tabler/icons/outline/message.svg'
import messagePlusIcon from '@tabler/icons/outline/message-plus.svg'
import messageReplyIcon from '@tabler/icons/outline/message-reply.svg'
import minusIcon from '@tabler/icons/outline/minus.svg'
import moonIcon from '@tabler/icons/outline/moon.svg'
import moodSmileIcon from '@tabler/icons/outline/mood-smile.svg'
import paletteIcon from '@tabler/icons/outline/palette.svg'
import photoIcon from '@tabler/icons/outline/photo.svg'
import plusIcon from '@tabler/icons/outline/plus.svg'
import refreshIcon from '@tabler/icons/outline/refresh.svg'
import searchIcon from '@tabler/icons/outline/search.svg'
import shieldIcon from '@tabler/icons/outline/shield.svg'
import shieldLockIcon from '@tabler/icons/outline/shield-lock.svg'
import strikethroughIcon from '@tabler/icons/outline/strikethrough.svg'
import subscriptIcon from '@tabler/icons/outline/subscript.svg'
import sunIcon from '@tabler/icons/outline/sun.svg'
import superscriptIcon from '@tabler/icons/outline/superscript.svg'
import tableIcon from '@tabler/icons/outline/table.svg'
import tagIcon from '@tabler/icons/outline/tag.svg'
import templateIcon from '@tabler/icons/outline/template.svg'
import trashIcon from '@tabler/icons/outline/trash.svg'
import uploadIcon from '@tabler/icons/outline/upload.svg'
import userIcon from '@tabler/icons/outline/user.svg'
import userPlusIcon from '@tabler/icons/outline/user-plus.svg'
import usersIcon from '@tabler/icons/outline/users.svg'
import variableIcon from '@tabler/icons/outline/variable.svg'
import warningIcon from '@tabler/icons/outline/alert-triangle.svg'
import worldIcon from '@tabler/icons/outline/world.svg'
import xIcon from '@tabler/icons/outline/x.svg'
import squareCheckIcon from '@tabler/icons/outline/square-check.svg'
import downloadIcon from '@tabler/icons/outline/download.svg'
import filePlusIcon from '@tabler/icons/outline/file-plus.svg'
import arrowsMoveIcon from '@tabler/icons/outline/arrows-move.svg'
import italicIcon from '@tabler/icons/outline/italic.svg'
import stackIcon from '@tabler/icons/outline/stack-2.svg'
import circleDashedIcon from '@tabler/icons/outline/circle-dashed.svg'
import progressIcon from '@tabler/icons/outline/progress.svg'

/** Shapes of the icons that the app uses, by their names. */
export const iconSources = {
  apps: appsIcon,
  archive: archiveIcon,
  'arrow-back-up': arrowBackUpIcon,
  'arrow-left': arrowLeftIcon,
  'arrow-right': arrowRightIcon,
  'arrows-move': arrowsMoveIcon,
  at: atIcon,
  bell: bellIcon,
  blockquote: blockquoteIcon,
  bold: boldIcon,
  bolt: boltIcon,
  book: bookIcon,
  'brand-git': brandGitIcon,
  check: checkIcon,
  'chevron-down': chevronDownIcon,
  'chevron-right': chevronRightIcon,
  'chevron-up': chevronUpIcon,
  'circle-check': circleCheckIcon,
  'circle-dashed': circleDashedIcon,
  'circle-x': circleXIcon,
  clock: clockIcon,
  'cloud-off': cloudOffIcon,
  code: codeIcon,
  columns: columnsIcon,
  copy: copyIcon,
  'device-desktop': deviceDesktopIcon,
  'device-mobile': deviceMobileIcon,
  dots: dotsIcon,
  download: downloadIcon,
  edit: editIcon,
  'external-link': externalLinkIcon,
  eye: eyeIcon,
  'eye-off': eyeOffIcon,
  file: fileIcon,
  'file-plus': filePlusIcon,
  'file-text': fileTextIcon,
  files: filesIcon,
  filter: filterIcon,
  folder: folderIcon,
  'folder-plus': folderPlusIcon,
  gear: gearIcon,
  'git-branch': gitBranchIcon,
  'git-compare': gitCompareIcon,
  'git-merge': gitMergeIcon,
  'git-pull-request': gitPullRequestIcon,
  'grip-vertical': gripVerticalIcon,
  heading: headingIcon,
  help: helpIcon,
  history: historyIcon,
  home: homeIcon,
  info: infoIcon,
  italic: italicIcon,
  key: keyIcon,
  keyboard: keyboardIcon,
  language: languageIcon,
  link: linkIcon,
  list: listIcon,
  'list-tree': listTreeIcon,
  loader: loaderIcon,
  lock: lockIcon,
  logout: logoutIcon,
  markdown: markdownIcon,
  menu: menuIcon,
  message: messageIcon,
  'message-plus': messagePlusIcon,
  'message-reply': messageReplyIcon,
  minus: minusIcon,
  'mood-smile': moodSmileIcon,
  moon: moonIcon,
  palette: paletteIcon,
  photo: photoIcon,
  plus: plusIcon,
  progress: progressIcon,
  refresh: refreshIcon,
  search: searchIcon,
  shield: shieldIcon,
  'square-check': squareCheckIcon,
  stack: stackIcon,
  'shield-lock': shieldLockIcon,
  strikethrough: strikethroughIcon,
  subscript: subscriptIcon,
  sun: sunIcon,
  superscript: superscriptIcon,
  table: tableIcon,
  tag: tagIcon,
  template: templateIcon,
  trash: trashIcon,
  upload: uploadIcon,
  user: userIcon,
  'user-plus': userPlusIcon,
  users: usersIcon,
  variable: variableIcon,
  warning: warningIcon,
  world: worldIcon,
  x: xIcon,
} as const

export type IconName = keyof typeof iconSources
