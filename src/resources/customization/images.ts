import { hash } from 'node:crypto'
import { siteImages } from '../../contract/site-images.ts'
import type { ImageDownloadRequest } from '../../files/requests.ts'
import { servingHeaders } from '../../files/serving.ts'
import { sniffContentType } from '../../files/sniff.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import type { Database } from '../../storage/database.ts'
import { type StorageQuota, chargeBytes } from '../../storage/storage-usage.ts'
import * as store from '../../domain/sites/image-store.ts'

/** Maximum number of images of a site. */
const maxImages = 50

/** Bytes from which the type of an image is detected. */
const sniffedBytes = 4096

/** Name extensions by the types that browsers show as images. */
const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'image/x-icon': 'ico',
}

/** Images count toward the storage quota of the organization until their site is deleted. */
export const siteImageRoutes = (quota: StorageQuota) =>
  implement(siteImages, {
    async addImageToSite({ db, site, urls, now }, { body: { data } }) {
      const bytes = Buffer.from(data, 'base64')
      const contentType = sniffContentType(bytes.subarray(0, sniffedBytes), '', undefined)
      const extension = extensions[contentType]
      if (extension === undefined) throw invalid('body.data', 'must be a PNG, JPEG, GIF, WebP, AVIF, SVG or ICO image')
      const id = hash('sha256', bytes, 'hex').slice(0, 40)
      if (!(await store.findImage(db, site, id))) {
        if ((await store.countImages(db, site)) >= maxImages)
          throw conflict(`A site can have at most ${maxImages} images`)
        await chargeBytes(db, site.organization_id, bytes.length, quota)
        await store.insertImage(db, site, { id, content_type: contentType, data, created_at: now() })
      }
      return { url: urls.plain(`/site-images/${site.organization_id}/${site.id}/${id}.${extension}`) }
    },
  })

/** Responds with an image; its address never has other bytes. */
export async function downloadSiteImage(
  { database }: { database: Database },
  { organizationId, siteId, name, isHead }: ImageDownloadRequest,
): Promise<Response> {
  const [id = ''] = name.split('.')
  const image = await store.findImage(database.reader, { organization_id: organizationId, id: siteId }, id)
  if (!image) throw notFound('image')
  const headers = {
    ...servingHeaders(image.content_type, name),
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
  }
  return new Response(isHead ? null : Buffer.from(image.data, 'base64'), { headers })
}
