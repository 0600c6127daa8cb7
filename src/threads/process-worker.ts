import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * A child process with the part of the interface of a worker thread that the pool uses. It has threads of its own for native
 * work, so that it cannot starve those of this process, and can be killed whatever it does.
 */
export class ProcessWorker extends EventEmitter {
  readonly #child: ChildProcess
  #isEnded = false

  constructor(file: URL, { memory }: { memory: number }) {
    super()
    this.#child = fork(fileURLToPath(file), {
      // It needs none of the secrets in the environment.
      env: {},
      execArgv: [`--max-old-space-size=${memory}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const end = () => {
      if (this.#isEnded) return
      this.#isEnded = true
      this.emit('exit')
    }
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.on('error', end)
    this.#child.on('exit', end)
  }

  postMessage(message: object, _transferred?: readonly never[]): void {
    // A message that does not arrive is followed by the end of the process.
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
