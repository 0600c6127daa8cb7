import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  content?: string | Uint8Array
  isDeflated?: boolean
  /** Unix mode, including the file type. */
  mode?: number
  flags?: number
  /** Values in the headers instead of the actual ones. */
  size?: number
  checksum?: number
  method?: number
}

/** Creates a ZIP archive, written field by field. */
export function createZip(files: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const content = Buffer.from(file.content ?? '')
    const data = file.isDeflated ? deflateRawSync(content) : content
    const name = Buffer.from(file.name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800 | (file.flags ?? 0), 2)
    common.writeUInt16LE(file.method ?? (file.isDeflated ? 8 : 0), 4)
    common.writeUInt32LE(file.checksum ?? crc32(content), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(file.size ?? content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(((file.mode ?? 0o100644) << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, data])
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 3]), common, rest, name]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
