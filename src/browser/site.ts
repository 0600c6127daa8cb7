// Starts the scripts of a page. They are optional: pages can be read and searched without scripts.
import { startContent } from './content.ts'
import { startCopying } from './copy.ts'
import { startFeedback } from './feedback.ts'
import { startNavigation } from './navigation.ts'
import { startSearchOnDemand } from './search-on-demand.ts'
import { startTheme } from './theme.ts'
import { startTryItOnDemand } from './try-it-on-demand.ts'
import { startPageViews } from './views.ts'

function start(): void {
  startTheme()
  startNavigation()
  startContent()
  startCopying()
  startFeedback()
  startPageViews()
  startSearchOnDemand()
  startTryItOnDemand()
  // The script has the name of this one except for its beginning. The cookie is set for people who use the web app.
  if (document.cookie.includes('octavo-editor=')) void import(import.meta.url.replace(/site(?=[^/]*$)/, 'editor-bar'))
}

// The script in the head of the page imports this module, possibly before the page is parsed.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
else start()
