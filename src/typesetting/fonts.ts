import { closeSync, existsSync, openSync, readSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of fonts on Linux, macOS and Windows. */
const fontFolders = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  '/System/Library/Fonts',
  '/Library/Fonts',
  'C:\\Windows\\Fonts',
]

/** Returns the folders in which fonts are searched. */
export const findFontFolders = (): string[] => fontFolders.filter((folder) => existsSync(folder))

/** Scripts that the fonts of the compiler do not contain, each with a letter that every font for it has. */
const testedScripts = {
  Chinese: 0x4e2d,
  Japanese: 0x3042,
  Korean: 0xd55c,
  Arabic: 0x0639,
  Hebrew: 0x05d0,
} as const

export type TestedScript = keyof typeof testedScripts

/** Maximum number of font files that are examined. */
const maxFontFiles = 5000

/** Returns the scripts for which no installed font was found. */
export function findScriptsWithoutFont(folders: readonly string[] = findFontFolders()): TestedScript[] {
  const missing = new Map(Object.entries(testedScripts) as [TestedScript, number][])
  for (const file of listFontFiles(folders)) {
    if (missing.size === 0) break
    const covers = readCoverage(file)
    for (const [script, letter] of missing) if (covers?.(letter)) missing.delete(script)
  }
  return [...missing.keys()]
}

function* listFontFiles(folders: readonly string[]): Iterable<string> {
  let remaining = maxFontFiles
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:ttf|otf|ttc|otc)$/i.test(name)) continue
      if (remaining-- === 0) return
      yield join(folder, name)
    }
  }
}

/** Reads which characters a font has; undefined if the file is no font. Only its tables of characters are read. */
function readCoverage(file: string): ((character: number) => boolean) | undefined {
  let handle: number | undefined
  try {
    handle = openSync(file, 'r')
    const read = (offset: number, length: number) => {
      const bytes = Buffer.alloc(length)
      return bytes.subarray(0, readSync(handle as number, bytes, 0, length, offset))
    }
    const head = read(0, 16)
    const start = head.toString('latin1', 0, 4) === 'ttcf' ? head.readUInt32BE(12) : 0
    const tableCount = read(start, 12).readUInt16BE(4)
    const tables = read(start + 12, tableCount * 16)
    for (let at = 0; at < tables.length; at += 16) {
      if (tables.toString('latin1', at, at + 4) !== 'cmap') continue
      return parseCharacterMap(read(tables.readUInt32BE(at + 8), Math.min(tables.readUInt32BE(at + 12), maxTableSize)))
    }
    return undefined
  } catch {
    return undefined
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/** Maximum size of a table of characters; fonts with all characters of Unicode have less than half. */
const maxTableSize = 4 * 1024 ** 2

/** Parses the subtables of a character map that modern fonts have: format 4 and format 12. */
function parseCharacterMap(map: Buffer): (character: number) => boolean {
  const ranges: [first: number, last: number][] = []
  for (let index = 0; index < map.readUInt16BE(2); index++) {
    const at = map.readUInt32BE(4 + index * 8 + 4)
    const format = map.readUInt16BE(at)
    if (format === 4) {
      const count = map.readUInt16BE(at + 6) / 2
      for (let segment = 0; segment < count; segment++) {
        const last = map.readUInt16BE(at + 14 + segment * 2)
        ranges.push([map.readUInt16BE(at + 16 + count * 2 + segment * 2), last])
      }
    } else if (format === 12) {
      const count = map.readUInt32BE(at + 12)
      for (let group = 0; group < count; group++)
        ranges.push([map.readUInt32BE(at + 16 + group * 12), map.readUInt32BE(at + 20 + group * 12)])
    }
  }
  return (character) => ranges.some(([first, last]) => character >= first && character <= last)
}
