import { loadStyles, onClick } from './dom.ts'

type TryItModule = typeof import('./try-it.ts')

/** Loads the try-it panel of an operation when its button is clicked. */
export function startTryItOnDemand(): void {
  onClick<HTMLButtonElement>('[data-try-it]', (button) => {
    const { tryIt: address = '', styles = '' } = button.dataset
    button.ariaBusy = 'true'
    // A failed load is retried with the next click.
    void Promise.all([import(/* @vite-ignore */ address) as Promise<TryItModule>, loadStyles(styles)])
      .then(([{ openTryIt }]) => openTryIt(button))
      .catch(() => undefined)
      .finally(() => (button.ariaBusy = null))
  })
}
