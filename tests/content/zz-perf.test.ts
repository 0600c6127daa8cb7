import { test } from 'vitest'
import { Repository } from '../support/repository.ts'
test('perf', async () => {
  const t = (name: string, from: number) => console.log(name, Math.round(performance.now() - from))
  const files: Record<string, string> = { 'README.md': '# Home\n' }
  for (let index = 0; index < 5000; index++) files[`all/p${index}.md`] = 'x\n'
  let s = performance.now()
  const many = await Repository.of(files)
  t('first', s); s = performance.now()
  await many.import()
  t('again', s); s = performance.now()
  const lines = Array.from({ length: 20_000 }, (_, index) => `${'  '.repeat(index % 40)}* [Same](https://example.com)`)
  await many.write({ 'SUMMARY.md': lines.join('\n') })
  t('summary', s); s = performance.now()
  await many.write({ 'SUMMARY.md': `${lines.join('\n')}\n* End\n` })
  t('summary 2', s); s = performance.now()
  await many.outline()
  t('outline', s)
}, 100_000)
