import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program that shows OpenAPI documents in the browser, in one file. */
interface ReferencePeer {
  name: string
  package: string
  version: string
  /** Path of the file in the package. */
  file: string
  /** HTML that shows the document at `/openapi.json` with the script at `/<name>.js`. */
  html: string
}

const peers: readonly ReferencePeer[] = [
  {
    name: 'scalar',
    package: '@scalar/api-reference',
    version: '1.46.4',
    file: 'dist/browser/standalone.js',
    html: `<script id="api-reference" data-url="/openapi.json" data-configuration='{"withDefaultFonts": false, "telemetry": false}'></script><script src="/scalar.js"></script>`,
  },
  {
    name: 'redoc',
    package: 'redoc',
    version: '2.5.4',
    file: 'bundles/redoc.standalone.js',
    html: '<redoc spec-url="/openapi.json"></redoc><script src="/redoc.js"></script>',
  },
]

const wrap = (head: string, body: string): Buffer =>
  Buffer.from(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API</title>${head}</head><body>${body}</body></html>`,
  )

const readAsset = (name: string): Buffer => readFileSync(join('dist', 'assets', name))

/** Returns the files of a page with one operation, with the styles and scripts of published pages. */
export function createOctavoPage(operation: string): Record<string, Buffer> {
  const styles = ['site.css', 'openapi.css'].map((name) => `<link rel="stylesheet" href="/${name}">`).join('')
  const head = `${styles}<script type="module" src="/site.js"></script>`
  return {
    '/octavo.html': wrap(head, `<main>${operation}</main>`),
    '/site.css': readAsset('site.css'),
    '/openapi.css': readAsset('openapi.css'),
    '/site.js': readAsset('site.js'),
  }
}

/** Downloads the peers into a temporary folder; returns the files of their pages by name. Those that cannot be downloaded are missing. */
export function createPeerPages(): Record<string, Record<string, Buffer>> {
  const pages: Record<string, Record<string, Buffer>> = {}
  for (const { name, package: packageName, version, file, html } of peers) {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-openapi-'))
    try {
      const packed = spawnSync('npm', ['pack', `${packageName}@${version}`, '--json', '--pack-destination', folder], {
        encoding: 'utf8',
      })
      if (packed.status !== 0) continue
      const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
      const { status } = spawnSync('tar', ['-xzf', join(folder, filename), '-C', folder])
      if (status !== 0) continue
      pages[name] = { [`/${name}.html`]: wrap('', html), [`/${name}.js`]: readFileSync(join(folder, 'package', file)) }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return pages
}
