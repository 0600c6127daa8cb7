import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Child process with the part of the `Worker` interface that the pool uses. It has its own threads for native code, so
 * that it cannot block those of this process, and it can be killed at any time.
 */
export class ProcessWorker extends EventEmitter {
  readonly #child: ChildProcess
  #isEnded = false

  constructor(file: URL, { memory }: { memory: number }) {
    super()
    this.#child = fork(fileURLToPath(file), {
      // The process needs none of the secrets in the environment.
      env: {},
      execArgv: [`--max-old-space-size=${memory}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const emitExit = (...reason: readonly unknown[]) => {
      if (this.#isEnded) return
      this.#isEnded = true
      this.emit('exit', ...reason)
    }
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.on('error', emitExit)
    this.#child.on('exit', (code, signal) => emitExit(signal ?? code))
  }

  postMessage(message: object, _transferred?: readonly never[]): void {
    // If sending fails, the process exits as well, which is reported separately.
    this.#child.send(message, () => undefined)
  }

  async terminate(): Promise<void> {
    if (this.#isEnded) return
    this.#child.kill('SIGKILL')
    await once(this, 'exit')
  }

  ref(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  unref(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }
}
