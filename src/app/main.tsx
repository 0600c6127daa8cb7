import { render } from 'preact'
import { App } from './app.tsx'
import { startRouter } from './router.ts'
import { startShortcuts } from './shortcuts.ts'
import { loadLanguage } from './texts.ts'

startRouter()
startShortcuts()
await loadLanguage()
const root = document.getElementById('app') as HTMLElement
root.replaceChildren()
render(<App />, root)
