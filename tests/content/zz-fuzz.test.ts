import { test } from 'vitest'
test('f', async () => {
  await import('/tmp/fuzz.ts')
}, 60000)
