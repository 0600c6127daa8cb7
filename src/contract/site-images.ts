import { z } from 'zod'
import { operation } from './operation.ts'

/** Maximum length of an encoded image: 512 KB. */
const maxDataLength = Math.ceil((512 * 1024) / 3) * 4

export const siteImages = {
  addImageToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/images',
    summary: 'Add an image to a site',
    description:
      'Stores a logo or an icon for the customization: PNG, JPEG, GIF, WebP, AVIF, SVG or ICO with at most 512 KB. Everyone who has the URL can read the image. The same image has the same URL. Images count toward the storage quota of the organization until the site is deleted.',
    access: 'site:edit',
    scope: 'site:write',
    maxBody: 1024 * 1024,
    body: z.object({ data: z.base64().min(1).max(maxDataLength).describe('Bytes of the image, encoded as Base64') }),
    status: 201,
    reply: z.object({ url: z.string() }).meta({ id: 'SiteImage' }),
    errors: [409],
  }),
}
