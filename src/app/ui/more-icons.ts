import appsIcon from '@tabler/icons/outline/apps.svg'
import archiveIcon from '@tabler/icons/outline/archive.svg'
import arrowBackUpIcon from '@tabler/icons/outline/arrow-back-up.svg'
import arrowForwardUpIcon from '@tabler/icons/outline/arrow-forward-up.svg'
import arrowsMoveIcon from '@tabler/icons/outline/arrows-move.svg'
import atIcon from '@tabler/icons/outline/at.svg'
import blockquoteIcon from '@tabler/icons/outline/blockquote.svg'
import boldIcon from '@tabler/icons/outline/bold.svg'
import boltIcon from '@tabler/icons/outline/bolt.svg'
import bookIcon from '@tabler/icons/outline/book.svg'
import clockIcon from '@tabler/icons/outline/clock.svg'
import codeIcon from '@tabler/icons/outline/code.svg'
import columnsIcon from '@tabler/icons/outline/columns.svg'
import copyIcon from '@tabler/icons/outline/copy.svg'
import deviceDesktopIcon from '@tabler/icons/outline/device-desktop.svg'
import deviceMobileIcon from '@tabler/icons/outline/device-mobile.svg'
import downloadIcon from '@tabler/icons/outline/download.svg'
import externalLinkIcon from '@tabler/icons/outline/external-link.svg'
import eyeOffIcon from '@tabler/icons/outline/eye-off.svg'
import filePlusIcon from '@tabler/icons/outline/file-plus.svg'
import filterIcon from '@tabler/icons/outline/filter.svg'
import gitBranchIcon from '@tabler/icons/outline/git-branch.svg'
import gitCompareIcon from '@tabler/icons/outline/git-compare.svg'
import gripVerticalIcon from '@tabler/icons/outline/grip-vertical.svg'
import headingIcon from '@tabler/icons/outline/heading.svg'
import helpIcon from '@tabler/icons/outline/help.svg'
import indentDecreaseIcon from '@tabler/icons/outline/indent-decrease.svg'
import indentIncreaseIcon from '@tabler/icons/outline/indent-increase.svg'
import italicIcon from '@tabler/icons/outline/italic.svg'
import keyIcon from '@tabler/icons/outline/key.svg'
import keyboardIcon from '@tabler/icons/outline/keyboard.svg'
import languageIcon from '@tabler/icons/outline/language.svg'
import listTreeIcon from '@tabler/icons/outline/list-tree.svg'
import listIcon from '@tabler/icons/outline/list.svg'
import logoutIcon from '@tabler/icons/outline/logout.svg'
import markdownIcon from '@tabler/icons/outline/markdown.svg'
import messageReplyIcon from '@tabler/icons/outline/message-reply.svg'
import minusIcon from '@tabler/icons/outline/minus.svg'
import moodSmileIcon from '@tabler/icons/outline/mood-smile.svg'
import moonIcon from '@tabler/icons/outline/moon.svg'
import paletteIcon from '@tabler/icons/outline/palette.svg'
import photoIcon from '@tabler/icons/outline/photo.svg'
import progressIcon from '@tabler/icons/outline/progress.svg'
import shieldLockIcon from '@tabler/icons/outline/shield-lock.svg'
import shieldIcon from '@tabler/icons/outline/shield.svg'
import squareCheckIcon from '@tabler/icons/outline/square-check.svg'
import strikethroughIcon from '@tabler/icons/outline/strikethrough.svg'
import subscriptIcon from '@tabler/icons/outline/subscript.svg'
import sunIcon from '@tabler/icons/outline/sun.svg'
import superscriptIcon from '@tabler/icons/outline/superscript.svg'
import tableIcon from '@tabler/icons/outline/table.svg'
import tagIcon from '@tabler/icons/outline/tag.svg'
import templateIcon from '@tabler/icons/outline/template.svg'
import uploadIcon from '@tabler/icons/outline/upload.svg'
import userPlusIcon from '@tabler/icons/outline/user-plus.svg'

/** Shapes of the other icons, which are loaded when the first of them is shown. */
export const moreIconSources = {
  apps: appsIcon,
  archive: archiveIcon,
  'arrow-back-up': arrowBackUpIcon,
  'arrow-forward-up': arrowForwardUpIcon,
  'arrows-move': arrowsMoveIcon,
  at: atIcon,
  blockquote: blockquoteIcon,
  bold: boldIcon,
  bolt: boltIcon,
  book: bookIcon,
  clock: clockIcon,
  code: codeIcon,
  columns: columnsIcon,
  copy: copyIcon,
  'device-desktop': deviceDesktopIcon,
  'device-mobile': deviceMobileIcon,
  download: downloadIcon,
  'external-link': externalLinkIcon,
  'eye-off': eyeOffIcon,
  'file-plus': filePlusIcon,
  filter: filterIcon,
  'git-branch': gitBranchIcon,
  'git-compare': gitCompareIcon,
  'grip-vertical': gripVerticalIcon,
  heading: headingIcon,
  help: helpIcon,
  'indent-decrease': indentDecreaseIcon,
  'indent-increase': indentIncreaseIcon,
  italic: italicIcon,
  key: keyIcon,
  keyboard: keyboardIcon,
  language: languageIcon,
  list: listIcon,
  'list-tree': listTreeIcon,
  logout: logoutIcon,
  markdown: markdownIcon,
  'message-reply': messageReplyIcon,
  minus: minusIcon,
  'mood-smile': moodSmileIcon,
  moon: moonIcon,
  palette: paletteIcon,
  photo: photoIcon,
  progress: progressIcon,
  shield: shieldIcon,
  'shield-lock': shieldLockIcon,
  'square-check': squareCheckIcon,
  strikethrough: strikethroughIcon,
  subscript: subscriptIcon,
  sun: sunIcon,
  superscript: superscriptIcon,
  table: tableIcon,
  tag: tagIcon,
  template: templateIcon,
  upload: uploadIcon,
  'user-plus': userPlusIcon,
} as const
