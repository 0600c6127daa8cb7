import { useContext } from 'preact/hooks'
import { createContext } from 'preact'
import { request } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { customizeTexts as texts } from './setting-texts.ts'

/** Site whose images are uploaded. */
export const ImageSite = createContext({ organizationId: '', siteId: '' })

/** Maximum size of an image in bytes. */
const maxBytes = 512 * 1024

/** A button that uploads an image from this device. */
export function ImageUpload({ label, onUploaded }: { label: string; onUploaded: (url: string) => void }) {
  const params = useContext(ImageSite)
  const [upload, isUploading] = useAction(async (file: File) => {
    if (file.size > maxBytes) return showToast(texts.imageTooLarge, { kind: 'error' })
    const { url } = await request('POST /orgs/{organizationId}/sites/{siteId}/images', {
      params,
      body: { data: await encodeFile(file) },
    })
    onUploaded(url)
  })
  const choose = () => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = 'image/*'
    input.addEventListener('change', () => {
      const [file] = input.files ?? []
      if (file) void upload(file)
    })
    input.click()
  }
  return <Button icon="upload" label={`${texts.upload}: ${label}`} isBusy={isUploading} onClick={choose} />
}

/** Returns the bytes of a file as Base64. */
async function encodeFile(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
}
