// Starts the scripts of a page. They are optional: pages can be read and searched without scripts.
import { startContent } from './content.ts'
import { startCopying } from './copy.ts'
import { startFeedback } from './feedback.ts'
import { startNavigation } from './navigation.ts'
import { startSearchOnDemand } from './search-on-demand.ts'
import { startTheme } from './theme.ts'
import { startTryItOnDemand } from './try-it-on-demand.ts'
import { startPageViews } from './views.ts'

startTheme()
startNavigation()
startContent()
startCopying()
startFeedback()
startPageViews()
startSearchOnDemand()
startTryItOnDemand()
