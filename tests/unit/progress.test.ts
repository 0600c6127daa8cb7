import { expect, test } from 'vitest'
import { createProgress } from '../../src/cli/progress.ts'

function watched(isTTY: boolean) {
  const written: string[] = []
  let time = 0
  const progress = createProgress({ isTTY, columns: 60, write: (text: string) => written.push(text) }, () => time)
  return { progress, written, pass: (milliseconds: number) => (time += milliseconds) }
}

test('a terminal shows one line, updated at most ten times a second and cleared at the end', () => {
  const { progress, written, pass } = watched(true)
  for (let done = 0; done <= 1000; done++) {
    progress.report('pages', { done, total: 1000 })
    pass(1)
  }
  progress.end()
  expect(written.length).toBeLessThanOrEqual(12)
  expect(written.every((text) => text.startsWith('\r') && !text.includes('\n') && text.length < 70)).toBe(true)
  expect(written[4]).toContain('████████████░░░░░░░░░░░░ pages 500 of 1000, 1000/s')
  expect(written.at(-2)).toContain('pages 1000 of 1000, 1000/s')
  expect(written.at(-1)).toBe('\r\u001b[K')
})

test('without a terminal, writes a line every few seconds and none for short steps', () => {
  const { progress, written, pass } = watched(false)
  progress.step('Looking')
  for (let done = 0; done <= 120; done++) {
    progress.report('pages', { done, total: 120 })
    pass(100)
  }
  progress.report('files', { done: 0, total: 1 })
  progress.end()
  expect(written).toEqual(['Looking…\n', 'pages 50 of 120, 10/s\n', 'pages 100 of 120, 10/s\n'])
})
