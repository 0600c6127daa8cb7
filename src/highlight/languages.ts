import { bundledLanguagesInfo } from 'shiki/langs'

// Additional names of languages that people use and that are neither names nor aliases of grammars.

const extraAliases: Readonly<Record<string, readonly string[]>> = {
  'actionscript-3': ['as'],
  ahk: ['autohotkey'],
  bat: ['dosbatch'],
  c: ['clike', 'h'],
  'common-lisp': ['cl'],
  cpp: ['arduino', 'c/c++', 'cc', 'cxx', 'hpp', 'ino'],
  csharp: ['c-sharp', 'csx', 'dotnet'],
  diff: ['git-diff', 'patch'],
  docker: ['docker-file'],
  dotenv: ['env'],
  fsharp: ['f-sharp', 'fsx'],
  go: ['golang'],
  groovy: ['gradle', 'jenkinsfile'],
  html: ['htm', 'jsp', 'xhtml'],
  http: ['http-request', 'https'],
  ini: ['cfg', 'conf', 'config', 'gitconfig'],
  javascript: ['babel', 'es6', 'flow', 'node', 'node.js', 'nodejs'],
  json: ['avsc', 'geojson', 'ipynb', 'json-ld', 'json-response', 'jsonld', 'jsonresponse', 'webmanifest'],
  jsonc: ['json-with-comments'],
  jsonl: ['ndjson'],
  jsx: ['javascriptreact', 'react'],
  make: ['gnumakefile', 'mk'],
  markdown: ['mkd'],
  'objective-c': ['m', 'objectivec'],
  'objective-cpp': ['mm', 'objective-c++'],
  pascal: ['delphi'],
  perl: ['pl'],
  php: ['laravel', 'php5', 'php7'],
  plsql: ['oracle', 'pl/sql'],
  powershell: ['power-shell', 'psm1'],
  python: ['bazel', 'bzl', 'pycon', 'py3', 'python2', 'python3', 'starlark'],
  razor: ['aspnet', 'cshtml'],
  ruby: ['gemfile', 'rails', 'rakefile'],
  shellscript: ['curl', 'ksh', 'linux', 'npm', 'shell-script', 'unix', 'wget'],
  shellsession: ['command-line', 'shell-session', 'terminal'],
  solidity: ['sol'],
  sql: ['mssql', 'mysql', 'pgsql', 'postgres', 'postgresql', 'psql', 'sqlite', 't-sql', 'tsql'],
  swift: ['swiftui'],
  tsx: ['typescriptreact'],
  vb: ['vb.net', 'vba', 'vbnet', 'vbs', 'vbscript', 'visual-basic', 'visualbasic'],
  vue: ['vuejs'],
  xml: ['csproj', 'markup', 'mathml', 'plist', 'rss', 'svg', 'wsdl', 'xaml', 'xsd'],
  xsl: ['xslt'],
  yaml: ['cloud-init', 'docker-compose', 'helm', 'kubernetes', 'openapi'],
}

const languageByName = new Map<string, string>()
for (const { id, aliases = [] } of bundledLanguagesInfo)
  for (const name of [id, ...aliases]) languageByName.set(name, id)
for (const [id, names] of Object.entries(extraAliases)) for (const name of names) languageByName.set(name, id)

/** Returns the grammar for a language given as a name, an alias, a file name or a file extension. */
export function findLanguage(syntax: string | undefined): string | undefined {
  if (syntax === undefined || syntax.length > 100) return undefined
  const normalized = syntax.trim().toLowerCase()
  const name = normalized.replace(/^lang(uage)?-/, '').replace(/\s+/g, '-')
  // Some authors add options after the name: `js:title`, `js{1,2}`, `js title="…"`.
  const nameOrFile = /^[^\s:{,;(=]*/.exec(normalized)?.[0] ?? ''
  const extension = nameOrFile.slice(nameOrFile.lastIndexOf('.') + 1)
  return languageByName.get(name) ?? languageByName.get(nameOrFile) ?? languageByName.get(extension)
}
