import { performance } from 'node:perf_hooks'

/** Reports the progress of a command. */
export interface Progress {
  /** Reports the current step when its size is unknown. */
  step(what: string): void
  report(what: string, progress: { done: number; total: number }): void
  /** Clears the line of a terminal. */
  end(): void
}

/** Minimum time between two updates in milliseconds: of a terminal, and of lines in other outputs. */
const terminalInterval = 100
const lineInterval = 5000

const barWidth = 24

interface Stream {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

/** Creates a progress report: one updated line on a terminal, elsewhere a line every few seconds. */
export function createProgress(stream: Stream = process.stderr, clock = () => performance.now()): Progress {
  const isTerminal = stream.isTTY === true
  const interval = isTerminal ? terminalInterval : lineInterval
  let [startTime, lastWrite, currentStep, isShown] = [clock(), clock(), '', false]

  function show(line: string): void {
    lastWrite = clock()
    isShown = isTerminal
    stream.write(isTerminal ? `\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}` : `${line}\n`)
  }

  return {
    step(next) {
      show(`${next}…`)
    },
    report(next, { done, total }) {
      const now = clock()
      if (next !== currentStep) {
        ;[currentStep, startTime] = [next, now]
        if (!isTerminal) lastWrite = now
      }
      if (now - lastWrite < interval && !(isTerminal && done === total)) return
      const rate = now > startTime ? Math.round((done * 1000) / (now - startTime)) : 0
      const text = `${currentStep} ${done} of ${total}, ${rate}/s`
      show(isTerminal ? `${formatBar(done, total)} ${text}` : text)
    },
    end() {
      if (isShown) stream.write('\r\u001b[K')
      isShown = false
    },
  }
}

function formatBar(done: number, total: number): string {
  const filled = total === 0 ? barWidth : Math.floor((barWidth * Math.min(done, total)) / total)
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`
}
