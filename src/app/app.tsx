import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { loadModule } from './load-module.ts'
import { type Screen, type ScreenRoute, address, findRoute } from './router.ts'
import { routes } from './routes.ts'
import { hasTexts, language, loadTexts } from './texts.ts'
import { Banners } from './ui/banners.tsx'
import { Frame } from './ui/frame.tsx'
import { GlobalParts } from './ui/global-parts.tsx'
import { ErrorState, Loading, NotFoundState } from './ui/states.tsx'

/** Shows the screen of the address. */
export function App() {
  return (
    <>
      <Banners />
      <CurrentScreen />
      <GlobalParts />
    </>
  )
}

/** Screens whose module is loaded. */
const loadedScreens = new Map<ScreenRoute, Screen>()

function CurrentScreen() {
  const { path } = address.value
  const match = findRoute(routes, path)
  const { screen: LoadedScreen, error } = useScreen(match?.route, path)
  const [crash, resetCrash] = useErrorBoundary((thrown: unknown) => console.error(thrown))
  useEffect(() => resetCrash(), [path])
  useFocusOnNewScreen(LoadedScreen, path)
  const problem = error ?? (crash as Error | undefined)
  if (match && LoadedScreen && !problem) return <LoadedScreen params={match.params} />
  // The content of most screens is beside a navigation, so that nothing moves when the module is loaded.
  const hasSidebar = match !== undefined && !problem && /^\/(?:orgs|spaces|collections|account)\b/.test(path)
  return (
    <Frame {...(hasSidebar && { sidebar: <Loading /> })}>
      {!match && <NotFoundState isWholeScreen />}
      {match &&
        (problem ? <ErrorState isWholeScreen error={problem} onRetry={() => location.reload()} /> : <Loading />)}
    </Frame>
  )
}

/** Loads the module of a screen and its texts. */
function useScreen(
  route: ScreenRoute | undefined,
  path: string,
): { screen: Screen | undefined; error: Error | undefined } {
  const [state, setState] = useState<{ route: ScreenRoute; error?: Error }>()
  const screen = route && hasTexts(path) ? loadedScreens.get(route) : undefined
  useEffect(() => {
    if (!route || screen) return
    Promise.all([loadScreen(route), loadTexts(path)]).then(
      () => setState({ route }),
      (error: Error) => setState({ route, error }),
    )
  }, [route, path, screen, language.value])
  return { screen, error: state?.route === route ? state?.error : undefined }
}

async function loadScreen(route: ScreenRoute): Promise<void> {
  const module = await loadModule(route.load)
  loadedScreens.set(route, module.default)
}

/** Maximum time in milliseconds before the app is shown without the first screen. */
const maxWait = 300

/** Loads the first screen before the app is rendered, so that it is rendered only once. */
export async function loadFirstScreen(path: string): Promise<void> {
  const match = findRoute(routes, path)
  if (!match) return
  const waited = new Promise<void>((resolve) => setTimeout(resolve, maxWait))
  // The app loads it again and reports the error.
  await Promise.race([loadScreen(match.route).catch(() => undefined), waited])
}

/** Moves the focus to the content when another screen opens, so that screen readers and the keyboard continue there. */
function useFocusOnNewScreen(screen: Screen | undefined, path: string): void {
  const previous = useRef<Screen | undefined>(undefined)
  useEffect(() => {
    // The same screen with another address keeps the focus, for example in its navigation, unless the element is gone.
    const isLost = previous.current !== screen || document.activeElement === document.body
    if (screen && previous.current && isLost) document.getElementById('main')?.focus({ preventScroll: true })
    previous.current = screen ?? previous.current
  }, [screen, path])
}
