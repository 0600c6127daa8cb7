import type { CodeSample } from '../extensions.ts'
import { printCsharp } from './csharp.ts'
import { printCurl } from './curl.ts'
import { printGo } from './go.ts'
import { printJava } from './java.ts'
import { printJavascript } from './javascript.ts'
import { printPhp } from './php.ts'
import { printPython } from './python.ts'
import type { PrintedRequest, SampleRequest } from './request.ts'
import { printRuby } from './ruby.ts'

export interface SampleLanguage {
  title: string
  syntax: string
  /** Names that documents use for it. */
  aliases: readonly string[]
  print: (request: PrintedRequest) => string
}

export const sampleLanguages: readonly [SampleLanguage, ...SampleLanguage[]] = [
  { title: 'curl', syntax: 'sh', aliases: ['shell', 'bash', 'sh'], print: printCurl },
  {
    title: 'JavaScript',
    syntax: 'js',
    aliases: ['js', 'javascript', 'node', 'node.js', 'nodejs'],
    print: printJavascript,
  },
  { title: 'Python', syntax: 'python', aliases: ['py', 'python3'], print: printPython },
  { title: 'Go', syntax: 'go', aliases: ['golang'], print: printGo },
  { title: 'Java', syntax: 'java', aliases: [], print: printJava },
  { title: 'C#', syntax: 'csharp', aliases: ['csharp', '.net', 'dotnet'], print: printCsharp },
  { title: 'PHP', syntax: 'php', aliases: [], print: printPhp },
  { title: 'Ruby', syntax: 'ruby', aliases: ['rb'], print: printRuby },
]

/** Returns the code samples of the document, then generated ones in the languages that it does not have. */
export function createCodeSamples(request: SampleRequest): CodeSample[] {
  const { codeSamples } = request.operation
  const given = new Set(codeSamples.flatMap(({ title, syntax }) => [title.toLowerCase(), syntax]))
  const generated = sampleLanguages.filter(
    ({ title, aliases }) => ![title.toLowerCase(), ...aliases].some((name) => given.has(name)),
  )
  return [...codeSamples, ...generated.map(({ title, syntax, print }) => ({ title, syntax, code: print(request) }))]
}
