import { render } from 'preact'
import { App, loadFirstScreen } from './app.tsx'
import { prefetchScreen } from './prefetch.ts'
import { address, startRouter } from './router.ts'
import { startShortcuts } from './shortcuts.ts'
import { loadLanguage } from './texts.ts'

// The data and the module of the first screen are loaded at the same time.
prefetchScreen(address.value.path)
startRouter()
startShortcuts()
await Promise.all([loadFirstScreen(address.value.path), loadLanguage()])
const root = document.getElementById('app') as HTMLElement
root.replaceChildren()
render(<App />, root)
