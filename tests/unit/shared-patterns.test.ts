import { type HighlighterCore, createHighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { bundledLanguagesBase } from 'shiki/langs'
import { type IGrammar, INITIAL } from 'shiki/textmate'
import { afterAll, expect, test, vi } from 'vitest'
import { sharePatterns } from '../../src/highlight/shared-patterns.ts'

/** Code with rules in rules, patterns that begin where the last match ended, and ends that repeat what the beginning matched. */
const samples: Record<string, string> = {
  typescript:
    'export class A<T> extends B {\n  #x = `a ${this.y(1)} b`\n  get z(): T { return /[a-z]+\\/x/g as never }\n}',
  tsx: 'const a = <A b={1} {...c}>text {d ? <b/> : "e"}</A>\n// ünï 😀 code',
  markdown:
    '# T\n\n* a `b`\n\n  ````js\n  const x = 1\n  ```\n  ````\n\n> **q** [l](u "t")\n\n```yaml\na: [1, "2"]\n```\n',
  shellscript: 'cat <<EOF | sed "s/$A/${B:-c}/"\n$(echo a) `b`\nEOF\nfor i in *; do echo \'x\'; done # c',
  html: '<div class="a" style="color: red"><script>let a = "</b>"</script>&amp;<!-- c --></div>',
  php: '<p><?php $a = <<<X\n{$b["c"]} d\nX;\nfunction f(?int $x): array { return [1, \'a\']; } ?></p>',
  ruby: "x = <<~A + <<-'B'\n  #{y} z\nA\n  w\nB\nputs %q(a (b) c), :s",
  yaml: 'a: &x\n  - |\n    text\n    more\n  - "q\\n" # c\n? b\n: *x',
  css: '@media (min-width: 10px) { a:not(.b)::before { content: "\\201c"; color: #fff } }',
}

/** A server in this process replaces `Response` by a class that reads bodies only for itself; its base is that of the platform. */
const platformResponse = Object.getPrototypeOf(Response) as unknown
if (platformResponse !== Function.prototype) vi.stubGlobal('Response', platformResponse)
const engine = await createOnigurumaEngine(import('shiki/wasm'))
vi.unstubAllGlobals()
const open = (usedEngine: typeof engine) => createHighlighterCore({ themes: [], langs: [], engine: usedEngine })
const highlighters = { plain: await open(engine), shared: await open(sharePatterns(engine)) }

afterAll(() => {
  for (const highlighter of Object.values(highlighters)) highlighter.dispose()
})

async function loadGrammar(highlighter: HighlighterCore, name: string): Promise<IGrammar> {
  await highlighter.loadLanguage(bundledLanguagesBase[name] as NonNullable<(typeof bundledLanguagesBase)[string]>)
  return highlighter.getLanguage(name)
}

function tokenize(grammar: IGrammar, code: string) {
  let state = INITIAL
  return code.split('\n').map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state)
    state = ruleStack
    return tokens
  })
}

test.each(Object.keys(samples))('finds the same tokens in %s as a scanner per rule', async (name) => {
  const code = samples[name] as string
  const expected = tokenize(await loadGrammar(highlighters.plain, name), code)
  const shared = await loadGrammar(highlighters.shared, name)
  expect(tokenize(shared, code)).toEqual(expected)
  // Again, with the patterns and matches that are already there.
  expect(tokenize(shared, code)).toEqual(expected)
})
