// Starts the scripts of a page. They are optional: pages can be read and searched without scripts.
import { startContent } from './content.ts'
import { startCopying } from './copy.ts'
import { hasStorage } from './dom.ts'
import { startFeedback } from './feedback.ts'
import { scrollToCurrentPage, startNavigation } from './navigation.ts'
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

// On slow devices the scripts would delay the first paint. They start before it if they change what it shows: stored choices, the target
// of a link. Hidden pages are not painted.
const isPainted = document.hidden || performance.getEntriesByType('paint').length > 0
const startsEarly = isPainted || location.hash !== '' || hasStorage()
if (startsEarly) start()
// Measuring in an animation frame avoids an additional layout.
requestAnimationFrame(() => {
  scrollToCurrentPage()
  if (!startsEarly) setTimeout(start)
})
